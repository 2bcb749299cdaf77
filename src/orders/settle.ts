// The endings of a generation: what is captured and what is told, and the step that follows.

import assert from 'node:assert/strict'
import { type SQL, sql } from 'drizzle-orm'
import type { Delivers } from '../catalog/model.ts'
import type { Database } from '../db/client.ts'
import { accounts, artifacts, generations, transfers, walletMembers } from '../db/schema.ts'
import { bigint, columnsOf, jsonb, readRows, timestamp } from '../db/sql.ts'
import type { Files } from '../gateway/client.ts'
import { transferHash } from '../ledger/checksum.ts'
import type { Kopecks } from '../money.ts'
import { cutTo } from '../runtime/text.ts'
import type { Refusal } from '../sales/refusals.ts'
import type { Breaker } from './breaker.ts'
import type { StatusUpdates } from './deliver/messages.ts'
import {
  type Artifact,
  after,
  type Generation,
  type GenerationDeps,
  type OrderEvent,
  type Reason,
  stateIs,
  statesBefore,
} from './generation.ts'

/** What a step of an order depends on: the process, and what all its steps share. */
export interface StepDeps extends GenerationDeps {
  readonly breaker: Breaker
  readonly statusUpdates: StatusUpdates
  readonly wakeDeliveries: () => void
}

type Deps = Omit<StepDeps, 'breaker'>

/** The most files of a generation that are kept. One result may be several files, and extra files may come with it. */
const maxFiles = 20

/** The results that the gateway made: at least one, each with one or more files. */
export interface Arrived {
  readonly urls: readonly string[]
  readonly results: number
  readonly facts?: Files['facts'] | undefined
  readonly provider?: string | undefined
}

/** The charge for the results that came of those that were ordered for `amount`, rounded down. */
export const chargeFor = (amount: Kopecks, came: number, ordered: number): Kopecks =>
  (amount * BigInt(Math.min(came, ordered))) / BigInt(ordered)

type Failure = Extract<OrderEvent, 'fail' | 'refuse' | 'cancel'>

/** Captures the price of the results that arrived and releases the rest. Extra files are kept as well. */
export async function succeed(
  deps: Deps,
  held: Generation,
  arrived: Arrived,
  { count }: Pick<Delivers, 'count'>,
  event: 'complete' | 'complete-at-once' = 'complete',
): Promise<void> {
  const captured = chargeFor(held.amount, arrived.results, count)
  const { provider = null } = arrived
  const files = filesOf(held, arrived)
  await end(deps, held, event, { captured, reason: null, said: null, provider, files })
}

const nothing = { provider: null, files: [] } as const

/** @returns false when another worker has settled the generation */
async function endFailed(deps: Deps, held: Generation, event: Failure, reason: Reason, said?: string) {
  const words = said === undefined ? null : cutTo(said, 500)
  const isEnded = await end(deps, held, event, { captured: 0n, reason, said: words, ...nothing })
  if (isEnded) deps.log.warn({ generation: held.id, task: held.taskId, reason, said }, 'generation failed')
  return isEnded
}

export async function fail(
  deps: Deps,
  held: Generation,
  reason: Reason,
  said?: string,
  event: Failure = 'fail',
): Promise<void> {
  await endFailed(deps, held, event, reason, said)
}

/** Ends an order that the gateway refused because of us. Its user reads neutral words: those of the gateway are about our account. */
export async function failRefused(
  deps: Deps,
  held: Generation,
  refusal: Refusal,
  event: 'fail' | 'refuse' = 'fail',
): Promise<void> {
  if (await endFailed(deps, held, event, 'paused')) await deps.refusals.stop(refusal)
}

/** Ends a generation, and makes its delivery due. @returns false when another worker has settled it */
async function end(
  deps: Deps,
  held: Generation,
  event: Failure | 'complete' | 'complete-at-once',
  ending: Omit<Ending, 'state'>,
): Promise<boolean> {
  const now = deps.clock.now()
  const { id, modelId, createdAt } = held
  const { captured, reason } = ending
  const state = after(held.state, event)
  // The answer to the submit ends the order also after another worker has taken the row over.
  const isByAnswer = event === 'complete-at-once' || event === 'refuse'
  const isOurs = isByAnswer
    ? stateIs(...statesBefore(event))
    : sql`lease = ${held.lease} and state = ${held.state}`
  if (!(await endOrder(deps.db, held, { ...ending, state }, isOurs, now))) return false
  // Any process may deliver now, so that a status update under way here must not be the last one.
  void deps.statusUpdates.cancel(id)
  deps.wakeDeliveries()
  deps.log.info({ generation: id, state, captured: captured.toString() }, 'settled')
  deps.metrics.orders.settled(modelId, reason ?? state, now.getTime() - createdAt.getTime())
  return true
}

