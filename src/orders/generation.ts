// A generation, and what ordering and tracking one depends on: its row, the states of an order, and the table as a queue. Everything is
// passed in; this room does not know the bot.

import assert from 'node:assert/strict'
import { and, eq, lte, ne, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Catalog } from '../catalog/catalog.ts'
import type { StandIn } from '../catalog/media.ts'
import type { Database } from '../db/client.ts'
import { claimed, isClaimable, isHeld, leasesOf, released } from '../db/queue.ts'
import {
  type artifacts,
  type deliveryStates,
  type generationStates,
  generations,
  type reasons,
} from '../db/schema.ts'
import { assignments, columnsOf, isOneOf, readRows } from '../db/sql.ts'
import type { Gateway, OpenRequests } from '../gateway/client.ts'
import type { OrderMetrics } from '../metrics.ts'
import type { Kopecks } from '../money.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Ids } from '../runtime/ids.ts'
import type { Log } from '../runtime/log.ts'
import type { Claim } from '../runtime/queue-worker.ts'
import type { Limits } from '../sales/limits.ts'
import type { Refusals } from '../sales/refusals.ts'
import type { Files } from '../telegram/files.ts'
import type { OrderTimes } from './times.ts'

export type Generation = typeof generations.$inferSelect
export type Artifact = typeof artifacts.$inferSelect

export type Reason = (typeof reasons)[number]

export interface CallbackTokens {
  make(): string
  /** Whether this installation made the token, so that a forged one is refused without a query. */
  isSigned(token: string): boolean
}

export interface MediaSource extends Files {
  /** A signed address of our own server, valid for a short time; undefined without a public address. */
  readonly link: ((one: StandIn) => string) | undefined
}

export interface GenerationDeps {
  readonly db: Database
  readonly catalog: Catalog
  readonly gateway: Gateway
  readonly results: OpenRequests['results']
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
  readonly times: OrderTimes
  readonly refusals: Refusals
}

export async function readGeneration(db: Database, id: string): Promise<Generation | undefined> {
  const [found] = await db.select().from(generations).where(eq(generations.id, id))
  return found
}

export type GenerationChange = PgUpdateSetSource<typeof generations>

