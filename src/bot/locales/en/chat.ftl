# Talking to a text model.

help-chat = /chat — talk to a text model, or just write to me
command-chat = Talk to a text model
command-new = A new conversation
button-chat-retry = 🔁 Again
button-chat-stop = ⏹ Stop
chat-writing = ✍️ …
chat-thinking = Reasoning
chat-sources = Sources:
button-chat-cost = ℹ️ { $amount }
chat-payer = ℹ️ { $amount } · { $name }
chat-settings =
    💬 <b>{ $model }</b>

    Persona: { $persona }
    This conversation: { $answers ->
        [one] { $answers } answer
       *[other] { $answers } answers
    }, <b>{ $spent }</b>
chat-settings-price =
    ≈ { $amount } for a usual answer
    <blockquote expandable>A usual answer means a question and an answer of about 200 words each. You pay only for what is used:
    { $input } per million tokens of the question,
    { $output } per million tokens of the answer.</blockquote>
chat-how = Write anything to get an answer. /new starts over, /retry repeats the last question.
chat-settings-group = In this group the settings are for everybody in the conversation. Only admins and the person who started the conversation can change them.
chat-new = A new conversation: the model no longer sees what was said before. The model and the settings stay.
chat-off = No text models are available at the moment. Try again later; other commands: /help
chat-model-off = <b>{ $model }</b> is switched off at the moment, so nothing was asked and nothing is charged. Choose another model, then ask again:
chat-paused = Answers are paused for a few minutes. Nothing was charged; try again soon or choose another model.
chat-unpriced = The price of this model is unknown at the moment. Choose another one: /model
chat-not-enough = There isn’t enough money: you’re <b>{ $missing }</b> short. Top up and try again; you pay only for what is used.
chat-held = Another answer is being written, and your money is set aside for it; what it doesn’t use comes back. Wait for it or stop it, then ask again.
chat-edited-part = The question came in several messages, so I can’t correct just one of them. Send the whole text again.

chat-short = Even for a brief answer you’re <b>{ $missing }</b> short. Top up, and I’ll offer to answer this very question; you pay only for what is used.
chat-unpaid = 💬 Now your balance is enough. Shall I answer?
chat-unreadable = I can read pictures, text files and PDF files that contain text. There is nothing I can read here. Save a Word document as PDF, a text as UTF-8, and send it again.
chat-unread-video = I can’t watch videos, so nothing was asked or charged. Describe it in words, quote the words you mean, or send a frame from it with your question.
chat-unread-sound = I can’t listen to sounds, so nothing was asked or charged. Write what it says, or quote the words you mean.
chat-not-taken = { $model } { $cannot }, so nothing was asked or charged. These models can: { $models }. Choose one with /model and send it again, or ask in words.
chat-not-taken-mode = { $model } { $cannot } while this is on: { $modes }. Nothing was asked or charged; switch it off with /model and send it again.
cannot-image = can’t see pictures
cannot-audio = can’t listen to sounds
cannot-pdf = can’t read a PDF without text
cannot-video = can’t watch videos
chat-no-file =
    { $kind ->
        [image] The picture couldn’t be read (at most { $max } MB), so nothing was asked or charged. Send it again, as a photo.
        [audio] The recording couldn’t be read (at most { $max } MB), so nothing was asked or charged. Send it again, or a shorter one.
       *[pdf] The file couldn’t be read (at most { $max } MB), so nothing was asked or charged. Send it again, or a smaller one.
    }
chat-too-long =
    { $kind ->
        [video] A question can have up to { $max } seconds of video: that’s the limit of this bot. Nothing was asked or charged; send a shorter one.
       *[audio] A question can have up to { $max } seconds of sound: that’s the limit of this bot. Nothing was asked or charged; send a shorter recording.
    }
