// A generation, and what ordering and tracking one depends on. Everything is passed in; this room does not know the bot.

import { eq, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Catalog } from '../catalog/catalog.ts'
import type { Database } from '../db/client.ts'
import { columnsOf, readRows } from '../db/row-reader.ts'
import { type artifacts, generations, type reasons } from '../db/schema.ts'
import { assignments, isOneOf, type Part, withParts } from '../db/sql.ts'
import type { Gateway } from '../gateway/client.ts'
import type { OrderMetrics } from '../metrics.ts'
import type { Kopecks } from '../money.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Ids } from '../runtime/ids.ts'
import type { Log } from '../runtime/log.ts'
import type { Limits } from '../sales/limits.ts'
import type { Refusals } from '../sales/refusals.ts'
import type { MediaSource } from './media.ts'
import type { DeliveryState, GenerationState } from './order.ts'

export type Generation = typeof generations.$inferSelect
export type Artifact = typeof artifacts.$inferSelect

export type Reason = (typeof reasons)[number]

export interface CallbackTokens {
  make(): string
  /** Whether this installation made the token, so that a forged one is refused without a query. */
  isSigned(token: string): boolean
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
  readonly metrics: { readonly orders: OrderMetrics }
  readonly media: MediaSource
  /** The address that the gateway calls when a task has ended; undefined without a public address. */
  readonly callbackUrl: ((token: string) => string) | undefined
  readonly callbackTokens: CallbackTokens
  /** The shortest time between two looks at one task. */
  readonly pollIntervalMs: number
  /** How many looks all processes together may take in a second. */
  readonly pollsPerSecond: number
  readonly limits: Limits
  readonly refusals: Refusals
}

export async function readGeneration(db: Database, id: string): Promise<Generation | undefined> {
  const [found] = await db.select().from(generations).where(eq(generations.id, id))
  return found
}

export type GenerationChange = PgUpdateSetSource<typeof generations>

/**
 * Changes the generation for which the condition is true.
 * @param condition true for one generation at most
 * @param parts further changes, made by the same statement even if the condition is true for none
 * @returns the changed row; undefined when the condition is true for none
 */
export async function changeGeneration(
  db: Database,
  change: GenerationChange,
  condition: SQL | undefined,
  parts: readonly Part[] = [],
): Promise<Generation | undefined> {
  const update = sql`
    update ${generations} set ${assignments(generations, change)} where ${condition}
    returning ${columnsOf(generations, 'generations')}`
  const [changed] = await readRows(db, generations, withParts(parts, update))
  return changed
}

/** SQL conditions with literals: the planner does not match the partial indexes of the table with parameters. */
export const stateIs = (...states: readonly GenerationState[]): SQL => isOneOf(generations.state, ...states)
export const deliveryIs = (...states: readonly DeliveryState[]): SQL =>
  isOneOf(generations.delivery, ...states)
export const reasonIs = (...which: readonly Reason[]): SQL => isOneOf(generations.reason, ...which)

/**
 * A condition: the order was refunded and explained, and its task is still asked about. A result that comes is delivered free, and no
 * money moves again.
 */
export const isAwaited: SQL = sql`(${stateIs('failed')} and ${deliveryIs('delivered', 'undeliverable')}
  and ${generations.nextCheckAt} is not null and ${generations.arrivedLateAt} is null)`

/** The amount that was charged and not refunded. */
export const unrefunded = ({ captured, refunded }: Pick<Generation, 'captured' | 'refunded'>): Kopecks =>
  (captured ?? 0n) - (refunded ?? 0n)

/** Whether the user may report a result: the order was charged and not refunded in full. */
export const mayReport = (generation: Generation): boolean =>
  generation.state === 'succeeded' && unrefunded(generation) > 0n

/** Whether the generation has files to send, paid or free. */
export const hasResults = ({ state, arrivedLateAt }: Generation): boolean =>
  state === 'succeeded' || arrivedLateAt !== null

/** Whether the wallet of a group pays for the order, and gets its refunds. */
export const isByWallet = ({ walletId }: Pick<Generation, 'walletId'>): boolean => walletId !== null
