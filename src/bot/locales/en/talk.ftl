# Talking to a text model: what is said around answers.

chat-cut = ⏹ Stopped. Charged: your question and what was written until then.
chat-first = 💬 Answers from { $model } cost money. This one will be about <b>{ $amount }</b>: only what is used is charged, and the price stands below the answer. Another model: /model
chat-first-dearer = The price has changed. It stands on the button now: press it again to get the answer.
button-answer = Answer · ≈ { $amount }
document-uses =
    📄 { $length ->
        [one] { $length } character
       *[other] { $length } characters
    }. What shall I do with this file?
button-summarise = 📝 Summarise · ≈ { $amount }
button-ask-document = 💬 Ask about it · ≈ { $amount }
button-read-aloud = 🗣 Read aloud
ask-summary = Summarise this file briefly: what it is about, its main points, and what follows from it.
document-ask = What would you like to know about the file? Write it as a message.
voice-unheard = 🎤 I cannot understand voice messages yet: please write instead. To have a text read aloud, use /speech.
voice-uses = 🎤 I cannot understand voice messages yet: please write instead. The sound itself can go into:
