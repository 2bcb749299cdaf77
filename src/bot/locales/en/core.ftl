# Everything a user reads, in English. Messages are Telegram HTML; buttons and alerts are plain text.

## Start and help

help =
    <b>What I can do</b>

    { $commands }
    { $money }
    /history — my orders: receipts, sending again
    /statement — all movements of money
    /promo — use a promo code, /invite — invite a friend
    /settings — language
    /cancel — leave a question or a card
    /support — help, /terms — terms, /privacy — personal data, /delete_me — delete it

    <b>How it works</b>
    A command opens a card with the settings and the exact price. “Generate” holds that amount; it is taken only when the result is ready. If something fails, the hold is released.
help-balance = /balance — what you can spend and what is held
help-topup = /topup 500 — top up the balance
help-image = /image a fox, watercolour — pictures from a description
help-video = /video a cat surfing — a video from a description or pictures
help-speech = /speech Good morning! — text as a voice message
help-dialogue = /dialogue — two voices read your script
help-music = /music a song about the sea — music, with or without words
help-model3d = /model3d a wooden chair — a 3D model
cancel-done = Cancelled. The card is gone, your money is untouched.
cancel-nothing = There is nothing to cancel. Start anew, for example: /video a cat surfing
unknown-command = There is no such command. All of them: /help
plain-talk =
    For now I answer to commands. For example:
    <code>/image a fox, watercolour</code>
    <code>/video a cat surfing</code>

    Or send me a picture, and I say what can be made of it.

    All commands: /help
went-wrong = Something broke on our side. Your money is safe; please try again.
too-fast = ⏳ That was too fast. Wait a few seconds and try again.
stale-button = This button no longer works. Start anew: /help
foreign-button = This button is not for you, or no longer works. Start anew: /help

command-image = Pictures from a description
command-video = A video from a description
command-speech = Text as a voice message
command-dialogue = Two voices read your script
command-music = Music and songs
command-model3d = A 3D model
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
topup-unmatched = A payment came in that fits no invoice. We did not add it on our own: please write to the operator and attach this message.
invoice-title = Balance top-up
invoice-description = { $credit } will be added to your balance.
invoice-label = Top-up of { $credit }
checkout-unknown = There is no such invoice. Make a new one: /topup
checkout-foreign = This invoice was made for somebody else. Make your own: /topup
checkout-wrong-amount = The amount differs from the invoice. Make a new one: /topup
checkout-already-paid = This invoice has been paid. Make a new one: /topup
checkout-off = This way of paying is switched off. Make a new invoice: /topup
checkout-unavailable = The invoice cannot be checked right now. You were not charged; please try again in a minute.

## Card

card-title = { $command ->
    [video] 🎬
    [image] 🖼
    [speech] 🗣
    [dialogue] 👥
    [music] 🎵
   *[model3d] 🧊
} <b>{ $name }</b>
card-price = Price: <b>{ $amount }</b>
card-price-of = Price: <b>{ $amount }</b> ({ $parts })
card-balance = Balance: { $available }
card-missing = Missing: { $missing }
card-not-offered = ⚠️ This model is not on sale at the moment.
card-unpriced = ⚠️ The price of this model is not known at the moment, so it cannot be ordered. Your money is untouched.
card-closed = This card is closed. Start a new one, for example: /video a cat surfing
card-dropped = The card is gone
card-contradiction = ⚠️ These settings contradict each other or those of the operator. Change the last one back.
card-incomplete = ❗️ Still needed: <b>{ $label }</b>
card-no-links = ⚠️ One of the files can only be passed on by a link, and this bot has no public address (the operator sets PUBLIC_URL). Take the file away to order.
card-files-too-large = ⚠️ The pictures have { $size } MB together, and one order takes { $most } MB. Take some away, or send them as photos, which Telegram compresses.
card-unreachable = <i>Not available until the operator gives the bot a public address (PUBLIC_URL): { $labels }</i>
price-second = { $quantity } s × { $rate } ₽
price-character = { $quantity } chars × { $rate } ₽ / { $per }
price-image = { $rate } ₽
price-request = { $rate } ₽
answer-none = —
answer-on = on
answer-off = off
answer-default = Back to the default
answer-cleared = Cleared
answers-dropped = No longer fits and was reset: { $labels }
answer-made-room = The text is long, so this was changed to make room — { $label }: { $value }
medium-image = 🖼
medium-video = 🎬
medium-audio = 🎵
frame-first = first
frame-last = last
button-generate = Generate · { $amount }
button-models = 🎛 Model: { $name }
model-deprecated = { $name } (deprecated)
button-advanced = ⚙️ More settings
button-back = ‹ Back
button-other = ✏️ Other…
button-more-files = 📎 Add more
button-enough = ✅ That is all
button-settings-first = ⚙️ Settings first
button-new-style = ➕ New style
button-clear = ↺ Default
button-remove = ✖ Remove
button-drop = ✖ Cancel
stale-card = This card is not yours or is closed. Open your own: /video
card-elsewhere = This is not the current card of your order. Use the last one.
stale-option = There is no such option any more. Choose from those on the card.

## Asking for one answer

