# Invoices in roubles.

provider-telegram-rub = 💳 Карта
topup-amount-refused = Telegram не принимает этим способом платёж на { $amount }. Выберите другую сумму, лучше побольше, или другой способ оплаты: /topup