file-forgotten = 🖼 I no longer see the picture or file from before. Reply to it with your question to show it again.
chat-unread-other = I can’t see what this is about, so nothing was asked or charged. Describe it in words, quote the words you mean, or send a picture, a text or a PDF with your question.
chat-unread-image = No model here can see pictures, so nothing was asked or charged. Ask without a picture.
chat-picture-format = Models can’t see this picture, so nothing was asked or charged: the format is unusual, or the file is broken or too large. Send a photo, or a file in JPEG, PNG, WebP, HEIC, AVIF, TIFF or GIF.
chat-daily-cap = You can spend { $most } a day; today you’ve used { $spent }. Ask again tomorrow.
chat-nothing-to-retry = There is nothing to repeat yet.
chat-stopping = Stopping
chat-not-written = This answer is no longer being written.
chat-not-yours = This is not your question.
chat-not-yours-to-change = In a group, only admins and the person who started the conversation can change it or start over.
chat-proposes = Here is a card. Check the price: nothing is made until you tap.
chat-stopped = Stopped before the first word; nothing was charged.
chat-broken = ⚠️ The answer broke off, so it is free. Write “continue” for the rest, or ask again.
chat-failed-refused = ❌ The model didn’t accept the question. Nothing was charged; ask differently or choose another model: /model
chat-failed-too-large = ❌ The question with its pictures is too large for the service. Nothing was charged; send a smaller picture or start a new conversation: /new
chat-failed-said = Details: “{ $said }”
chat-failed-unavailable = ❌ No answer came. Nothing was charged; try again.
chat-failed-empty = ❌ The model returned an empty answer. Nothing was charged; try again or rephrase.
chat-ended-length = ✂️ That’s as long as the model writes at once. Write “continue” for the rest.
chat-ended-chosen = ✂️ You chose short answers, so this one ends here. Write “continue” for the rest, or choose another length: /model
chat-ended-money = ✂️ The answer stops here: your balance or daily limit doesn’t cover a longer one. /topup, then write “continue”.
chat-ended-filter = ✂️ A content filter of the service cut the answer here, so it is free. Ask differently.
chat-ended-refusal = ✂️ The model refused to go on. Ask differently or choose another model: /model
chat-picture-lost = 🖼 There was a picture in the answer, but it couldn’t be loaded. Ask again to get a new one.
chat-failed-declined = ❌ The model refused to answer. Nothing was charged; ask differently or choose another model: /model
chat-failed-paused = ❌ Answers are paused for a few minutes. Nothing was charged; try again soon or choose another model.
chat-cost =
    This answer: { $amount } ({ $input } + { $output } tokens).
    Whole conversation: { $total }, answers: { $answers }.
chat-cost-estimate =
    This answer: { $amount } (about { $input } + { $output } tokens, counted by us).
    Whole conversation: { $total }, answers: { $answers }.
chat-cost-file = The picture or file from before was sent along; /new drops it.
refund-unsent = the answer couldn’t be sent
chat-mode-excludes = { $mode } is on. They don’t work together, so this is off now: { $off }.
chat-mode-without = While this is on, these can’t be sent: { $files }.
files-image = pictures
files-audio = voice messages
files-pdf = PDFs as they are
files-video = videos
chat-mode-without-cards = While this is on, the model doesn’t offer pictures, videos or songs to order.
chat-modes-lost = This model works without: { $modes }.
mode-thinking = 🧠 Thinking
mode-search = 🌐 Web search
mode-code = 🧮 Run code
depth-usual = ⏱ Thinking time: usual
depth-short = ⏱ Thinking time: short
depth-long = ⏱ Thinking time: long
creativity-usual = 🎨 Creativity: as usual
creativity-exact = 🎨 Creativity: stick to facts
creativity-free = 🎨 Creativity: free
length-usual = 📏 Answers: as long as usual
length-short = 📏 Answers: short
length-long = 📏 Answers: detailed
format-usual = 🗂 Answers as JSON: off
format-json = 🗂 Answers as JSON: on
