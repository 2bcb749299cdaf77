// A generation and what its parts need from outside. Everything is passed in; nothing here knows Telegram.

import type { Catalog } from '../catalog/catalog.ts'
import type { Database } from '../db/client.ts'
import type { artifacts, generations, reasons } from '../db/schema.ts'
import type { Gateway } from '../gateway/client.ts'
import type { OrderMetrics } from '../metrics.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Ids } from '../runtime/ids.ts'
import type { Log } from '../runtime/log.ts'
import type { Limits } from '../sales/limits.ts'
import type { CallbackTokens } from '../tracker/callback-tokens.ts'
import type { MediaSource } from './media.ts'

export type Generation = typeof generations.$inferSelect
export type Artifact = typeof artifacts.$inferSelect

export type Reason = (typeof reasons)[number]

export type DeliveryOutcome =
  | { readonly ok: true }
  /** Can not be delivered, now or later: blocked, chat gone. The result stays in history. */
  | { readonly ok: false; readonly retry: false }
  | { readonly ok: false; readonly retry: true; readonly afterMs?: number }

/** How the chat learns of a generation. */
export interface Messenger {
  /** Brings the status message up to date; best effort. */
  show(generation: Generation): Promise<void>
  /** Puts the artifacts, or the explanation of a failure, into the chat; may be called again after a crash. */
  deliver(generation: Generation): Promise<DeliveryOutcome>
}

export interface GenerationDeps {
  readonly db: Database
  readonly catalog: Catalog
  readonly gateway: Gateway
  readonly clock: Clock
  readonly ids: Ids
  /** 0 ≤ x < 1, for jitter. */
  readonly random: () => number
  readonly log: Log
  readonly messenger: Messenger
  readonly metrics: { readonly orders: OrderMetrics }
  readonly media: MediaSource
  /** Where the gateway may call when a task is ready; undefined when nobody outside can reach us. */
  readonly callbackUrl: ((token: string) => string) | undefined
  readonly callbackTokens: CallbackTokens
  /** The shortest time between two looks at one task. */
  readonly pollIntervalMs: number
  /** How many looks all processes together may take in a second. */
  readonly pollsPerSecond: number
  readonly limits: Limits
}

export const isTerminal = (generation: Generation): boolean =>
  generation.state === 'succeeded' || generation.state === 'failed' || generation.state === 'canceled'
