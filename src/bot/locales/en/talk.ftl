# Talking to a text model: what is said around answers.

chat-cut = ⏹ Stopped. Only what is shown was charged.
