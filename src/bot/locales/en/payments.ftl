# Paying: links, addresses for receipts, refunds.

provider-yookassa = 🏦 Card or SBP via YooKassa
receipt-item = Balance top-up
button-pay = Pay { $credit }
button-change-email = ✉️ Another address for the receipt
button-try-again = 🔁 Try again
topup-link =
    Top-up of <b>{ $credit }</b>.
    Pay by card or SBP on YooKassa's page. The money reaches your balance by itself, usually within seconds; there is no need to come back or write anything.
topup-link-receipt =
    Top-up of <b>{ $credit }</b>.
    Pay by card or SBP on YooKassa's page. The money reaches your balance by itself, usually within seconds; there is no need to come back or write anything.

    The receipt goes to { $email }
topup-link-unavailable = YooKassa does not answer right now, so there is no page to pay on. Nothing was charged; try again in a minute or choose another way: /topup
topup-not-paid = The payment of { $credit } did not go through or was not finished in time. Nothing reached your balance. Try again: /topup
topup-refunded =
    ↩️ The payment of { $credit } was refunded.
    Balance: <b>{ $available }</b>
email-ask =
    Where should the receipt go? Write an e-mail address, for example: <code>anna@example.com</code>

    I will keep it for the next receipts. Cancel: /cancel
email-bad = That does not look like an e-mail address. Write all of it, for example: <code>anna@example.com</code>. Cancel: /cancel
