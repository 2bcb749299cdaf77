# What the bot says about money in groups.

start-group =
    👋 Hello, { $name }!

    I make { $things } right here in the group. You see the exact price before you order; when something fails, the money comes back by itself.

    Your balance and top-ups are in our private chat.
card-owner = 👤 Ordered and paid by <b>{ $name }</b>
short-in-group = { $name }, your balance is not enough for this. Top it up in our private chat, then come back: the card stays here.
short-in-group-chat = { $name }, your balance is not enough for an answer. Top it up in our private chat and ask again.
short-alert = You’re { $missing } short. Top up in our private chat, then press the button again: the card stays here.
cap-in-group = { $name }, you have reached your limit for 24 hours. Ask again later.
