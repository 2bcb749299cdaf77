// The endings of a generation: what is captured and what is told, and the step that follows.

import { type SQL, sql } from 'drizzle-orm'
import type { Delivers } from '../catalog/model.ts'
import { artifacts } from '../db/schema.ts'
import { isGuarded } from '../ledger/ledger.ts'
import type { Kopecks } from '../money.ts'
import { cutTo } from '../runtime/text.ts'
import type { Refusal } from '../sales/refusals.ts'
import { type Ending, endOrder } from './end.ts'
import { type Artifact, type Generation, type Reason, stateIs } from './generation.ts'
import { after, type OrderEvent, statesBefore } from './order.ts'
import type { StepDeps } from './step-deps.ts'

type Deps = Pick<
  StepDeps,
  'db' | 'clock' | 'log' | 'metrics' | 'refusals' | 'statusUpdates' | 'wakeDeliveries'
>

/** The most files of a generation that are kept. One result may be several files, and extra files may come with it. */
const mostFiles = 20

/** The results that the gateway made: at least one, each with one or more files. */
export interface Arrived {
  /** The addresses of the files, at least one. */
  readonly urls: readonly string[]
  readonly results: number
  readonly seeds?: readonly (number | undefined)[] | undefined
}

/** The charge for the results that came of those that were ordered for `amount`, rounded down. */
export const chargeFor = (amount: Kopecks, came: number, ordered: number): Kopecks =>
  (amount * BigInt(Math.min(came, ordered))) / BigInt(ordered)

type EndEvent = Extract<OrderEvent, 'complete' | 'complete-at-once' | 'fail' | 'refuse' | 'cancel'>

/** Captures the price of the results that arrived and releases the rest. Extra files are kept as well. */
export async function succeed(
  deps: Deps,
  held: Generation,
  arrived: Arrived,
  { count }: Pick<Delivers, 'count'>,
  event: 'complete' | 'complete-at-once' = 'complete',
): Promise<void> {
  const captured = chargeFor(held.amount, arrived.results, count)
  const ending = { captured, reason: null, said: null, artifacts: artifactsFrom(deps, held, arrived) }
  await end(deps, held, event, ending)
}

/** Drops the files beyond the most that are kept. */
function kept({ log }: Pick<Deps, 'log'>, { id }: Generation, urls: readonly string[]): readonly string[] {
  if (urls.length > mostFiles)
    log.warn({ generation: id, files: urls.length, kept: mostFiles }, 'too many files')
  return urls.slice(0, mostFiles)
}

export async function fail(
  deps: Deps,
  held: Generation,
  reason: Reason,
  said?: string,
  event: 'fail' | 'refuse' | 'cancel' = 'fail',
): Promise<void> {
  await endFailed(deps, held, event, reason, said)
}

/**
 * Ends an order that the gateway refused because of us. Its user reads neutral words: those of the gateway are about the operator's
 * account.
 */
export async function failRefused(
  deps: Deps,
  held: Generation,
  refusal: Refusal,
  event: 'fail' | 'refuse' = 'fail',
): Promise<void> {
  if (await endFailed(deps, held, event, 'paused')) await deps.refusals.stop(refusal)
}

/** @returns false when another worker has settled the generation */
async function endFailed(
  deps: Deps,
  held: Generation,
  event: 'fail' | 'refuse' | 'cancel',
  reason: Reason,
  said?: string,
): Promise<boolean> {
  const words = said === undefined ? null : cutTo(said, 500)
  const isEnded = await end(deps, held, event, { captured: 0n, reason, said: words, artifacts: [] })
  if (isEnded) deps.log.warn({ generation: held.id, task: held.taskId, reason, said }, 'generation failed')
  return isEnded
}

/** Ends a generation, and makes its delivery due. @returns false when another worker has settled it */
async function end(
  deps: Deps,
  held: Generation,
  event: EndEvent,
  ending: Omit<Ending, 'state'>,
): Promise<boolean> {
  const now = deps.clock.now()
  const { captured } = ending
  const state = after(held.state, event)
  // The answer to the submit ends the order also after another worker has taken the row over.
  const isByAnswer = event === 'complete-at-once' || event === 'refuse'
  const isOurs = isByAnswer
    ? stateIs(...statesBefore(event))
    : sql`lease = ${held.lease} and state = ${held.state}`
  const ended = await endOrder(deps.db, held, { ...ending, state }, isOurs, now)
  if (!ended) return false
  // Any process may deliver now, so that a status update under way here must not be the last one.
  void deps.statusUpdates.cancel(held.id)
  deps.wakeDeliveries()
  deps.log.info({ generation: held.id, state, captured: captured.toString() }, 'settled')
  deps.metrics.orders.settled(held.modelId, ending.reason ?? state, now.getTime() - held.createdAt.getTime())
  return true
}

/** The rows of the results that arrived, before any of them is sent. */
export function artifactsFrom(
  deps: Pick<Deps, 'log'>,
  held: Generation,
  { urls, results, seeds = [] }: Arrived,
): readonly Artifact[] {
  const seedAt = (position: number) => seeds[position] ?? (results === 1 && position === 0 ? held.seed : null)
  const unsent = {
    fileId: null,
    messageId: null,
    kind: null,
    facts: null,
    originalFileId: null,
    misses: 0,
    lost: null,
  }
  return kept(deps, held, urls).map((url, position) => ({
    ...unsent,
    generationId: held.id,
    position,
    url,
    seed: seedAt(position),
  }))
}

/**
 * Part of a statement with a `guard`: inserts at least one artifact. Rows may exist already if a process of an earlier version wrote them
 * and died.
 */
export function insertOf(arrived: readonly Artifact[]): SQL {
  const values = arrived.map(
    ({ generationId, position, url, seed }) =>
      sql`(${generationId}, ${position}::integer, ${url}::text, ${seed}::bigint)`,
  )
  return sql`
    insert into ${artifacts} (generation_id, position, url, seed)
    select arrived.* from (values ${sql.join(values, sql`, `)}) as arrived
    where ${isGuarded}
    on conflict (generation_id, position) do update set url = excluded.url, seed = excluded.seed`
}
