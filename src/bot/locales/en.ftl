# Everything a user reads, in English. Messages are Telegram HTML; buttons and alerts are plain text.

## Start and help

start =
    👋 Hello, { $name }!

    I make videos from a description, and there is more to come. You see the exact price before you order; when something fails, the money comes back by itself.

    { $commands }

    Balance: <b>{ $available }</b>. Top up: /topup
help =
    <b>What I can do</b>

    { $commands }
    /balance — what you can spend and what is held
    /topup 500 — top up the balance
    /settings — language
    /cancel — leave a question or a card

    <b>How it works</b>
    A command opens a card with the settings and the exact price. “Generate” holds that amount; it is taken only when the result is ready. If something fails, the hold is released.
help-video = /video a cat surfing — a video from a description
cancel-done = Cancelled. The card is gone, your money is untouched.
cancel-nothing = There is nothing to cancel. Start anew, for example: /video a cat surfing
unknown-command = There is no such command. All of them: /help
plain-talk =
    For now I answer to commands. For example:
    <code>/video a cat surfing</code>

    All commands: /help
went-wrong = Something broke on our side. Your money is safe; please try again.
stale-button = This button no longer works. Start anew: /help

command-video = A video from a description
command-balance = Balance
command-topup = Top up the balance
command-settings = Language
command-help = What I can do
command-cancel = Cancel

## Settings

settings = Язык / Language
settings-saved = Done, I speak English

## Balance and top-up

balance = Balance: <b>{ $available }</b>
balance-held = Held for orders in progress: { $held }
button-top-up-any = 💳 Top up
button-top-up = 💳 Top up { $amount }
topup-amounts =
    How much? From { $min } to { $max }.
    Write any other amount after the command: <code>/topup 750</code>
topup-how = How would you like to pay { $amount }?
topup-off = Top-ups are switched off at the moment. Please write to the operator of this bot.
topup-not-an-amount = I could not read the amount. Write a number of roubles, for example: <code>/topup 500</code>
topup-out-of-range = A top-up can be from { $min } to { $max }.
topup-done =
    ✅ <b>{ $credit }</b> added.
    Balance: <b>{ $available }</b>
topup-before = This payment was added before. Balance: <b>{ $available }</b>
topup-unmatched = A payment came in that fits no invoice. We did not add it on our own: please write to the operator and attach this message.
provider-stars = ⭐ Telegram Stars
provider-telegram-rub = 💳 Card
invoice-title = Balance top-up
invoice-description = { $credit } will be added to your balance.
invoice-label = Top-up of { $credit }
checkout-unknown = There is no such invoice. Make a new one: /topup
checkout-foreign = This invoice was made for somebody else. Make your own: /topup
checkout-wrong-amount = The amount differs from the invoice. Make a new one: /topup
checkout-already-paid = This invoice has been paid. Make a new one: /topup
checkout-off = This way of paying is switched off. Make a new invoice: /topup
checkout-unavailable = The invoice can not be checked right now. You were not charged; please try again in a minute.

## Card

card-title = { $modality ->
    [video] 🎬
    [image] 🖼
    [audio] 🎧
   *[other] 🧊
} <b>{ $name }</b>
card-price = Price: <b>{ $amount }</b> ({ $parts })
card-balance = Balance: { $available }
card-missing = Missing: { $missing }
card-not-offered = ⚠️ This model is not on sale at the moment.
card-unpriced = ⚠️ The price of this model is not known at the moment, so it can not be ordered. Your money is untouched.
card-closed = This card is closed. Start a new one, for example: /video a cat surfing
card-dropped = The card is gone
price-second = { $quantity } s × { $rate } ₽
price-character = { $quantity } chars × { $rate } ₽ / { $per }
price-image = { $quantity } × { $rate } ₽
price-request = { $rate } ₽
answer-none = —
answer-on = on
answer-off = off
answer-default = Back to the default
answer-cleared = Cleared
button-generate = Generate · { $amount }
button-models = 🎛 Model: { $name }
model-deprecated = { $name } (deprecated)
button-advanced = ⚙️ Advanced
button-back = ‹ Back
button-other = ✏️ Other…
button-clear = ↺ Default
button-drop = ✖ Cancel
stale-card = This card is not yours or is closed. Open your own: /video
stale-option = There is no such option any more. Choose from those on the card.

## Asking for one answer

ask =
    <b>{ $label }</b>
    { $hint }

    Write the answer as a message.
ask-text-please = I need text: as a message, or as a .txt file up to 64 KB if it is long. To leave: /cancel
button-stop-asking = ✖ Do not answer
asking-stopped = All right, I am not asking
refusal-too-long = Too long: { $length } characters, the limit is { $max }. Shorten it and send it again.
refusal-empty = At least one character is needed. Write the answer again.
refusal-not-a-number = I need a number, for example: 5. Write it again.
refusal-not-whole = I need a whole number. Write it again.
refusal-out-of-range = It can be from { $min } to { $max }. Write it again.
refusal-not-an-option = There is no such option. Choose one of those offered.

## Order

ordered = Order accepted
ordered-already = Already in progress
quote-outdated = The price or the settings have changed. Look at the card and confirm again.
sales-paused = Orders are paused for a little while. Your money is untouched; try again in a few minutes.
not-enough = <b>{ $missing }</b> is missing. Top up and press “Generate” on the same card: it has been kept.

## Status of a generation

status =
    { $title }
    { $state }
status-accepted = ⏳ Order accepted, { $amount } held
status-queued = 🕐 In the queue · { $elapsed }
status-processing = ⚙️ In progress · { $elapsed }
status-unknown = ⚠️ The gateway did not confirm the order. We wait a little longer; if it is not found, { $amount } comes back to your balance.
status-sending = 📦 Ready after { $elapsed }, sending
status-done = ✅ Done in { $elapsed } · { $charged } charged
status-done-partly = ✅ Partly done in { $elapsed } · { $charged } charged, { $back } returned
status-undelivered = ⚠️ Done, { $charged } charged, but the result could not be put into this chat. Write to the operator: it is kept.
status-failed = ❌ It did not work · { $amount } returned to your balance

## Result

result-caption =
    { $title }
    { $amount }
result-link = The file could not be passed to Telegram. Download it here, the link does not live long: { $url }
button-again = 🔁 Again
button-change = ✏️ Change
stale-result = This order can not be repeated: it is not yours, or the model is no longer on sale.

## Failure

failure =
    ❌ It did not work.
    { $title }
    { $reason }
    <b>{ $amount }</b> is back on your balance.
failure-said = <blockquote>{ $said }</blockquote>
failure-refused = The gateway did not accept the order. Change the prompt or the settings and try again.
failure-task-failed = The model could not do this one. Try again, or change the prompt.
failure-task-canceled = The order was cancelled on the model's side. Try again.
failure-empty = The model said it was ready but gave no file. Try again.
failure-lost = The gateway did not confirm the order in time. Try again.
failure-late = The model did not finish in the time allowed. Try again later.
failure-unavailable = The gateway is not available right now. Try again later.
failure-paused = Orders are paused for a little while. Try again in a few minutes.
