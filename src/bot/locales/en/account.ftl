# The user's account: the statement, promo codes, invitations, one's data and its deletion.

command-statement = Statement of the balance
command-promo = Use a promo code
command-invite = Invite a friend
command-export = Download my data
command-delete_me = Delete my data
private-only = This is between you and me, so I answer in our private chat.
private-only-short = This is for the private chat only
button-private-chat = Open the private chat

## Statement

statement = 📒 <b>Statement</b>: the latest movements, { $shown } of { $total }. Times are Moscow times.
statement-empty = There have been no movements yet. Top up: /topup
statement-line = { $date } · { $what }: <b>{ $change }</b> → { $available }
statement-charged = { $date } · { $what }: { $amount }, balance unchanged → { $available }
statement-balance = Balance: <b>{ $available }</b>
statement-hold = Held for an order
statement-capture = Charged from what was held
statement-release = Returned from what was held
statement-deposit = Top-up
statement-welcome = Welcome credit
statement-promo = Promo code
statement-referral = For an invited friend
statement-refund-order = Refund of an order
statement-refund-payment = Refund of a payment
statement-given = Added by the operator
statement-taken = Taken by the operator
statement-answer = Answer · { $name }
statement-answers = { $answers } answers
statement-model-gone = a model that is no longer sold
csv-date = Date and time (Moscow)
csv-what = Operation
csv-change = Change of balance, ₽
csv-balance = Balance after, ₽
csv-held = Held after, ₽
csv-amount = Amount, ₽
csv-model = Model
csv-order = Order no.
csv-top-up = Top-up no.
csv-note = Note

## Promo codes

promo = Write the code after the command, for example: <code>/promo SUMMER</code>
promo-done =
    🎁 <b>{ $amount }</b> added.
    Balance: <b>{ $available }</b>
promo-unknown = There is no such promo code. Is there a typing mistake in it?
promo-expired = This promo code has expired.
promo-used-up = This promo code has been used as often as it could be.
promo-used-before = You have used this promo code before: it works once for everybody.
promo-returned = This promo code came out before you had your data deleted. Whether you used it cannot be known any more, so it does not work for you.
promo-too-many = Those were { $most } wrong codes. Try again in an hour.

## Invitations

invite =
    👋 Invite friends with your own link:
    { $link }

    When somebody you invited tops up for the first time, you get <b>{ $bonus }</b>.
invite-without-bonus =
    👋 Your link for friends:
    { $link }
invite-came = Came by your link: { $came }. Earned: { $earned }
invite-paid = 🎁 A friend of yours has topped up, and you get <b>{ $bonus }</b>. Thank you!
button-share = Share

## One's data

export = 📄 All that we keep about you: profile, orders, payments and movements of money. JSON, amounts in kopecks.
button-export = 📄 Download my data
forget =
    <b>Deleting your data</b>

    Everything that tells of you goes: name, language, e-mail address, prompts and settings of orders, links to results, conversations. Records of money stay without a name: accounting requires them.

    We keep one thing: an encrypted trace that tells that you may have had the welcome credit and promo codes. Nobody can be recognised by it.

    Please delete the messages of this chat yourself: a bot cannot erase old ones.

    Download your data first if you need it.
forget-balance =
    ⚠️ There is <b>{ $available }</b> on your balance. It will be lost with your data. To get it back, write to support first: { $contact }
button-forget = 🗑 Go on deleting
button-keep = Do not delete
forget-really = <b>Really delete?</b> Neither you nor we can bring the data back. The button works for 10 minutes.
button-forget-really = 🗑 Yes, delete for good
forget-kept = All right, nothing was deleted
forget-stale = This button is out of date. Begin again: /delete_me
forgotten = Your data is deleted. If you write again, we meet as strangers.
forget-live = There are orders of yours in progress, or money is held. Wait until they are done (see /history), and try again: /delete_me
forget-paying = There is a payment of yours under way. Pay it, or wait until the invoice expires, and try again: /delete_me
forget-banned = Your access is restricted, so the operator deletes your data. Please write to: { $contact }
forget-gone = Your data has been deleted already.
