// The payment providers as the sandbox offers them: for each provider of the app the environment of an app that uses it here and, for a
// provider with an API of its own, a local double of that API.

import type { ProviderId } from '../../payments/providers.ts'
import type { Handler } from '../http.ts'
import { createYookassa, secretKey } from './yookassa/index.ts'
import type { YookassaDeps } from './yookassa/shop.ts'

interface PaymentDouble {
  readonly env: Readonly<Record<string, string>>
  /** Undefined for a provider whose invoices are paid at the local Telegram. */
  readonly handler?: Handler
  close?(): Promise<void>
}

/** The local Telegram accepts every provider token. */
const providerToken = '4242:TEST:sandbox'

/** Values that an app must not reveal. */
export const paymentSecrets: readonly string[] = [providerToken, secretKey]

export function createPaymentDoubles(deps: YookassaDeps) {
  const kinds: Readonly<Record<ProviderId, PaymentDouble>> = {
    stars: { env: { TOPUP_ROUBLES_PER_STAR: '1.20' } },
    'telegram-rub': { env: { TOPUP_RUB_PROVIDER_TOKEN: providerToken } },
    yookassa: createYookassa(deps),
  }
  const doubles = Object.values(kinds)
  return {
    handlers: doubles.flatMap(({ handler }) => handler ?? []),
    env: Object.fromEntries(doubles.flatMap(({ env }) => Object.entries(env))),
    close: () => Promise.all(doubles.map((one) => one.close?.())),
  }
}
