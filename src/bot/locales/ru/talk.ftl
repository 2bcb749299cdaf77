# Talking to a text model: what is said around answers.

chat-cut = ⏹ Остановлено. Списано только за показанное.
