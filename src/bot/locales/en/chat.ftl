# Talking to a text model.

help-chat = /chat — talk to a text model, or just write to me
command-chat = Talk to a text model
command-new = A new conversation
button-chat-retry = 🔁 Again
button-chat-stop = ⏹ Stop
chat-writing = ✍️ …
chat-thinking = Reasoning
chat-sources = Sources:
chat-payer = { $amount } · { $name }
chat-settings =
    💬 <b>{ $model }</b>
    { $input } / { $output } per million tokens, question / answer

    Persona: { $persona }
    This conversation: { $answers ->
        [one] { $answers } answer
       *[other] { $answers } answers
    }, <b>{ $spent }</b>
chat-how = Write anything to get an answer. /new starts over, /retry repeats the last question.
chat-settings-group = In this group the settings are for everybody in the conversation. Only the person who began the conversation and administrators can change them.
chat-new = A new conversation. What was said before is no longer sent; the model and the settings stay.
chat-off = No text models are available at the moment. Try again later; other commands: /help
chat-model-off = <b>{ $model }</b> is switched off at the moment, so nothing was asked and nothing is charged. Choose another model, then ask again:
chat-paused = Answers are paused for a few minutes. Nothing was charged; try again soon or choose another model.
chat-unpriced = The price of this model is unknown at the moment. Choose another one: /model
chat-not-enough = An answer could cost more than you have: you’re <b>{ $missing }</b> short. Top up and ask again; you pay only for what is used.
chat-short = An answer could cost more than you have: you’re <b>{ $missing }</b> short. Top up, and I’ll offer to answer this very question; you pay only for what is used.
chat-unpaid = 💬 Now your balance is enough. Shall I answer?
chat-held = Your money is set aside for the answer that is being written, and what it doesn’t use comes back. Wait until it is there or stop it, then ask again.
chat-edited-part = The question came in several messages, so it is not possible to correct just one of them. Send the whole text again.
chat-unreadable = I can read pictures, text files and PDF files that contain text. There is nothing I can read here. If this is a text, save it as UTF-8 and send it again.
chat-unread-video = I cannot watch videos, so nothing was asked or charged. Describe it in words, quote the words that you mean, or send a picture from it with your question.
chat-unread-sound = I cannot listen to sounds, so nothing was asked or charged. Write in words what it says, or quote the words that you mean.
chat-unread-other = I cannot see what this is about, so nothing was asked or charged. Describe it in words, quote the words that you mean, or send a picture, a text or a PDF with your question.
chat-blind = { $model } cannot see pictures, so nothing was asked or charged. These models can: { $models }. Choose one with /model and send it again, or ask without a picture.
chat-blind-all = { $model } cannot see pictures, and no other model here can. Nothing was asked or charged; ask without a picture.
chat-blind-mode = { $model } cannot see pictures while this is on: { $modes }. Nothing was asked or charged; switch it off with /model and send the picture again.
chat-no-picture = The picture could not be read (at most { $max } MB), so nothing was asked or charged. Send it again, as a photo.
chat-picture-format = Models cannot see this picture, so nothing was asked or charged: it is in another format, broken or too large. Send a photo, or a file in JPEG, PNG, WebP, HEIC, AVIF, TIFF or GIF.
chat-daily-cap = You can spend { $most } a day; { $spent } is already spent or set aside today. Ask again tomorrow.
chat-nothing-to-retry = There is nothing to repeat yet.
chat-stopping = Stopping
chat-not-written = This answer is no longer being written.
chat-not-yours = This is not your question.
chat-not-yours-to-change = In a group, only the person who began the conversation and the administrators can change it or start over.
chat-proposes = Here is a card. Check the price: nothing is made until you tap.
chat-stopped = Stopped before the first word; nothing was charged.
chat-broken = ⚠️ The answer broke off, so it is free. Write “continue” for the rest, or ask again.
chat-failed-refused = ❌ The model did not accept the question. Nothing was charged; ask in another way or choose another model: /model
chat-failed-too-large = ❌ The question with its pictures is too large for the service. Nothing was charged; send a smaller picture or start a new conversation: /new
chat-failed-said = The service said: “{ $said }”
chat-failed-unavailable = ❌ No answer came. Nothing was charged; try again.
chat-failed-empty = ❌ The model returned an empty answer. Nothing was charged; try again or rephrase.
chat-ended-length = ✂️ This is the longest answer that the model writes at once. Write “continue” for the rest.
chat-ended-money = ✂️ The answer stops here: your balance or daily limit covers no longer one. /topup, then write “continue”.
chat-ended-filter = ✂️ A content filter of the service cut the answer here, so it is free. Ask in another way.
chat-ended-refusal = ✂️ The model refused to go on. Ask in another way or choose another model: /model
chat-picture-lost = 🖼 There was a picture in the answer, but it could not be loaded. Ask again to get a new one.
chat-failed-declined = ❌ The model refused to answer. Nothing was charged; ask in another way or choose another model: /model
chat-failed-paused = ❌ Answers are paused for a few minutes. Nothing was charged; try again soon or choose another model.
chat-cost =
    This answer: { $amount } ({ $input } + { $output } tokens).
    Whole conversation: { $total }, answers: { $answers }.
chat-cost-estimate =
    This answer: { $amount } (about { $input } + { $output } tokens, counted by us).
    Whole conversation: { $total }, answers: { $answers }.
refund-unsent = the answer could not be sent
chat-mode-excludes = { $mode } is on. They do not work together, so this is off now: { $off }.
chat-mode-without-pictures = While this is on, pictures cannot be sent.
chat-mode-without-cards = While this is on, the model does not propose pictures, videos or songs to order.
chat-modes-lost = This model answers without: { $modes }.
mode-thinking = 🧠 Thinking
mode-search = 🌐 Web search
mode-code = 🧮 Run code
depth-usual = ⏱ Thinking: as long as usual
depth-short = ⏱ Thinking: short
depth-long = ⏱ Thinking: long
