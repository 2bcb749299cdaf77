# YooKassa: the button that offers it.

provider-yookassa = 🏦 Карта или СБП через ЮKassa
