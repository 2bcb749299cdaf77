# The message of an order while it waits: its place, how long it takes, outages of the service, its cancellation.

waiting-place = Ahead of you in the queue: { $ahead }
waiting-usual = usually under { $minutes ->
    [1] a minute
   *[other] { $minutes } minutes
}
waiting-slow = ⏱ This is taking longer than usual. If it hasn’t worked by { $until }, { $amount } goes back to { $payer }.

waiting-soon = usually under half a minute
waiting-outage-held =
    ⚠️ The service has not answered since { $since }, for { $elapsed } now
    We keep trying. If it hasn’t worked by { $until }, { $amount } goes back to { $payer }.
waiting-outage-running =
    ⚠️ The service has not answered since { $since }, for { $elapsed } now
    It has your order: as soon as it answers, you get the result. If it hasn’t by { $until }, { $amount } goes back to { $payer }.
payer-own = your balance
payer-wallet = the group wallet
cancel-done = The card “{ $title }” is closed.
cancel-guide = The steps of “{ $title }” are closed.
cancel-question = The question “{ $what }” is closed.
cancel-question-unnamed = The question is closed.
cancel-card-stays = The card “{ $title }” stays open.
cancel-none-open = No question or card is open here.
cancel-under-way =
    { $closed }

    Still going on:
    { $going }

    You pay only for what arrives: the rest comes back by itself.
under-way-held = { $number }. <b>{ $title }</b>: not started yet, you can still cancel it · { $amount }
under-way-running = { $number }. <b>{ $title }</b>: being made, it arrives by itself, by { $until } at the latest · { $amount }
under-way-answer = { $number }. An answer is being written · up to { $amount }
button-cancel-order = ✖ Cancel the order
order-withdrawn = Order cancelled
order-committed = It is being made and arrives by itself. If it fails, you get your money back.
status-withdrawn = ✖ Order cancelled · { $amount } is back on your balance
status-ready = 👇 Your result
failure-withdrawn = You cancelled the order.
moscow-time = { $time } Moscow time
