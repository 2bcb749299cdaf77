# CryptoPay: the button that offers it.

provider-cryptopay = 🪙 Crypto via Crypto Bot