/** Changes the generation for which the condition is true, one at most. @returns the changed row; undefined when it is true for none */
export async function changeGeneration(
  db: Database,
  change: GenerationChange,
  condition: SQL | undefined,
): Promise<Generation | undefined> {
  const update = sql`
    update ${generations} set ${assignments(generations, change)} where ${condition}
    returning ${columnsOf(generations, 'generations')}`
  return (await readRows(db, generations, update))[0]
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

export const unrefunded = ({ captured, refunded }: Pick<Generation, 'captured' | 'refunded'>): Kopecks =>
  (captured ?? 0n) - (refunded ?? 0n)

/** Whether the user may report a result: the order was charged and not refunded in full. */
export const mayReport = (generation: Generation): boolean =>
  generation.state === 'succeeded' && unrefunded(generation) > 0n

export const hasResults = ({ state, arrivedLateAt }: Generation): boolean =>
  state === 'succeeded' || arrivedLateAt !== null

/** Whether the wallet of a group pays for the order, and gets its refunds. */
export const isByWallet = ({ walletId }: Pick<Generation, 'walletId'>): boolean => walletId !== null

// The states of an order, as pure functions: which state follows an event, and which step is due for a row.

type GenerationState = (typeof generationStates)[number]
type DeliveryState = (typeof deliveryStates)[number]

/** What may happen to an order: the states in which it may, and the state that follows. */
const transitions = {
  submit: { from: ['held'], to: 'submitting' },
  /** Its request was not sent, or certainly not accepted. */
  postpone: { from: ['held', 'submitting'], to: 'held' },
  /** Nobody knows whether its request was accepted: it is never sent again. */
  'lose-answer': { from: ['submitting'], to: 'unknown' },
  /** The answer to its request names the task, and overrides one that a callback has revealed. */
  start: { from: ['submitting', 'unknown', 'running'], to: 'running' },
  /** The gateway knows a task that a callback has named, and the task fits the order. */
  reveal: { from: ['unknown'], to: 'running' },
  complete: { from: ['running'], to: 'succeeded' },
  'complete-at-once': { from: ['submitting', 'unknown'], to: 'succeeded' },
  fail: { from: ['held', 'submitting', 'unknown', 'running'], to: 'failed' },
  refuse: { from: ['submitting', 'unknown'], to: 'failed' },
  cancel: { from: ['running'], to: 'canceled' },
  withdraw: { from: ['held'], to: 'canceled' },
} as const satisfies Record<
  string,
  { readonly from: readonly GenerationState[]; readonly to: GenerationState }
>

type Transitions = typeof transitions
export type OrderEvent = keyof Transitions

/** The states in which the event may happen, for the condition of a statement. */
export const statesBefore = (event: OrderEvent): readonly GenerationState[] => transitions[event].from

export function after<Event extends OrderEvent>(
  state: GenerationState,
  event: Event,
): Transitions[Event]['to'] {
  assert(statesBefore(event).includes(state), `an order that is ${state} cannot ${event}`)
  return transitions[event].to
}

type Step = 'submit' | 'lose-answer' | 'poll' | 'reveal' | 'poll-late' | 'deliver'

const stepOf: Readonly<Record<GenerationState, Step>> = {
  held: 'submit',
  // Its process has ended between the request and the write of the answer.
  submitting: 'lose-answer',
  running: 'poll',
  unknown: 'reveal',
  // A task that was refunded before it ended is still asked about; its result is delivered free.
  succeeded: 'poll-late',
  failed: 'poll-late',
  canceled: 'poll-late',
}

export const dueStep = ({ state, delivery }: { state: GenerationState; delivery: DeliveryState }): Step =>
  delivery === 'pending' ? 'deliver' : stepOf[state]

// The table as a queue. A claim takes due rows under a lease, the longest due first, and every write of a worker names that lease, so
// that a worker that was suspended past its lease changes nothing. A claim adds 1 to `claims`, and every release sets it to 0: `claims -
// 1` processes in a row have ended, or lost the lease, during their work on the row.

/** `orders`: everything that asks the gateway or ends an order. `deliveries`: what is sent into the chat, which may be slow. */
export type QueueName = 'orders' | 'deliveries'

/** With literals: the planner does not match a partial index with parameters. */
const isOf: Readonly<Record<QueueName, SQL>> = {
  orders: sql`delivery <> 'pending'`,
  deliveries: sql`delivery = 'pending'`,
}

type Deps = Pick<GenerationDeps, 'db'>

/** @returns the claimed rows, the longest due first */
export async function claim({ db }: Deps, queue: QueueName, claim: Claim): Promise<Generation[]> {
  const due = and(isOf[queue], lte(generations.nextCheckAt, claim.now))
  const rows = await db
    .update(generations)
    .set(claimed(generations, claim))
    .where(isClaimable(generations, { due, order: generations.nextCheckAt }, claim))
    .returning()
  return rows.sort((a, b) => (a.nextCheckAt?.getTime() ?? 0) - (b.nextCheckAt?.getTime() ?? 0))
}

export const leasesOfGenerations = ({ db }: Deps) =>
  leasesOf<Generation>(db, generations, sql`next_check_at is not null`)

/** How many processes in a row have ended during their work on a claimed row. */
export const endedProcesses = ({ claims }: Pick<Generation, 'claims'>): number => Math.max(0, claims - 1)

/** Releases a row to other processes, unless it was being submitted: a submit must not be repeated. */
export async function releaseGeneration({ db }: Deps, row: Generation): Promise<void> {
  const isReleased = and(isHeld(generations, row), ne(generations.state, 'submitting'))
  await db.update(generations).set(released).where(isReleased)
}

/** Writes under the lease and keeps it; undefined when another worker has taken the row over. */
export const write = (
  { db }: Deps,
  held: Generation,
  change: GenerationChange,
): Promise<Generation | undefined> => changeGeneration(db, change, isHeld(generations, held))

export const writeAndRelease = (deps: Deps, held: Generation, change: GenerationChange) =>
  write(deps, held, { ...change, ...released })
