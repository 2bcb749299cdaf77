# Platega: the button that offers it.

provider-platega = 🏦 Карта или СБП через Platega
