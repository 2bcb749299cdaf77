# Payments on a page of the provider.

topup-link =
    Top-up of <b>{ $credit }</b>.
    { $provider ->
        [cryptopay] Pay with crypto in @CryptoBot: it converts the amount at its own rate. The invoice is good for an hour.
        [platega] Pay on Platega’s page.
       *[yookassa] Pay by card or SBP on YooKassa’s page.
    } The money reaches your balance by itself, usually within seconds; no need to come back or write anything.
topup-link-receipt =
    Top-up of <b>{ $credit }</b>.
    Pay by card or SBP on YooKassa’s page. The money reaches your balance by itself, usually within seconds; no need to come back or write anything.

    The receipt goes to { $email }
topup-link-unavailable = The payment page can’t be opened right now. Nothing was charged; try again in a minute or choose another way: /topup
