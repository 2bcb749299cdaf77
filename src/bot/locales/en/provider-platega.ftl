# Platega: the button that offers it.

provider-platega = 🏦 Card or SBP via Platega
