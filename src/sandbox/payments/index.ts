// The payment providers as the sandbox offers them: one entry for each provider of the app.

import type { ProviderId } from '../../payments/providers.ts'
import type { DoubleDeps, DoubleKind } from './double.ts'
import { stars } from './stars.ts'
import { telegramRub } from './telegram-rub.ts'
import { yookassa } from './yookassa/index.ts'

const kinds: Readonly<Record<ProviderId, DoubleKind>> = {
  stars,
  'telegram-rub': telegramRub,
  yookassa,
}

export const paymentSecrets: readonly string[] = Object.values(kinds).flatMap(({ secrets }) => secrets)

export function createPaymentDoubles(deps: DoubleDeps) {
  const doubles = Object.values(kinds).map(({ create }) => create(deps))
  return {
    handlers: doubles.flatMap(({ handler }) => handler ?? []),
    env: Object.fromEntries(doubles.flatMap(({ env }) => Object.entries(env))),
    close: () => Promise.all(doubles.map((one) => one.close?.())),
  }
}