/** The rows of the files that arrived, before any of them is sent. */
export const filesOf = ({ seed }: Generation, { urls, results, facts = [] }: Arrived): Ending['files'] =>
  urls.slice(0, maxFiles).map((url, position) => ({
    position,
    url,
    seed: facts[position]?.seed ?? (results === 1 && position === 0 ? seed : null),
    resultId: facts[position]?.id ?? null,
  }))

export const recordsOf = (files: Ending['files']): SQL =>
  sql`jsonb_to_recordset(${jsonb(files)}) as file (position integer, url text, seed bigint, "resultId" text)`

// The end of a hold. One statement changes the state under a condition, captures the price of what arrived and releases the rest, so an
// order is settled once.

interface Ending {
  readonly state: 'succeeded' | 'failed' | 'canceled'
  readonly captured: Kopecks
  readonly reason: Reason | null
  readonly said: string | null
  readonly provider: string | null
  readonly files: readonly Pick<Artifact, 'position' | 'url' | 'seed' | 'resultId'>[]
}

/**
 * Ends an order whose money is held. Its delivery is due at once.
 * @param isOurs the condition under which it may end; one that other processes may also fulfil ends it once
 * @returns undefined when the condition is not true
 */
async function endOrder(
  db: Database,
  { id, amount }: Generation,
  { state, captured, reason, said, provider, files }: Ending,
  isOurs: SQL,
  now: Date,
): Promise<Generation | undefined> {
  assert(captured >= 0n && captured <= amount, 'a capture is at most its hold')
  const at = timestamp(now)
  const statement = sql`with ended as (
      update ${generations} set state = ${state}, captured = ${bigint(captured)}, reason = ${reason}::text, said = ${said}::text,
        provider = ${provider}::text, settled_at = ${at}, delivery = 'pending', attempts = 0, next_check_at = ${at}, lease = null,
        lease_until = null, claims = 0
      where id = ${id} and ${isOurs}
      returning *
    ), arrived as (
      insert into ${artifacts} (generation_id, position, url, seed, result_id)
      select id, position, url, file.seed, "resultId" from ended, ${recordsOf(files)}
      on conflict (generation_id, position) do update set url = excluded.url, seed = excluded.seed, result_id = excluded.result_id
    ), moved (kind, account, amount) as (
      values ('capture', 'revenue', ${bigint(captured)}), ('release', 'payer', ${bigint(amount - captured)})
    ), posted as (
      insert into ${transfers} (key, kind, user_id, debit, credit, amount, generation_id, wallet_id, created_at)
      select kind || ':' || id, kind, user_id, case when wallet_id is null then 'held' else 'group-held' end,
        case when account = 'revenue' then account when wallet_id is null then 'available' else 'group' end,
        moved.amount, id, wallet_id, ${at}
      from ended, moved where moved.amount > 0
      returning ${sql.raw(transferHash)} as hash
    ), freed as (
      select user_id, wallet_id, spent_on as day, amount as price, amount - captured as released,
        case when wallet_id is null then amount else 0 end as own_price, case when wallet_id is null then amount - captured else 0 end as own_released
      from ended
    ), counted as (
      update ${accounts} a set available = a.available + own_released, held = a.held - own_price, owed = greatest(0, a.owed - own_released),
        checksum = a.checksum # (select bit_xor(hash) from posted), open_orders = a.open_orders - 1,
        spent_today = a.spent_today - case when a.spent_on = day then released else 0 end
      from freed where a.kind = 'user' and a.owner_id = freed.user_id
      returning a.id
    ), returned as (
      update ${accounts} w set available = w.available + released, held = w.held - price from freed, counted where w.id = freed.wallet_id
      returning w.id
    ), member as (
      update ${walletMembers} m set spent = m.spent - released from freed, returned
      where m.account_id = returned.id and m.user_id = freed.user_id and m.spent_on = day
    )
    select ${columnsOf(generations, 'ended')} from ended`
  const [ended] = await readRows(db, generations, statement)
  return ended
}

/**
 * Cancels an order that waits for its submit. The row is taken from the worker that may have claimed it: without its lease, that worker
 * cannot begin the submit. The delivery of the order, which is repeated until it succeeds, tells the chat.
 * @returns undefined when the submit has begun, or the order has ended
 */
export async function cancelHeld(
  { db, clock }: Pick<GenerationDeps, 'db' | 'clock'>,
  order: Generation,
): Promise<Generation | undefined> {
  const ending = { captured: 0n, reason: 'withdrawn', said: null, ...nothing } as const
  const isOurs = stateIs(...statesBefore('withdraw'))
  return endOrder(db, order, { ...ending, state: 'canceled' }, isOurs, clock.now())
}
