# Talking to a text model: what is said around answers.

chat-cut = ⏹ Остановлено. Списано только за показанное.
chat-first = 💬 Ответы { $model } платные. Этот выйдет примерно в <b>{ $amount }</b>: спишется только то, что потрачено, и цена будет стоять под ответом. Другая модель: /model
button-answer = Ответить · ≈ { $amount }
document-uses = 📄 Знаков: { $length }. Что сделать с этим файлом?
button-summarise = 📝 Пересказать · ≈ { $amount }
button-ask-document = 💬 Спросить о нём · ≈ { $amount }
button-read-aloud = 🗣 Озвучить
ask-summary = Перескажи этот файл кратко: о чём он, главные мысли и что из этого следует.
document-ask = Что вы хотите узнать о файле? Напишите сообщением.
voice-unheard = 🎤 Голосовые сообщения я пока не распознаю. Напишите текстом; а текст озвучит /speech.
voice-uses = 🎤 Речь в текст я пока не перевожу. Что можно сделать с этим звуком:
