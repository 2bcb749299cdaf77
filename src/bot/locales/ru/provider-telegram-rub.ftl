# Invoices in roubles.

provider-telegram-rub = 💳 Карта
