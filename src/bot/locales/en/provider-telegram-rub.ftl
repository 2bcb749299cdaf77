# Invoices in roubles.

provider-telegram-rub = 💳 Card
