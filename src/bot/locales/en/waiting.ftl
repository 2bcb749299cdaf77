# The message of an order while it waits: its place, how long it takes, outages of the service, its cancellation.

waiting-place = Ahead of you in the queue: { $ahead }
waiting-usual = Usually ready in { $time }
waiting-committed = It can no longer be stopped
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
button-cancel-order = ✖ Cancel the order
order-withdrawn = Order cancelled
order-committed = It can no longer be stopped: the model is at work. If it fails, you get your money back.
status-withdrawn = ✖ Order cancelled · { $amount } is back on your balance
status-ready = 👇 Your result
failure-withdrawn = You cancelled the order.
moscow-time = { $time } Moscow time
