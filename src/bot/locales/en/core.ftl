# Everything a user reads, in English. Messages are Telegram HTML; buttons and alerts are plain text.

## Start and help

help =
    <b>What I can do</b>

    { $commands }
    { $money }
    /prices — what each model costs
    /history — your orders, /favourites — your favourites
    /presets — your presets
    /wallet — a wallet for your group
    /statement — every top-up and charge
    /promo — use a promo code, /invite — invite a friend
    /settings — language, usual models and shape, news
    /new — a new conversation
    /cancel — cancel a question or a card
    /support — help, /paysupport — questions about payments, /terms — terms, /privacy — personal data, /export — get it, /delete_me — delete it

    <b>How it works</b>
    A command opens a card with the settings and the exact price. You pay only when the result is ready. If something fails, your money comes back by itself.
help-balance = /balance — what you have left
help-topup = /topup 500 — top up the balance
help-image = /image a fox, watercolour — pictures from a description
help-video = /video a cat surfing — a video from a description or pictures
help-speech = /speech Good morning! — text as a voice message
help-dialogue = /dialogue — two voices read your script
help-music = /music a song about the sea — music, with or without words
help-model3d = /model3d a wooden chair — a 3D model
cancel-nothing = Nothing to cancel. Start something new, for example: /video a cat surfing
unknown-command = I don’t know this command. All commands: /help
similar-command = I don’t know this command. Did you mean /{ $command }? All commands: /help
plain-talk =
    For now I answer to commands. For example:
    <code>/image a fox, watercolour</code>
    <code>/video a cat surfing</code>

    Or send me a picture, and I’ll tell you what I can make of it.

    All commands: /help
other-content = I can’t do anything with this yet. Send me text, a picture, a video, a sound or a document. All commands: /help
went-wrong = Something went wrong on our side. Your money is safe; please try again.
too-fast = ⏳ Too fast. Wait a few seconds and try again.
stale-button = This button no longer works. Start again: /help
foreign-button = This button is not yours or no longer works. Start again: /help

command-image = Pictures from a description
command-video = A video from a description
command-speech = Text as a voice message
command-dialogue = Two voices read your script
command-music = Music and songs
command-model3d = A 3D model
command-prices = Prices
command-balance = Balance
command-settings = Settings
command-help = What I can do
command-cancel = Cancel

## Settings

settings = Язык / Language
settings-saved = Done, I’ll speak English
settings-default-saved = Done: new cards open like this
settings-private =
    ⚙️ <b>Settings</b> · Язык / Language

    Which model and shape should a new card open with? “Auto” leaves it to the bot. A preset keeps all settings at once: /presets
    The model for answers: /chat, its role: /persona
button-words-ask = ✍️ Words alone: ask me
button-words-answer = ✍️ Words alone: answer
words-now-ask = I’ll ask what to make
words-now-answer = I’ll answer at once; the price is below the answer
button-default-model = { $kind }, model: { $name }
button-default-shape = { $kind }, shape: { $name }
default-usual-model = auto
default-usual-shape = auto
button-own-news-on = 🔔 News: on
button-own-news-off = 🔕 News: off

## Balance and top-up

balance = Balance: <b>{ $available }</b>
balance-owed = You owe <b>{ $owed }</b>: your next top-ups cover it first
missing-with-debt = { $missing } ({ $owed } of it is a debt)
balance-held = Set aside for orders in progress: { $held }
button-top-up-any = 💳 Top up
button-top-up = 💳 Top up { $amount }
topup-amounts =
    How much? From { $min } to { $max }.
    Or just write another amount, for example: <code>750</code>
topup-steps = 🎁 A bonus on top: { $steps }.
topup-step = { $percent }% on { $from } or more
topup-bonus = 🎁 A bonus of <b>{ $bonus }</b> comes on top.
code-adds = 🎁 Code <code>{ $code }</code>: your next top-up gets { $percent }% more, up to { $most }.
code-until = Valid until { $until }.
topup-how = How would you like to pay { $amount }?
topup-off = Top-ups are unavailable at the moment. Please write to support: /support
topup-not-an-amount =
    I couldn’t read the amount. Write the number of roubles, from { $min } to { $max }, with kopecks if you like: <code>1500</code> or <code>1500.50</code>
topup-out-of-range = { $amount } is outside the limits. You can top up from { $min } to { $max }.
topup-too-many-links = You already have { $most } unpaid payment links. Pay by one of them above, or wait: an unpaid link usually expires within an hour.
topup-done =
    ✅ <b>{ $credit }</b> added.
    { $balance }
