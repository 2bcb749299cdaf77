# What the bot says about money in groups.

start-group =
    👋 Hello, { $name }!

    I make { $things } right here in the group. You see the exact price before you order; when something fails, the money comes back by itself.

    Your balance and top-ups are in our private chat.
help-group =
    <b>What I can do in this group</b>

    { $commands }
    /history — your orders from this group
    /wallet — the group wallet
    /cancel — cancel a question or a card

    <b>Who pays</b>
    { $payers }

    Your balance, top-ups, promo codes, presets and everything else are in our private chat.
help-chat-group = /chat why is the sky blue? — ask a text model; or mention { $bot }, or reply to one of my messages
payer-orders-own = Orders: whoever places them, from their own balance.
payer-orders-wallet = Orders: the group wallet.
payer-answers = Answers: whoever asks.
chat-how-group =
    To ask here, write <code>/chat your question</code>, mention { $bot } or reply to one of my messages. Whoever asks pays.

    /new starts over, /retry repeats your last question.
start-chat-group =
    💬 Write <code>/chat why is the sky blue?</code>, mention { $bot } or reply to one of my messages. Whoever asks pays.

    The model and its prices: /chat
anonymous-admin = 👤 You’re writing as the group, so I can’t see who orders and pays. Switch off “Remain anonymous” in your admin rights, or write to me in a private chat.
anonymous-channel = 👤 You’re writing as a channel, so I can’t see who orders and pays. Choose yourself as the sender, or write to me in a private chat.
card-owner = 👤 Ordered and paid by <b>{ $name }</b>
short-in-group = { $name }, your balance isn’t enough for this. Top it up in our private chat, then come back: the card stays here.
short-in-group-chat = { $name }, your balance isn’t enough for an answer. Top it up in our private chat and ask again.
short-alert = You’re { $missing } short. Top up in our private chat, then tap the button again: the card stays here.
cap-in-group = { $name }, you have reached your limit for today. Ask again tomorrow.
administrators-hidden = Telegram doesn’t tell me who the admins of this group are. Make me an admin and try again.
