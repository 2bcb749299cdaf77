# Telegram Stars.

provider-stars = ⭐ Звёзды Telegram
