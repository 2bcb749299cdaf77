# The wallet of a group: /wallet.

command-wallet = Group wallet
wallet-none = 👛 This group has no wallet. An admin can open one: /wallet
wallet-offer =
    👛 <b>Group wallet</b>

    You top it up from your balance, and members order from it, each within a daily limit. You can take the rest back at any time.
wallet-opened = 👛 The group wallet is open, <b>{ $name }</b> pays. Top it up and set limits in our private chat.
wallet-of-group = 👛 <b>Group wallet</b>: <b>{ $owner }</b> pays for the members’ orders
wallet-on = 👛 <b>{ $title }</b> · on
wallet-off = 👛 <b>{ $title }</b> · off
wallet-rest = Left: <b>{ $available }</b>
wallet-held = In progress: { $held }
wallet-cap = Each member: up to { $cap } a day
wallet-no-cap = Each member: no daily limit
wallet-caps = 👛 <b>{ $title }</b>: how much may each member spend from the wallet in a day? The limit does not apply to you. A member who has reached it can pay from their own balance. Tap a limit, or write another number of roubles.
wallet-settings =
    Only you manage the wallet. What the buttons do:
    • + an amount: money moves from your balance into the wallet, for members’ orders in the group
    • Limit per member: how much each of them may spend in a day; it does not apply to you
    • Switch off: everybody pays for their own orders, and the money stays in the wallet
    • Take the rest back: what is left returns to your balance
wallet-who-changes = Only its owner tops up the wallet and changes the limit, in the private chat with me
wallet-own = Add from your balance ({ $available }):
wallet-not-chat = Chat answers are paid by whoever asks; orders can also be paid from one’s own balance
wallet-short = Your balance is <b>{ $missing }</b> short. After the payment, one tap moves the money into the wallet.
wallet-fund = 👛 Move the money into the wallet of <b>{ $title }</b>?
wallet-members = Spent in { $days } days:
wallet-member = • { $name } — { $spent } · { $orders ->
    [one] { $orders } order
   *[other] { $orders } orders
}
wallet-nobody = Nothing was spent from the wallet in { $days } days.
wallets = 👛 The wallets of your groups:
wallets-none = 👛 You have no group wallet. Add me to a group and write /wallet there
wallet-not-admin = Only an admin of the group can open a wallet.
wallet-not-admin-now = You are no longer an admin of this group, or the bot isn’t in it.
wallet-other = Another wallet is already on in this group.
wallet-filled = { $amount } added to the wallet
wallet-emptied = { $amount } is back on your balance
wallet-off-notice = 👛 A group wallet is switched off: you or the bot are no longer in the group. <b>{ $rest }</b> is left in it. Take it back: /wallet
button-wallet-open = Open a wallet
button-wallet-manage = Top up and set up
button-wallet-cap = Limit per member
button-wallet-no-cap = No limit
button-wallet-off = ⏸ Switch off
button-wallet-on = ▶️ Switch on
button-wallet-top-up = 💳 Top up my balance
button-wallet-fund = 👛 Move { $amount }
button-wallet-back = ↩️ Take the rest back
statement-fund = To a group wallet
statement-take-back = From a group wallet
card-owner-wallet = 👤 Ordered by <b>{ $name }</b>, paid from the group wallet
card-wallet-rest = 👛 In the wallet: { $available }
card-wallet-rest-cap = 👛 In the wallet: { $available } · this member’s limit: { $left } left of { $most } for today
card-wallet-short = 👛 The group wallet can’t pay for this: it has { $available }
card-wallet-cap = 👛 The group wallet can’t pay for this: { $left } is left of this member’s limit, { $most } a day
card-wallet-not-member = 👛 The group wallet pays only for members of the group
card-wallet-member-unknown = 👛 Telegram doesn’t tell me whether this person is a member of the group, so the group wallet doesn’t pay
button-pay-own = 👤 Pay from my balance
button-pay-group = 👛 Pay from the group wallet
status-accepted-wallet = ⏳ Starting · { $amount } from the group wallet
receipt-wallet = Paid from the group wallet
order-payer-changed = This order is paid from another balance now. Check the card and confirm.
order-wallet-off = The group wallet is off. Tap “Pay from my balance”.
order-wallet-short = There is not enough in the group wallet. You can pay from your own balance.
order-wallet-cap = Your limit in the group wallet is { $most } a day, { $left } is left for today. You can pay from your own balance.
order-not-member = The group wallet pays only for members of the group. Join the group, or pay from your own balance.
order-member-unknown = Telegram doesn’t tell me whether you’re a member of this group. Try again in a minute; if that doesn’t help, ask for me to be made an admin. You can pay from your own balance.
status-failed-wallet = ❌ Something went wrong · { $amount } is back in the group wallet
status-unknown-wallet = ⚠️ The service hasn’t confirmed the order yet. I’ll wait a little longer; if it doesn’t, { $amount } goes back to the group wallet.
failure-wallet =
    ❌ Something went wrong.
    { $title }
    { $reason }
    <b>{ $amount }</b> is back in the group wallet.
result-lost-wallet =
    ⚠️ { $files ->
        [1] The file couldn’t be fetched.
       *[other] { $lost } of { $files } files couldn’t be fetched, { $sent } arrived.
    }
    { $title }
    { $reasons }
    <b>{ $amount }</b> is back in the group wallet.
told-refund-wallet =
    ↩️ <b>{ $amount }</b> is back in the group wallet.
    { $title }
    Reason: { $reason }
status-withdrawn-wallet = ✖ Order cancelled · { $amount } is back in the group wallet
