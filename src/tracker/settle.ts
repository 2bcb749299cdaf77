// The end of a hold: whoever wins the conditional state change captures and releases, in that one statement.

import { eq, type SQL, sql } from 'drizzle-orm'
import type { Delivers } from '../catalog/model.ts'
import { artifacts, generations } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import type { Generation, GenerationDeps, Reason } from '../generations/generation.ts'
import { post } from '../ledger/ledger.ts'
import { settle } from '../ledger/moves.ts'
import type { Kopecks } from '../money.ts'

type Deps = Pick<GenerationDeps, 'db' | 'clock' | 'log' | 'metrics'>

/**
 * What entitles a worker to settle: its lease; or that it has the answer to the submit itself, which stays true when another
 * worker has taken the row over meanwhile.
 */
type Right = 'lease' | 'answer'

/** One result may be several files, and extra files may come with it. More than this are not kept. */
const mostFiles = 20

/** Captures what arrived of the results that were paid for, releases the rest. Extra files are kept, too. */
export async function succeed(
  deps: Deps,
  held: Generation,
  urls: readonly string[],
  { count }: Pick<Delivers, 'count'>,
  right: Right = 'lease',
): Promise<void> {
  const arrived = urls.slice(0, mostFiles)
  if (arrived.length < urls.length) {
    deps.log.warn({ generation: held.id, files: urls.length, kept: mostFiles }, 'too many files')
  }
  const captured = (held.amount * BigInt(Math.min(urls.length, count))) / BigInt(count)
  const ending = { state: 'succeeded', captured, reason: null, said: null } as const
  await end(deps, { held, right }, ending, arrived.length > 0 ? [arrivals(held, arrived)] : [])
}

export async function fail(
  deps: Deps,
  held: Generation,
  reason: Reason,
  said?: string,
  right: Right = 'lease',
): Promise<void> {
  const state = reason === 'task-canceled' ? 'canceled' : 'failed'
  await end(deps, { held, right }, { state, captured: 0n, reason, said: said?.slice(0, 500) ?? null })
  deps.log.warn({ generation: held.id, task: held.taskId, reason, said }, 'generation failed')
}

interface Entitled {
  readonly held: Generation
  readonly right: Right
}

interface Ending {
  readonly state: 'succeeded' | 'failed' | 'canceled'
  readonly captured: Kopecks
  readonly reason: Reason | null
  readonly said: string | null
}

/** @param also what is written by whoever wins, together with the state */
async function end(deps: Deps, entitled: Entitled, ending: Ending, also: readonly SQL[] = []): Promise<void> {
  const now = deps.clock.now()
  const { held } = entitled
  const { state, captured } = ending
  const posted = await post(deps.db, settle(held, captured), now, terminalUpdate(entitled, ending, now), also)
  if (!posted.ok && posted.reason !== 'guarded') throw new Error(`settling ${held.id}: ${posted.reason}`)
  if (!posted.ok) return
  deps.log.info({ generation: held.id, state, captured: captured.toString() }, 'settled')
  deps.metrics.orders.settled(held.modelId, ending.reason ?? state, now.getTime() - held.createdAt.getTime())
}

/** `returning` nothing means that another worker settled it, or that the lease was lost. */
function terminalUpdate(
  { held, right }: Entitled,
  { state, captured, reason, said }: Ending,
  now: Date,
): SQL {
  const isOurs =
    right === 'answer'
      ? sql`state in ('submitting', 'unknown')`
      : sql`lease = ${held.lease} and state = ${held.state}`
  const at = timestamp(now)
  return sql`
    update ${generations} set state = ${state}, captured = ${captured}::bigint, reason = ${reason}::text,
      said = ${said}::text, settled_at = ${at}, delivery = 'pending', attempts = 0, next_check_at = ${at},
      lease = null, lease_until = null
    where id = ${held.id} and ${isOurs}
    returning id`
}

/** Those that a process of an earlier version wrote down before it died are there already. */
function arrivals({ id }: Generation, urls: readonly string[]): SQL {
  const values = urls.map((url, position) => sql`(${position}::integer, ${url}::text)`)
  return sql`
    insert into ${artifacts} (generation_id, position, url)
    select ${id}, arrived.* from (values ${sql.join(values, sql`, `)}) as arrived
    where exists (select from guard)
    on conflict (generation_id, position) do update set url = excluded.url`
}

export async function artifactsOf({ db }: Pick<Deps, 'db'>, generationId: string) {
  return db
    .select()
    .from(artifacts)
    .where(eq(artifacts.generationId, generationId))
    .orderBy(artifacts.position)
}
