# The message of an order while it waits: its place, how long it takes, outages of the service, its cancellation.

waiting-place = Ahead of you in the queue: { $ahead }
waiting-usual = Usually ready in { $time }
waiting-committed = It can no longer be stopped
waiting-slow = ⏱ This takes longer than usual. We wait until { $until }; if it does not work by then, { $amount } goes back to { $payer }.
waiting-outage-held =
    ⚠️ The service has not answered since { $since }, for { $elapsed } now
    We keep trying. If it does not work by { $until }, { $amount } goes back to { $payer }.
waiting-outage-running =
    ⚠️ The service has not answered since { $since }, for { $elapsed } now
    It has your order: when it answers, you get the result. If it does not by { $until }, { $amount } goes back to { $payer }.
payer-own = your balance
payer-wallet = the group wallet
about-seconds = { $seconds } s
about-minutes = { $minutes } min
cancel-under-way =
    There is no question or card to cancel. Being made now:
    { $orders }

    If an order fails, it costs nothing: the money comes back by itself.
cancel-answer = There is no question or card to cancel. An answer is being written; if you stop it, what it doesn’t use comes back.
under-way-held = { $number }. <b>{ $name }</b>, { $prompt }: not begun yet, you can still cancel it.
under-way-running = { $number }. <b>{ $name }</b>, { $prompt }: it can no longer be stopped. We wait for it until { $until } at the latest.
button-cancel-order = ✖ Cancel the order
order-withdrawn = Order cancelled
order-committed = It can no longer be stopped: the model is at work. If it fails, you get your money back.
status-withdrawn = ✖ Order cancelled · { $amount } is back on your balance
status-ready = 👇 Your result
failure-withdrawn = You cancelled the order.
moscow-time = { $time } Moscow time