ask =
    <b>{ $label }</b>
    { $hint }

    Write the answer as a message.
ask-text-please = I need text: as a message, or as a .txt file up to 64 KB if it is long. To leave: /cancel
button-stop-asking = ✖ Do not answer
ask-more-files = Taken: { $count } of { $max }. Send more, or press “That is all”.
file-uses = What shall I make of it?
file-not-used = This model does not take such files; I go on without it.
use-image = 🖼 A picture
use-video = 🎬 A video
use-speech = 🗣 Speech
use-dialogue = 👥 A dialogue
use-music = 🎵 Music
use-model3d = 🧊 A texture for a 3D model (words give the shape)
asking-stopped = All right, I am not asking
question-closed = This question has been answered or closed, or is for somebody else. Start anew: /help
refusal-too-long = Too long: { $length } characters, the limit is { $max }. Shorten it and send it again.
refusal-empty = At least one character is needed. Write the answer again.
refusal-not-a-number = I need a number, for example: 5. Write it again.
refusal-not-whole = I need a whole number. Write it again.
refusal-out-of-range = It can be from { $min } to { $max }. Write it again.
refusal-not-an-option = There is no such option. Choose one of those offered.
refusal-bad-format = I could not make sense of this. Write it again; here is the hint:
refusal-not-a-file = A file is needed here: send it into this chat.
refusal-needs-image = A picture is needed here. Send a photo or an image file.
refusal-needs-video = A video is needed here. Send a video.
refusal-needs-audio = A sound is needed here. Send a voice message or an audio file.
refusal-file-too-large = This file is too large: the limit is { $max } MB. Send a smaller one.
refusal-file-too-long = Too long: at most { $max } seconds. Send a shorter one.
refusal-too-few-pixels = The resolution is too low: at least { $min } pixels in all, about 1920 × 972. Send it as a file, without compression.
refusal-bad-frame = The caption says where the frame stands: “first”, “last” or its number. Send it again.
refusal-too-many-files = No more than { $max } files. To change them, take them away on the card first.
refusal-files-do-not-fit = This does not fit with what was sent before. Send something else; here is the hint:

## Custom styles

style-name = What shall the style be called? Write a name of up to { $max } characters. To leave: /cancel
style-pictures = Send one to { $max } pictures in the style you want, as photos. To leave: /cancel
style-under-way = 🎨 Making the style…
style-made = 🎨 The style “{ $name }” is ready and chosen. It stays under “Own style” for all your pictures.
style-refused =
    The gateway did not accept the pictures:
    <blockquote>{ $said }</blockquote>
    Try others.
style-unavailable = The style could not be made right now. Nothing was charged; try again later.

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
status-undelivered = ⚠️ Done, { $charged } charged, but the result could not be put into this chat. It is kept: get it in /history
status-failed = ❌ It did not work · { $amount } returned to your balance
status-late = 🎁 The result came after the refund · free of charge

## Result

result-seed = 🎲 Seed: { $seeds }
result-caption-late =
    { $title }
    🎁 It came after the refund, so it is free of charge.
result-link = The file could not be passed to Telegram. Download it here, the link does not live long: { $url }
result-too-large = The file is larger than Telegram takes. Download it here, the link does not live long: { $url }
result-lost =
    ⚠️ { $files ->
        [1] The file could not be fetched.
       *[other] { $lost } of { $files } files could not be fetched, { $sent } came.
    }
    { $title }
    { $reasons }
    <b>{ $amount }</b> is back on your balance.
result-lost-free =
    ⚠️ { $files ->
        [1] The file could not be fetched.
       *[other] { $lost } of { $files } files could not be fetched, { $sent } came.
    }
    { $title }
    { $reasons }
    { $late ->
        [yes] The order had been refunded before, nothing was charged.
       *[no] The price is for what has arrived.
    }
lost-line = — { $why }.
lost-line-numbered = — No. { $numbers }: { $why }.
lost-gone = there is no file at the link that the gateway gave
lost-refused = the server that has the file refused to give it
lost-not-a-file = the gateway’s link gave an error or nothing instead of a file
lost-unavailable = the server that has the file did not give it, however often it was asked
lost-forbidden = the gateway’s link leads to an address that we do not open
refund-lost = the file could not be fetched
button-again = 🔁 Again
button-change = ✏️ Change
button-again-exactly = 🎯 Again exactly like this
button-continue-video = ▶️ Continue this video
button-originals = 📄 Originals
originals-coming = The originals are coming
originals-gone = { $gone ->
    [one] One original is no longer kept by the gateway.
   *[other] { $gone } originals are no longer kept by the gateway.
} What is in the chat stays.
originals-away = { $away ->
    [one] One original could not be fetched just now.
   *[other] { $away } originals could not be fetched just now.
} Try again later.
stale-result = This order cannot be repeated: it is not yours, or the model is no longer on sale.

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
failure-late = The model did not finish in the time allowed. Try again later. If this result still comes within a day, you get it free of charge.
failure-unavailable = The gateway is not available right now. Try again later.
failure-paused = Orders are paused for a little while. Try again in a few minutes.
failure-no-file = A file you sent is no longer there. Send it again.
