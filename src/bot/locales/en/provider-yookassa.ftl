# YooKassa: the button that offers it.

provider-yookassa = 🏦 Card or SBP via YooKassa
