# A prompt that a model does not take, rewritten by a text model.

rewrite-needs-english = ⚠️ { $name } understands English only. Translate the text with the button, or send it in English. Your text is kept.
rewrite-too-long = ⚠️ Too long for this: { $length } characters, at most { $max }. Shorten the text with the button or yourself; another model or setting may take all of it. Your text is kept.
rewrite-own = Rewriting is paid from your own balance.
button-translate = 🌐 Translate to English · ≈ { $amount }
button-shorten = ✂️ Shorten · ≈ { $amount }
rewrite-translate = Translating…
rewrite-shorten = Shortening…
rewrite-runs = Already at work, just a moment.
rewrite-cost = ✍️ Done, { $amount } charged.
rewrite-failed = ❌ The text couldn’t be changed. Nothing was charged, and the card is still there: try again, or change the text yourself.
rewrite-unfit = ⚠️ The new text doesn’t fit either, so the card stays as it was. { $amount } was charged. Here it is, in case you want to build on it:
rewrite-late = ✍️ The new text is ready, { $amount } charged. The card has changed meanwhile, so here it is:
button-improve = ✨ Improve · ≈ { $amount }
button-lyrics = ✍️ Write the lyrics · ≈ { $amount }
rewrite-improve = Improving…
rewrite-lyrics = Writing…
rewrite-describe = Looking at the picture…
suggested-improve = ✨ <b>It could be</b>
suggested-lyrics = ✍️ <b>Lyrics for the song</b>
suggested-take = ✅ Use it
suggested-leave = Keep mine
suggested-show = ✨ Show the suggestion
suggested-own = ↩️ Back to my words
