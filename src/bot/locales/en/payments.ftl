# Paying: addresses for receipts, refunds.

receipt-item = Balance top-up
tax-receipt = 🧾 Your receipt for { $amount }: <a href="{ $url }">open it</a>. It’s issued through “Мой налог”, the Russian tax service for the self-employed.
button-pay = Pay { $credit }
button-change-email = ✉️ Another address for the receipt
button-try-again = 🔁 Try again
topup-not-paid = The payment of { $credit } didn’t go through or wasn’t finished in time. Nothing reached your balance. Try again: /topup
topup-refunded-because =
    ↩️ Your payment was refunded, and { $credit } was taken off the balance. Reason: { $reason }
    { $balance }
topup-refunded =
    ↩️ Your payment was refunded, and { $credit } was taken off the balance.
    { $balance }
email-ask =
    Where should the receipt go? Write an e-mail address, for example: <code>anna@example.com</code>

    I’ll keep it for the next receipts. Cancel: /cancel
email-bad = That doesn’t look like an e-mail address. Write it in full, for example: <code>anna@example.com</code>. Cancel: /cancel
