# CryptoPay: the button that offers it.

provider-cryptopay = 🪙 Криптовалюта через Crypto Bot
