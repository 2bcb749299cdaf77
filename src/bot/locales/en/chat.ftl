# Talking to a text model.

help-chat = /chat — talk to a text model, or just write to me
command-chat = BotConversation to a text model
command-new = A new conversation
button-chat-retry = 🔁 Again
button-chat-stop = ⏹ Stop
button-persona-off = ✖ Take the persona away
chat-writing = ✍️ …
chat-thinking = How it thought
chat-sources = Sources
chat-payer = { $amount } · { $name }
chat-settings =
    💬 <b>{ $model }</b>
    { $input } ₽ / { $output } ₽ for a million tokens, question / answer

    Persona (/system): { $persona }
    This conversation: { $answers ->
        [one] { $answers } answer
       *[other] { $answers } answers
    }, <b>{ $spent }</b>

    Write anything, and it answers. /new starts over, /retry asks the last question again.
chat-new = A new conversation. What was said before is no longer sent along; the model and the settings stay.
chat-off = There is no text model on sale at the moment.
chat-paused = Answers are paused for a little while. Your money is untouched; try again in a few minutes.
chat-unpriced = The price of this model is not known at the moment. Choose another one: /model
chat-not-enough = An answer could cost more than you have: <b>{ $missing }</b> is missing. Top up and ask again; only what is used is taken.
chat-unreadable = I can read pictures, text and PDF files with text in them. There is nothing here that I can read.
chat-blind = { $model } cannot see pictures, so nothing was asked or charged. These models can: { $models }. Choose one with /model and send it again, or ask without a picture.
chat-blind-all = { $model } cannot see pictures, and no other model here can. Nothing was asked or charged; ask without a picture.
chat-blind-mode = { $model } cannot see pictures while this is on: { $modes }. Nothing was asked or charged; switch it off with /model and send the picture again.
chat-no-picture = The picture could not be read (at most { $max } MB), so nothing was asked or charged. Send it again, as a photo.
chat-daily-cap = The limit is { $most } within 24 hours, and { $spent } are spent or held. Ask again later.
chat-nothing-to-retry = There is nothing to ask again yet.
chat-stopping = Stopping
chat-not-yours = This is not your question.
chat-not-yours-to-change = In a group only who began the conversation and administrators can change it or start over.
chat-system-how =
    Write who the model shall be, up to { $max } characters, after the command:
    <code>/system You are a patient teacher of physics</code>
chat-proposes = Here is a card for it. Look at the price: nothing is made without your tap.
chat-stopped = Stopped before the first word; nothing was charged.
chat-broken = ⚠️ The answer broke off. Only what is shown was charged.
chat-failed-refused = ❌ The gateway did not accept the question: { $said } Nothing was charged.
chat-failed-unavailable = ❌ No answer came. Nothing was charged; try again.
chat-failed-empty = ❌ The model answered with nothing. Nothing was charged; try again or ask otherwise.
chat-failed-paused = ❌ Answers are paused for a little while. Nothing was charged; try again in a few minutes.
chat-cost =
    This answer: { $amount } ({ $input } + { $output } tokens).
    The conversation: { $total }, answers: { $answers }.
chat-cost-estimate =
    This answer: { $amount } (about { $input } + { $output } tokens, counted by us).
    The conversation: { $total }, answers: { $answers }.
refund-unsent = the answer could not be sent
chat-mode-excludes = { $mode } is on. They do not work together, so this is off now: { $off }.
chat-mode-without-pictures = While this is on, pictures cannot be sent.
chat-mode-without-cards = While this is on, the model does not propose pictures, videos or songs to order.
chat-modes-lost = This model answers without: { $modes }.
mode-thinking = 🧠 Thinking
mode-search = 🌐 Web search
mode-code = 🧮 Running code
