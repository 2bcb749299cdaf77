# Voice messages and other sounds as questions.

spoken-question = 🎤 Voice message
chat-sound-format = There is no sound in this file that models could hear, or it is in a format that cannot be converted here. Nothing was asked or charged. Send a voice message, an MP3 or a WAV.
button-read-answer = 🔊 Read aloud · { $amount }
