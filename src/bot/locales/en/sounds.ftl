# Voice messages and other sounds as questions.

spoken-question = 🎤 Voice message
chat-sound-format = There’s no sound in this file that models could hear, or its format can’t be converted here. Nothing was asked or charged. Send a voice message, an MP3 or a WAV.
button-read-answer = 🔊 Read aloud · { $amount }
