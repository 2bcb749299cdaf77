// What a payment provider contributes to the sandbox: the environment of an app that uses it here and, for a provider with an API of its
// own, a local double of that API.

import type { Clock } from '../../runtime/clock.ts'
import type { Faults } from '../faults.ts'
import type { Handler } from '../http.ts'

export interface DoubleDeps {
  readonly clock: Clock
  readonly random: () => number
  readonly faults: Faults
  /** The address of the sandbox, without a path. */
  readonly baseUrl: string
  /** The address of the app. */
  readonly publicUrl: string
  /** Whether payments are written to the disk. */
  readonly keepsState: boolean
  /** The folder of a double with this name. */
  readonly folder: (name: string) => string
}

export interface PaymentDouble {
  readonly env: Readonly<Record<string, string>>
  /** Undefined for a provider whose invoices are paid at the local Telegram. */
  readonly handler?: Handler
  close?(): Promise<void>
}

export interface DoubleKind {
  /** Values that an app must not reveal. */
  readonly secrets: readonly string[]
  create(deps: DoubleDeps): PaymentDouble
}
