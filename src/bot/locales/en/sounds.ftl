# Voice messages and other sounds as questions.

spoken-question = 🎤 Voice message
sound-deaf = 🎤 { $model } can’t listen to sounds. The models below can: tap one, and it answers and stays selected here.
sound-deaf-mode = 🎤 { $model } can’t listen to sounds while this is on: { $modes }. Switch it off with /model and send the sound again.
button-hear-by = 🎤 { $model } · ≈ { $amount }
button-ask-sound = 💬 Ask about it · ≈ { $amount }
sound-ask = What would you like to know about the recording? Just write it here.
chat-deaf = { $model } can’t listen to sounds, so nothing was asked or charged. These models can: { $models }. Choose one with /model and send it again, or ask in words.
chat-deaf-mode = { $model } can’t listen to sounds while this is on: { $modes }. Nothing was asked or charged; switch it off with /model and send it again.
chat-no-sound = The recording couldn’t be read (at most { $max } MB), so nothing was asked or charged. Send it again, or a shorter one.
chat-sound-format = There’s no sound in this file that models could hear, or its format can’t be converted here. Nothing was asked or charged. Send a voice message, an MP3 or a WAV.
chat-sound-too-long = A question can have up to { $max } seconds of sound: that’s the limit of this bot. Nothing was asked or charged; send a shorter recording.
chat-mode-without-sounds = While this is on, you can’t send voice messages.
chat-mode-without-files = While this is on, you can’t send pictures or voice messages.
button-read-answer = 🔊 Read aloud · { $amount }
