# The user's orders: the list, receipts, sending again, problem reports.

command-history = My orders

history =
    🗂 <b>Your orders</b>, { $shown } of { $total }
    Tap a number to open an order.
history-empty =
    Nothing here yet. Order something, for example:
    <code>/image a fox, watercolour</code>
history-entry =
    { $number }. { $star }<b>{ $model }</b> · { $amount }
    { $prompt }{ $date } · { $state }
history-working = ⏳ in progress
history-unknown = ⚠️ not confirmed yet, waiting
history-sending = 📦 ready, sending
history-done = ✅ done
history-partly = ✅ done, part of the price came back
history-undelivered = ⚠️ done but not delivered: you can get it
history-refunded = ↩️ refunded
history-failed = ❌ failed, the money came back
history-canceled = ❌ cancelled, the money came back
history-late = 🎁 arrived after the refund, free of charge
history-foreign = This order is not yours or no longer exists. Yours are in /history
history-being-sent = The result is being sent right now
history-coming = Sending it again, free of charge
history-gone = { $gone ->
    [one] One file is no longer kept anywhere.
   *[other] { $gone } files are no longer kept anywhere.
} If the result has never reached you, open the order in /history and report a problem.
history-away = { $away ->
    [one] One file couldn’t be fetched just now.
   *[other] { $away } files couldn’t be fetched just now.
} Try again later.
button-album = 🖼 Show as an album
history-no-album = No album: fewer than two pictures and videos of this page are kept by Telegram.
button-send-again = 📥 Send again
button-report = ⚠️ Report a problem
button-to-history = ‹ To the list

## Receipts

receipt-details =
    <blockquote expandable>Details
    { $lines }</blockquote>
receipt-id = Order: <code>{ $id }</code>
receipt-charged = Charged: { $amount }
receipt-charged-of = Charged: { $amount } ({ $parts })
receipt-returned = Came back: { $amount }
receipt-refunded = Refunded: { $amount }
receipt-ordered = Ordered: { $time }
receipt-made = Done: { $time }
receipt-ended = Ended: { $time }
receipt-delivered = Delivered: { $time }
receipt-task = Task: <code>{ $task }</code>
receipt-report-open = ⚠️ You reported a problem; we’re looking into it.
receipt-report-refunded = ⚠️ You reported a problem and got a refund.
receipt-report-declined = ⚠️ You reported a problem; we checked it and gave no refund. Disagree? /support

## Problem reports

report-ask = What’s wrong with the result? Describe it in one message of up to { $max } characters: a person will read it.
report-again = I need 1 to { $max } characters, and this is { $length }. Write it again, or cancel: /cancel
report-sent = ✅ Thank you, I’ve passed it on. A person will look at it, and I’ll tell you here; if it was our fault, you get your money back.
report-before = This order has already been reported or refunded. See it in /history
report-to-operator =
    ⚠️ <b>A problem with a result</b>, user { $user }
    <blockquote>{ $said }</blockquote>
button-refund = 💸 Refund { $amount }
button-decline = ✖ Decline
button-answer-report = 💬 Answer
