# Invoices in roubles.

provider-telegram-rub = 💳 Card
topup-amount-refused = Telegram doesn’t take a payment of { $amount } this way. Choose another amount, preferably a larger one, or another way to pay: /topup
