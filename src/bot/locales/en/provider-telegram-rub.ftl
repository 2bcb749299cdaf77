# Invoices in roubles.

provider-telegram-rub = 💳 Card
topup-amount-refused = Telegram does not take a payment of { $amount } this way. Choose another amount, best a larger one, or another way to pay: /topup
