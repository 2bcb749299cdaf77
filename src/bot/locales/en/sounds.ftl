# Voice messages and other sounds as questions.

spoken-question = 🎤 Voice message
sound-deaf = 🎤 { $model } cannot listen to sounds. The models below can: a tap has one of them answer, and it stays chosen here.
sound-deaf-mode = 🎤 { $model } cannot listen to sounds while this is on: { $modes }. Switch it off with /model and send the sound again.
button-hear-by = 🎤 { $model } · ≈ { $amount }
button-ask-sound = 💬 Ask about it · ≈ { $amount }
sound-ask = What would you like to know about the recording? Write it as a message.
chat-deaf = { $model } cannot listen to sounds, so nothing was asked or charged. These models can: { $models }. Choose one with /model and send it again, or ask in words.
chat-deaf-mode = { $model } cannot listen to sounds while this is on: { $modes }. Nothing was asked or charged; switch it off with /model and send it again.
chat-no-sound = The recording could not be read (at most { $max } MB), so nothing was asked or charged. Send it again, or a shorter one.
chat-sound-format = There is no sound in this file that models could hear, or it is in a format that cannot be converted here. Nothing was asked or charged. Send a voice message, an MP3 or a WAV.
chat-sound-too-long = A question can have up to { $max } seconds of sound: this is a limit of the bot. Nothing was asked or charged; send a shorter recording.
chat-mode-without-sounds = While this is on, voice messages cannot be sent.
chat-mode-without-files = While this is on, pictures and voice messages cannot be sent.
button-read-answer = 🔊 Read aloud · { $amount }
