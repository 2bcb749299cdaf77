// The payment providers that the sandbox replaces by a local double. Invoices (Stars, roubles) are paid at the local Telegram.

import type { Clock } from '../runtime/clock.ts'
import type { Faults } from './faults.ts'
import type { Handler } from './http.ts'
import { createYookassa, secretKey as yookassaKey } from './yookassa/index.ts'

interface Deps {
  readonly clock: Clock
  readonly random: () => number
  readonly faults: Faults
  /** Where the sandbox is reached, without a path. */
  readonly baseUrl: string
  /** Where the app is reached. */
  readonly publicUrl: string
  /** The folder of a double with this name. */
  readonly folder: (name: string) => string
}

interface PaymentDouble {
  readonly handler: Handler
  /** The environment of an app that pays through the double. */
  readonly env: Readonly<Record<string, string>>
  close(): Promise<void>
}

const factories: readonly ((deps: Deps) => PaymentDouble)[] = [createYookassa]

export const paymentSecrets = { yookassaKey }

export function createPaymentDoubles(deps: Deps) {
  const doubles = factories.map((create) => create(deps))
  return {
    handlers: doubles.map(({ handler }) => handler),
    env: Object.fromEntries(doubles.flatMap(({ env }) => Object.entries(env))),
    close: () => Promise.all(doubles.map((one) => one.close())),
  }
}
