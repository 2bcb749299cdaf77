# The user's account: the statement, promo codes, invitations, one's data and its deletion.

private-answered = 🔒 This is between you and me: I answered in our private chat.
private-first = 🔒 This is between you and me. Open our private chat and press “Start”: I’ll answer there.
private-only-short = Only in the private chat
button-private-chat = Open the private chat

## Statement

statement = 📒 <b>Statement</b>: the latest entries, { $shown } of { $total }. Times are Moscow times.
statement-empty = Nothing here yet. Top up: /topup
statement-line = { $date } · { $what }: <b>{ $change }</b> → { $available }
statement-charged = { $date } · { $what }: { $amount }, balance unchanged → { $available }
statement-hold = Set aside for an order
statement-capture = Charged for an order
statement-release = Came back unused
statement-deposit = Top-up
statement-welcome = Welcome credit
statement-invited = Gift for coming by an invitation
statement-promo = Promo code
statement-referral = For an invited friend
statement-referral-back = Bonus for a friend taken back: their payment was refunded
statement-bonus = Bonus for a top-up
statement-bonus-back = Bonus taken back with a refunded payment
statement-refund-order = Refund of an order
statement-refund-payment = Refund of a payment
statement-given = Added by the operator
statement-taken = Deducted by the operator
statement-order = Order · { $name }
statement-answer = Answer · { $name }
statement-answers = { $answers } answers
statement-model-gone = a model that is no longer sold
csv-date = Date and time (Moscow)
csv-what = Operation
csv-change = Change of balance, ₽
csv-balance = Balance after, ₽
csv-held = Set aside after, ₽
csv-amount = Amount, ₽
csv-model = Model
csv-order = Order no.
csv-top-up = Top-up no.
csv-note = Note

## Promo codes

promo = What’s your promo code? Send it in a message.
promo-done =
    🎁 <b>{ $amount }</b> added.
    { $balance }
promo-unknown = There is no such promo code. Check it for typos.
promo-expired = This promo code has expired.
promo-used-up = This promo code has no uses left.
promo-used-before =
    You have already used this promo code: <b>{ $amount }</b> was added. It works once per person.
    { $balance }
promo-waiting = Another code is waiting for your next top-up: <code>{ $code }</code>. Use it first, then send this one.
promo-returned = This promo code came out before you deleted your data. We no longer know whether you used it, so it won’t work for you.
promo-too-many = { $most } wrong codes in a row. Try again in an hour.

## Invitations

invite =
    👋 Invite friends with your own link:
    { $link }

    When a friend you invited tops up for the first time, you get <b>{ $bonus }</b>.
invite-without-bonus =
    👋 Your link for friends:
    { $link }
invite-percent = You get <b>{ $percent }%</b> of every top-up your friends make.
invite-percent-first = You get <b>{ $percent }%</b> of { $payments ->
    [one] the first top-up
   *[other] the first { $payments } top-ups
} of every friend.
invite-friend = A friend who joins with your link gets <b>{ $bonus }</b>.
invite-came = Joined with your link: { $came }, yet to top up: { $waiting }. Earned: { $earned }
invite-paid = 🎁 A friend you invited has topped up, and you get <b>{ $bonus }</b>. Thank you!
invite-refunded =
    ↩️ The payment of a friend you invited was refunded, so the bonus of <b>{ $bonus }</b> was taken off your balance.
    { $balance }
button-share = Share

## One's data

export = 📄 Everything we store about you: profile, orders, payments, top-ups and charges. JSON, amounts in kopecks.
button-export = 📄 Download my data
forget =
    <b>Deleting your data</b>

    Everything about you is erased: name, language, e-mail address, prompts and settings of orders, links to results, conversations. Records of money stay, with the reasons of refunds and corrections but without your name: accounting requires them.

    We keep one thing: a hash of your Telegram ID, which shows that you may have had the welcome credit and promo codes and, until the end of the day, that you may have reached your limit in group wallets. Without the bot’s key it cannot identify you.

    Please delete the messages of this chat yourself: a bot cannot erase old ones.

    Download your data first if you need it.
forget-balance =
    ⚠️ There is <b>{ $available }</b> { $where ->
        [wallets] on your balance and in your group wallets
       *[balance] on your balance
    }. It will be lost with your data and won’t come back by itself. To get it back, write to support first ({ $contact }).
button-forget = 🗑 Continue
button-keep = Don’t delete
forget-really = <b>Really delete?</b> Neither you nor we can bring the data back. The button works for 10 minutes.
button-forget-really = 🗑 Yes, delete for good
forget-kept = All right, nothing was deleted
forget-stale = This button has expired. Start again: /delete_me
forgotten = Your data is deleted. If you write again, we’ll start from scratch.
forget-live = You have orders in progress, or money set aside for them. Wait until they are done (see /history) and try again: /delete_me
forget-paying = You have an unfinished payment. While it can still be paid, your data can’t be deleted: the money would arrive with nobody to give it to.
forget-paying-line = • { $amount } on the payment page: closes by itself, at the latest { $until }
forget-paying-then = Changed your mind? Just don’t pay: nothing is charged. The page usually closes within an hour, and I’ll let you know. Then repeat: /delete_me
forget-refunding = A payment of yours is being refunded, and the payment service hasn’t confirmed it yet. If your data were deleted now, the money might not reach you. It usually takes a few hours at most, and I’ll let you know. Then repeat: /delete_me. If it takes longer, where to write: { $contact }
forget-banned = Your access is restricted, so the operator deletes your data. Where to write: { $contact }
forget-owing = You owe <b>{ $owed }</b>: money was refunded or taken back after it had been spent. Your data can be deleted once the debt is paid: /topup, then repeat /delete_me. If you think the debt is a mistake, or cannot pay it, where to write: { $contact }
forget-gone = Your data is already deleted.
