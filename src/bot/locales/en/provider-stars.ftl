# Telegram Stars.

provider-stars = ⭐ Telegram Stars