topup-done-bonus =
    ✅ <b>{ $credit }</b> added, with a bonus of <b>{ $bonus }</b>.
    { $balance }
bonus-given =
    🎁 A bonus of <b>{ $bonus }</b> for your top-up is on your balance.
    { $balance }
topup-unmatched = Your payment arrived, but I can’t tell what it is for, so it isn’t on your balance yet. Please write to support (/support) and forward this message.
invoice-title = Balance top-up
invoice-description = { $credit } will be added to your balance.
invoice-description-bonus = { $credit } and a bonus of { $bonus } will be added to your balance.
invoice-label = Top-up of { $credit }
checkout-unknown = This invoice does not exist. Make a new one: /topup
checkout-foreign = This invoice was made for someone else. Make your own: /topup
checkout-wrong-amount = The amount differs from the invoice. Make a new one: /topup
checkout-outdated = This invoice is out of date: the price or the bonus has changed. Make a new one: /topup
checkout-already-paid = This invoice has already been paid. Make a new one: /topup
checkout-off = This payment method is unavailable. Make a new invoice: /topup
checkout-unavailable = We couldn’t check the invoice just now. You were not charged; try again in a minute.

## Card

card-title = { $command ->
    [video] 🎬 Video · <b>{ $name }</b>
    [image] 🖼 Picture · <b>{ $name }</b>
    [speech] 🗣 Speech · <b>{ $name }</b>
    [dialogue] 👥 <b>{ $name }</b>
    [music] 🎵 <b>{ $name }</b>
   *[model3d] 🧊 <b>{ $name }</b>
}
card-price = Price: <b>{ $amount }</b>
card-price-of = Price: <b>{ $amount }</b> ({ $parts })
price-with-speech = video { $own } + voice { $speech }
spoken-words = “{ $words }”
card-balance = Balance: { $available }
card-missing = You’re { $missing } short
card-not-offered = ⚠️ This model is unavailable at the moment.
card-unpriced = ⚠️ The price of this model is unknown at the moment, so it cannot be ordered yet.
card-closed = This card is closed. Start a new one, for example: /video a cat surfing
card-dropped = Card closed
card-contradiction = ⚠️ These settings don’t go together. Change the last one back.
card-incomplete = ❗️ Still needed: <b>{ $label }</b>. { $how ->
    [write] Write it here, or tap its button.
    [reply] Write it in a reply to this card, or tap its button.
   *[tap] Tap its button.
}
card-no-links = ⚠️ One of the files can’t be passed to the model right now. To order, remove it or replace it with a direct link.
card-files-too-large = ⚠️ The pictures are { $size } MB together, and one order takes { $most } MB. Remove some, or send them as photos: Telegram makes those smaller.
price-second = { $quantity } s × { $rate }
price-character = { $quantity } chars × { $rate } per { $per } chars
price-image = { $rate }
price-request = { $rate }
answer-on = on
answer-off = off
answer-default = Back to the default
answer-cleared = Cleared
answers-dropped = No longer fits, so I reset it: { $labels }
answers-lowered = More isn’t possible here, so now: { $settings }
answer-made-room = That’s too long for a description, so “{ $label }” is now { $value }. Not what you meant? Change it back on the card.
medium-image = 🖼
medium-video = 🎬
medium-audio = 🎵
frame-first = first
caption-sound = voice
caption-first = first start opening
caption-last = last end final
caption-frame = frame picture photo this is the a it as
frame-last = last
button-generate = Generate · { $amount }
button-models = 🎛 Model: { $name }
model-english-only = { $name } · English only
button-advanced = ⚙️ More
button-back = ‹ Back
button-other = ✏️ Other…
button-more-files = 📎 Add more
button-enough = ✅ That’s all
button-settings-first = ⚙️ Settings first
button-new-style = ➕ New style
button-clear = ↺ Default
button-remove = ✖ Remove
button-drop = ✖ Close
stale-card = This card is not yours or is closed. Open your own with a command, for example /image
card-elsewhere = This is an old card. Use the last one.
stale-option = This option is no longer available. Choose one from the card.

## Asking for one answer

ask =
    <b>{ $label }</b>
    { $hint }

    Write the answer as a message.
