# Talking to a text model: what is said around answers.

chat-cut = ⏹ Stopped. You paid for the question and for what was written by then.
chat-first = <b>What would you like?</b>
    You see the settings and the exact price first. An answer costs only what it uses.

    To get an answer every time: /settings
chat-first-dearer = The price has changed. The new one is on the button: tap it again to get the answer.
button-answer = 💬 Answer · ≈ { $amount }
words-beside-card = ✍️ Your card is still open, so nothing was changed or charged. What are these words for?
button-replace-prompt = ✏️ Replace the prompt
button-add-to-prompt = ➕ Add to the prompt
button-ask-words = 💬 Ask · ≈ { $amount }
words-beside-forget = Nothing was deleted or charged. To delete your data or keep it, tap a button above.
words-beside-presets = Tap a preset above to see it or start from it. Nothing was charged.
words-beside-caps = I need a limit in roubles: write a number, for example <code>250</code>, or tap one above. Nothing was changed or charged.
words-beside-wallet = Use the buttons above to set up the wallet. Nothing was changed or charged.
words-beside-history = To open an order, tap its number above. Nothing was charged.
words-beside-ways = Choose above how to pay. Nothing was charged.
words-beside-file = Choose above what to make of the file. Nothing was charged.
words-beside-settings = Choose the language above. Nothing was charged.
words-beside-persona = Choose the persona above, or write your own with the button. Nothing was changed or charged.
words-beside-result = Tap one of the buttons above. Nothing was changed or charged.
document-uses =
    📄 { $length ->
        [one] { $length } character
       *[other] { $length } characters
    }. What should I do with this file?
button-summarise = 📝 Summarise · ≈ { $amount }
button-read-aloud = 🗣 Read aloud
ask-summary = Summarise this file briefly: what it is about, its main points, and what follows from it.
voice-unheard = 🎤 No model here can listen to voice messages: please write instead. To have a text read aloud, use /speech.
voice-uses = 🎤 No model here can listen to voice messages: please write instead. The sound itself can go into:
pdf-uses =
    📄 { $pages ->
        [one] { $pages } page
       *[other] { $pages } pages
    }. What should I do with this file?
button-ask-about =
    { $kind ->
       *[pdf] 💬 Ask about it · ≈ { $amount }
    }
button-ask-by = 💬 { $model } · ≈ { $amount }
offer-not-taken = 💬 { $model } { $cannot }. The models below can: a tap has one of them answer, and it stays chosen here.
offer-not-taken-mode = 💬 { $model } { $cannot } while this is on: { $modes }. Switch it off with /model and send it again.
file-ask-image = What would you like to know about the picture? Just write it here.
file-ask-audio = What would you like to know about the recording? Just write it here.
file-ask-video = What would you like to know about the video? Just write it here.
file-ask-pdf = What would you like to know about the file? Just write it here.
