// The generations table as a queue: due rows are claimed under a lease, and every write of a worker names that lease, so
// that one who was paused past it changes nothing. Work of different kinds is claimed by itself, each in order of its time.

import { and, eq, inArray, ne, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { rows } from '../db/client.ts'
import { renewLeases } from '../db/leased-queue.ts'
import { generations } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import type { Generation, GenerationDeps } from '../generations/generation.ts'
import { leaseMs } from '../runtime/leases.ts'
import { bucket, spend, tokens } from './budget.ts'
import { hasDue } from './candidates.ts'
import { isOpen, noLookIsDue, places, probe, stop } from './circuit.ts'
import { lastLookMs, runDeadlineMs, submitDeadlineMs } from './pace.ts'

/**
 * `reveal`: of what is unknown, one candidate for its task is looked at. `end`: what was being submitted when its process
 * died, and what stayed unknown. `unavailable` and `late`: what ends so at its deadline without another question, since the
 * gateway cannot be asked.
 */
export const kinds = ['submit', 'look', 'reveal', 'end', 'unavailable', 'late', 'deliver'] as const
export type Kind = (typeof kinds)[number]

type Deps = Pick<GenerationDeps, 'db' | 'clock' | 'ids' | 'pollIntervalMs' | 'pollsPerSecond'>

export interface Claim {
  readonly lease: string
  readonly held: readonly Generation[]
  /** It is the one that tries whether the gateway can be reached again. */
  readonly isProbe: boolean
}

/** Takes up to so many of what is due, what waits longest first; fewer looks if the budget has fewer. */
export async function claim(deps: Deps, kind: Kind, most: number): Promise<Claim> {
  const { db, clock, ids } = deps
  const now = clock.now()
  const at = time(now)
  const lease = ids.next()
  const work = { ...plain(most, at), ...parts[kind](deps, now, most) }
  const { which, due: isDue, limit, order, before, after, isProbe } = work
  const due = sql`
    due as (
      select id from ${generations}
      where ${which} and ${isDue} and (lease_until is null or lease_until <= ${at})
      order by ${order} limit ${limit} for update skip locked
    )`
  const statement = sql`
    with ${sql.join([...before, due, ...after], sql`, `)}
    update ${generations} set lease = ${lease}, lease_until = ${time(now, leaseMs)}
    where id in (select id from due)
    returning id, ${isProbe} as probe`
  const claimed = await rows(db, statement, z.object({ id: z.string(), probe: z.boolean() }))
  return { lease, held: await leased(deps, lease, claimed), isProbe: claimed.some((one) => one.probe) }
}

async function leased({ db }: Deps, lease: string, claimed: readonly { id: string }[]) {
  if (claimed.length === 0) return []
  const ids = claimed.map(({ id }) => id)
  const isOurs = and(inArray(generations.id, ids), eq(generations.lease, lease))
  return db.select().from(generations).where(isOurs).orderBy(generations.nextCheckAt)
}

const time = (now: Date, ms = 0): SQL => timestamp(now, ms)

/** What makes one kind's statement differ from another's. */
interface Parts {
  readonly which: SQL
  readonly due: SQL
  readonly order: SQL
  readonly limit: SQL
  readonly before: readonly SQL[]
  readonly after: readonly SQL[]
  readonly isProbe: SQL
}

type Differs = Pick<Parts, 'which'> & Partial<Parts>

const plain = (most: number, at: SQL): Omit<Parts, 'which'> => ({
  due: sql`next_check_at <= ${at}`,
  order: sql`next_check_at`,
  limit: sql`${most}::integer`,
  before: [],
  after: [],
  isProbe: sql`false`,
})

/** What asks the gateway about a task takes from the budget. */
const looking = ({ pollsPerSecond }: Deps, now: Date, most: number) => ({
  limit: sql`least(${places(most, time(now))}, ${tokens(pollsPerSecond)})`,
  before: [stop, bucket(pollsPerSecond, time(now))],
  after: [probe(now, time(now)), spend(pollsPerSecond, time(now))],
  isProbe: sql`exists (select from stop)`,
})

const parts: Readonly<Record<Kind, (deps: Deps, now: Date, most: number) => Differs>> = {
  submit: (_, now, most) => ({
    which: sql`state = 'held'`,
    limit: places(most, time(now), noLookIsDue(time(now))),
    before: [stop],
    after: [probe(now, time(now))],
    isProbe: sql`exists (select from stop)`,
  }),
  look: (deps, now, most) => ({ which: sql`state = 'running'`, ...looking(deps, now, most) }),
  // Its own time is when it is given up; it is looked at no oftener than a running task that is called back.
  reveal: (deps, now, most) => ({
    which: sql`state = 'unknown' and ${hasDue(time(now))}`,
    due: sql`next_check_at is not null and coalesce(last_check_at <= ${time(now, -deps.pollIntervalMs / 4)}, true)`,
    ...looking(deps, now, most),
  }),
  // While the gateway cannot be asked, the look at a candidate is waited for as long as the last look at a running task.
  end: (_, now) => ({
    which: sql`state in ('submitting', 'unknown') and not (
      state = 'unknown' and ${hasDue(time(now))} and next_check_at > ${time(now, -lastLookMs)})`,
  }),
  // Money comes back in bounded time, even while the gateway is down for good. What is held has ordered nothing, so its time
  // is its time; what runs may be ready, so the last look that it is promised is waited for a while.
  unavailable: (_, now) => ({
    which: sql`state = 'held' and created_at <= ${time(now, -submitDeadlineMs)} and ${isOpen(time(now))}`,
  }),
  late: (_, now) => ({
    which: sql`state = 'running' and submitted_at <= ${time(now, -runDeadlineMs - lastLookMs)} and ${isOpen(time(now))}`,
    order: sql`submitted_at`,
  }),
  deliver: () => ({ which: sql`delivery = 'pending'` }),
}

/** Keeps what we still hold of these. */
export const renew = ({ db }: Pick<Deps, 'db'>, held: readonly Generation[], until: Date): Promise<void> =>
  renewLeases(db, generations, held, until)

/** Whoever stops leaves these to others, save what it was submitting: nobody may do that again. */
export async function letGo({ db }: Pick<Deps, 'db'>, held: readonly Generation[]): Promise<void> {
  if (held.length === 0) return
  const leases = held.flatMap(({ lease }) => lease ?? [])
  const isOurs = and(inArray(generations.id, held.map(idOf)), inArray(generations.lease, leases))
  await db
    .update(generations)
    .set({ lease: null, leaseUntil: null })
    .where(and(isOurs, ne(generations.state, 'submitting')))
}

const idOf = ({ id }: Generation): string => id

type Change = PgUpdateSetSource<typeof generations>

/** Writes under the lease and hands it back; undefined when it was lost to another worker. */
export async function handBack(
  { db }: Pick<Deps, 'db'>,
  held: Generation,
  change: Change,
): Promise<Generation | undefined> {
  return write({ db }, held, { ...change, lease: null, leaseUntil: null })
}

/** Writes under the lease and keeps it. */
export async function write(
  { db }: Pick<Deps, 'db'>,
  held: Generation,
  change: Change,
): Promise<Generation | undefined> {
  const [changed] = await db
    .update(generations)
    .set(change)
    .where(and(eq(generations.id, held.id), sql`${generations.lease} = ${held.lease}`))
    .returning()
  return changed
}