ask-in-group = { $person }, reply to this message.
ask-text-please = I need text: a message, or a file: .txt of up to 64 KB, or PDF. Cancel: /cancel
words-please = Now I need the words: just write them here. Cancel: /cancel
button-stop-asking = ✖ Cancel
ask-more-files = Got it: { $count } of { $max }. Send more, or tap “That’s all”.
file-uses = What should I make from it?
use-image = 🖼 A picture
use-video = 🎬 A video
use-speech = 🗣 Speech
use-dialogue = 👥 A dialogue
use-music = 🎵 Music
use-model3d = 🧊 3D texture
use-animate = 🎬 Animate the photo
use-change = 🎬 Change it by words
use-talk = 🗣 Make it talk
button-like-picture = 🖼 Something like it · ≈ { $amount }
describe-picture = Describe this picture
asking-stopped = Question cancelled
question-closed = This question is answered, closed or not yours. Start again: /help
refusal-too-long = Too long: { $length } characters, the limit is { $max }. Shorten it and send it again.
refusal-empty = I need a few words here. Write them again.
refusal-not-a-number = I need a number. { $hint } Write it again.
refusal-unclear-number = I couldn’t read the number. Write it like 1500 or 1.5.
refusal-not-whole = I need a whole number. Write it again.
refusal-out-of-range = It must be from { $min } to { $max }, and this is { $value }. Write it again.
refusal-below-least = It must be at least { $min }. Write it again.
refusal-too-many-tokens = The text is too long for this model: about { $tokens } tokens by our estimate, at most { $max }. Shorten it and send it again.
refusal-not-an-option = There is no such option. Choose one of those offered.
refusal-bad-format = This doesn’t fit. { $hint } Write it again.
refusal-not-a-file = I need a file here: send it to this chat.
refusal-needs-image = I need a picture here. Send a photo, an image file or a direct link to one.
refusal-needs-video = I need a video here. Send a video or a direct link to one.
refusal-needs-audio = I need a sound here. Send a voice message, an audio file or a direct link to one.
refusal-needs-link = I can’t pass the file itself on right now. Put it online where anyone can open it, and send me a direct link.
refusal-needs-address = A file ID won’t work here. Send a picture or a direct link to one.
refusal-one-link = Send one link per message.
refusal-link-not-public = I can’t take this link: it isn’t on the open internet, or it has a key in it. Put the file where anyone can open it and send that link, or send the file itself, up to 20 MB.
refusal-link-unreachable = The file at this link didn’t open. Check that it opens in a browser without signing in and send it again, or send the file itself, up to 20 MB.
refusal-link-not-media = This link opens a page or another file. I need a direct link to a picture, a video or a sound: one that opens the file itself.
refusal-file-too-large = This file is too large: the limit is { $max } MB. Send a smaller one.
refusal-file-too-long =
    Too long: at most { $max ->
        [one] { $max } second
       *[other] { $max } seconds
    }. Send a shorter one.
refusal-picture-format = Models can’t see this picture: the format is unusual, or the file is broken or too large. Send a photo, or a file in JPEG, PNG, WebP, HEIC, AVIF, TIFF or GIF.
refusal-too-few-pixels = The resolution is too low: at least { $min } pixels are needed, for example 1920 × 1080. Send a larger video. If the original is larger, send it as a file: Telegram reduces what is sent as a video.
refusal-bad-frame = The caption says where the frame goes: “first”, “last” or its number. Send it again.
refusal-too-many-files =
    No more than { $max ->
        [one] { $max } file
       *[other] { $max } files
    }. To replace them, first clear the field on the card.
refusal-files-do-not-fit = It doesn’t go with what you sent before. { $hint } Send something else.

## Custom styles

style-name = Name of the style? Up to { $max } characters. Cancel: /cancel
style-pictures = Send one to { $max } pictures in the style you want, as photos. Cancel: /cancel
style-under-way = 🎨 Making the style…
style-made = 🎨 The style “{ $name }” is ready and selected for this picture. For others: “More” → “My style”.
style-refused = These pictures weren’t accepted. Try others.
style-unavailable = The style couldn’t be made right now. You were not charged; try again later.

## Order

ordered = Order accepted
ordered-already = Already in progress
quote-outdated = The price or the settings have changed. Check the card and confirm again.
sales-paused = Orders are paused for a few minutes. Nothing was charged; try again soon or choose another model.
not-enough = You’re <b>{ $missing }</b> short. Top up and tap “Generate” on the same card: it is still there.

## Status of a generation

status =
    { $title }
    { $state }
