// The payment providers as the sandbox offers them: for each provider of the app the environment of an app that uses it here and, for a
// provider with an API of its own, a local double of that API.

import type { ProviderId } from '../../payments/providers.ts'
import { createCryptopay, cryptopayToken } from './cryptopay/index.ts'
import type { DoubleDeps } from './double.ts'
import { createPlatega, plategaSecret } from './platega/index.ts'
import { createTaxService, taxPassword } from './tax.ts'
import { createYookassa, secretKey } from './yookassa/index.ts'

/** The local Telegram accepts every provider token. */
const providerToken = '4242:TEST:sandbox'

/** Values that an app must not reveal. */
export const paymentSecrets: readonly string[] = [
  providerToken,
  secretKey,
  plategaSecret,
  cryptopayToken,
  taxPassword,
]

export function createPaymentDoubles(deps: DoubleDeps) {
  const doubles = {
    yookassa: createYookassa(deps),
    platega: createPlatega(deps),
    cryptopay: createCryptopay(deps),
    tax: createTaxService(deps),
  }
  /** The invoices of the other providers are paid at the local Telegram. */
  const kinds: Readonly<Record<ProviderId, Readonly<Record<string, string>>>> = {
    stars: { TOPUP_ROUBLES_PER_STAR: '1.20' },
    'telegram-rub': { TOPUP_RUB_PROVIDER_TOKEN: providerToken },
    yookassa: doubles.yookassa.env,
    platega: doubles.platega.env,
    cryptopay: doubles.cryptopay.env,
  }
  return {
    handlers: Object.values(doubles).map(({ handler }) => handler),
    env: Object.fromEntries([...Object.values(kinds), doubles.tax.env].flatMap(Object.entries)),
    close: async () => void (await Promise.all(Object.values(doubles).map(({ close }) => close()))),
  }
}
