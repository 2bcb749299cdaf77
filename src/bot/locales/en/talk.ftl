# Talking to a text model: what is said around answers.

chat-cut = ⏹ Stopped. Charged: your question and what was written until then.
chat-first = <b>What would you like?</b>
    These are the lowest prices; you see the exact one before you order. An answer costs only what it uses.

    To get an answer every time: /settings
chat-first-dearer = The price has changed. It stands on the button now: press it again to get the answer.
button-answer = 💬 Answer · ≈ { $amount }
words-beside-card = ✍️ Your card is still open, so nothing was changed or charged. What are these words for?
button-replace-prompt = ✏️ Replace the prompt
button-add-to-prompt = ➕ Add to the prompt
button-ask-words = 💬 Ask · ≈ { $amount }
words-beside-forget = Nothing was deleted or charged. To delete your data or keep it, tap a button above.
words-beside-presets = Tap a preset above to see it or start from it. Nothing was charged.
words-beside-caps = I need a limit in roubles: write a number, like <code>250</code>, or tap one above. Nothing was changed or charged.
words-beside-wallet = The wallet is set up with the buttons above. Nothing was changed or charged.
words-beside-history = To open an order, tap its number above. Nothing was charged.
words-beside-ways = Choose above how to pay. Nothing was charged.
words-beside-file = Choose above what to make of the file. Nothing was charged.
words-beside-settings = Choose the language above. Nothing was charged.
words-beside-persona = Choose the persona above, or write your own with the button. Nothing was changed or charged.
words-beside-result = The buttons above wait for your choice. Nothing was changed or charged.
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
voice-unheard = 🎤 No model here can listen to voice messages: please write instead. To have a text read aloud, use /speech.
voice-uses = 🎤 No model here can listen to voice messages: please write instead. The sound itself can go into:
