# YooKassa: the button that offers it, and the messages around its page.

provider-yookassa = 🏦 Card or SBP via YooKassa
topup-link =
    Top-up of <b>{ $credit }</b>.
    Pay by card or SBP on YooKassa’s page. The money reaches your balance by itself, usually within seconds; no need to come back or write anything.
topup-link-receipt =
    Top-up of <b>{ $credit }</b>.
    Pay by card or SBP on YooKassa’s page. The money reaches your balance by itself, usually within seconds; no need to come back or write anything.

    The receipt goes to { $email }
topup-link-unavailable = YooKassa isn’t answering right now, so there is no page to pay on. Nothing was charged; try again in a minute or choose another way: /topup