status-accepted = ⏳ Starting · { $amount }
waiting-voice = 🗣 First I record the voice, then I make the video
status-queued = 🕐 In the queue
status-unknown = ⚠️ The service hasn’t confirmed the order yet. I’ll wait a little longer; if it doesn’t, you get { $amount } back.
status-sending = 📦 Ready in { $elapsed }, sending
status-sending-again = 📦 Ready, but it couldn’t be sent yet. Trying again; you don’t have to do anything.

status-image = 🎨 Drawing
status-video = 🎬 Filming
status-audio = 🎙 Recording
status-object3d = 🧊 Sculpting
status-other = ⚙️ Working on it
status-done =
    ✅ { $elapsed ->
        [none] Done
       *[other] Done in { $elapsed }
    } · { $charged } charged
status-done-partly =
    ✅ { $elapsed ->
        [none] Partly done
       *[other] Partly done in { $elapsed }
    } · { $charged } charged, { $back } returned
status-undelivered = ⚠️ Done, { $charged } charged, but I couldn’t deliver the result to this chat. It is kept: get it in /history
status-failed = ❌ Something went wrong · { $amount } is back on your balance
status-late = 🎁 The result came after the refund · free of charge

## Result

receipt-seed = 🎲 Seed: { $seeds }
result-caption-late =
    { $title }
    🎁 It arrived after the refund, so it is free of charge.
result-link = I couldn’t send the file through Telegram. Download it here, the link expires soon: { $url }
result-too-large = The file is larger than Telegram allows. Download it here, the link expires soon: { $url }
result-lost =
    ⚠️ { $files ->
        [1] The file couldn’t be fetched.
       *[other] { $lost } of { $files } files couldn’t be fetched, { $sent } arrived.
    }
    { $title }
    { $reasons }
    <b>{ $amount }</b> is back on your balance.
result-lost-free =
    ⚠️ { $files ->
        [1] The file couldn’t be fetched.
       *[other] { $lost } of { $files } files couldn’t be fetched, { $sent } arrived.
    }
    { $title }
    { $reasons }
    { $late ->
        [yes] The order had been refunded before, so nothing was charged.
       *[no] You paid only for what arrived.
    }
lost-line = — { $why }.
lost-line-numbered = — No. { $numbers }: { $why }.
lost-gone = there is no file at the link we were given
lost-refused = the server with the file refused to give it
lost-not-a-file = the link we were given leads to an error or to nothing
lost-unavailable = the server with the file did not respond, even after many tries
lost-forbidden = the link we were given leads to an address that we do not open
refund-lost = the file couldn’t be fetched
button-again = 🔁 Again
button-change = ✏️ Change
button-again-exactly = 🎯 Again with the same seed
button-continue-video = ▶️ Continue this video
button-originals = 📄 Originals
originals-coming = The originals are on their way
originals-gone = { $gone ->
    [one] One original is no longer stored.
   *[other] { $gone } originals are no longer stored.
} What is in the chat stays.
originals-away = { $away ->
    [one] One original couldn’t be fetched just now.
   *[other] { $away } originals couldn’t be fetched just now.
} Try again later.
stale-result = This order can’t be repeated: it is not yours, or the model is no longer available.

## Failure

failure =
    ❌ Something went wrong.
    { $title }
    { $reason }
    <b>{ $amount }</b> is back on your balance.
failure-said =
    Details:
    <blockquote expandable><code>{ $said }</code></blockquote>
failure-refused = The model didn’t accept the order. Change the description or the settings and try again.
failure-task-failed = The model couldn’t do this one. Try again, or change the description.
failure-task-ended = The model couldn’t do this one. Try again, or change the description. If the result still arrives within a day, you’ll get it free of charge.
failure-task-canceled = The order was cancelled on the model’s side. Try again.
failure-empty = The model said it was ready but sent no file. Try again.
failure-lost = The service didn’t confirm the order in time. Try again.
failure-late = The model ran out of time. Try again later. If the result still arrives within a day, you’ll get it free of charge.
failure-unavailable = The service is unavailable right now. Try again later.
failure-paused = Orders are paused for a few minutes. Try again soon or choose another model.
failure-no-file = A file you sent is no longer available. Send it again.
failure-no-voice = The words couldn’t be voiced, so the video wasn’t made.
failure-too-large = The order with its pictures is too large for the service. Send smaller pictures, or send them as photos: Telegram makes those smaller.
