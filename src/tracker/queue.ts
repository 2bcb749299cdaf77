// The generations table as a queue: due rows are claimed under a lease, and every write of a worker names that lease, so that
// a worker that was suspended past its lease changes nothing. Each kind of work is claimed separately, the longest due first.

import { and, eq, inArray, lte, ne, type SQL, sql } from 'drizzle-orm'
import { claimedLease, isAmongFewSuspects } from '../db/abandoned-rows.ts'
import { bucket, spend, tokens } from '../db/budget.ts'
import { isFree, isHeld, leased, released, renewLeases } from '../db/leased-queue.ts'
import { flag, readRows } from '../db/row-reader.ts'
import { generations, users } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { readArtifacts } from '../generations/artifacts.ts'
import {
  changeGeneration,
  deliveryIs,
  type Generation,
  type GenerationChange,
  type GenerationDeps,
  generationRow,
  isAwaited,
  stateIs,
} from '../generations/generation.ts'
import type { Known } from '../generations/place.ts'
import { languageRow, localeFrom } from '../users/user.ts'
import { hasDue } from './candidates.ts'
import { claimLimit, isOpen, noLookIsDue, probe, stop } from './circuit.ts'
import { lastLookMs, submitDeadlineMs } from './pace.ts'
import { deadlineBefore } from './run-limits.ts'

/**
 * `look`: asks the gateway about a running task. `look-at-candidate`: asks about one candidate for the task of an unknown generation.
 * `look-after-refund`: asks about the task of a refunded generation (late.ts). `end-lost-submit`: generations that were being submitted
 * when their process died, and those that stayed unknown. `expire-held` and `expire-running`: generations that fail at their deadline
 * without another request, since the gateway cannot be reached.
 */
export const kinds = [
  'submit',
  'look',
  'look-at-candidate',
  'look-after-refund',
  'end-lost-submit',
  'expire-held',
  'expire-running',
  'deliver',
] as const
export type Kind = (typeof kinds)[number]
/** The kinds of work that the circuit holds back while it is open. */
export const asksGateway = (kind: Kind): boolean => kind === 'submit' || kind.startsWith('look')
export const isKind = (text: string): text is Kind => kinds.some((kind) => kind === text)

type Deps = Pick<GenerationDeps, 'db' | 'clock' | 'ids' | 'pollIntervalMs' | 'pollsPerSecond'>

export interface Claim {
  readonly held: readonly Generation[]
  /** What was read together with each of them, by its id. */
  readonly known: ReadonlyMap<string, Known>
  /** The claimed generation is the circuit's probe. */
  readonly isProbe: boolean
}

/**
 * Claims up to `most` due generations, the longest due first; fewer if the look budget has fewer tokens.
 * @param suspects how many of them may be suspect (suspect-gate.ts)
 */
export async function claim(deps: Deps, kind: Kind, most: number, suspects = 1): Promise<Claim> {
  const { db, clock, ids } = deps
  const now = clock.now()
  const at = timestamp(now)
  const lease = ids.next()
  const work = { ...defaults(most, at), ...parts[kind](deps, now, most) }
  const { which, due: isDue, limit, order, before, after, isProbe } = work
  const free = sql`${which} and ${isDue} and ${isFree(generations, now)}`
  const due = sql`
    due as (
      select id from ${generations}
      where ${free} and ${isAmongFewSuspects(generations, { due: free, order, most: suspects })}
      order by ${order} limit ${limit} for update skip locked
    )`
  const claimed = sql`
    claimed as (
      update ${generations}
      set lease = ${claimedLease(generations, lease)}, lease_until = ${timestamp(leased(lease, now).leaseUntil)}
      where id in (select id from due)
      returning *, ${isProbe} as is_probe
    )`
  const statement = sql`
    with ${sql.join([...before, due, ...after, claimed], sql`, `)}
    select ${generationRow.columnsOf('claimed')}, claimed.is_probe, ${languageRow.columnsOf('users')}
    from claimed join ${users} on ${eq(users.id, sql`claimed.user_id`)} order by claimed.next_check_at`
  const found = await readRows(db, statement, generationRow, flag, languageRow)
  const held = found.map(([generation]) => generation)
  const files = kind === 'deliver' && held.length > 0 ? await filesOf(db, held) : undefined
  return {
    held,
    known: new Map(
      found.map(([{ id }, , language]) => [id, { locale: localeFrom(language), artifacts: files?.get(id) }]),
    ),
    isProbe: found.some(([, probes]) => probes),
  }
}

/** If they cannot be read, each delivery reads its own. The rows are claimed already, and would wait until their leases expire. */
const filesOf = (db: Deps['db'], held: readonly Generation[]) =>
  readArtifacts(db, held.map(idOf)).catch(() => undefined)

/** The parts in which the statements of the kinds differ. */
interface Parts {
  readonly which: SQL
  readonly due: SQL
  readonly order: SQL
  readonly limit: SQL
  readonly before: readonly SQL[]
  readonly after: readonly SQL[]
  readonly isProbe: SQL
}

type OwnParts = Pick<Parts, 'which'> & Partial<Parts>

const { nextCheckAt, lastCheckAt, createdAt, submittedAt } = generations

const defaults = (most: number, at: SQL): Omit<Parts, 'which'> => ({
  due: lte(nextCheckAt, at),
  order: sql`${nextCheckAt}`,
  limit: sql`${most}::integer`,
  before: [],
  after: [],
  isProbe: sql`false`,
})

/** Kinds that ask the gateway about a task spend the look budget. */
function looking({ pollsPerSecond: perSecond }: Deps, now: Date, most: number) {
  const at = timestamp(now)
  const looks = { name: 'looks', perSecond }
  return {
    limit: sql`least(${claimLimit(most, at)}, ${tokens(looks)})`,
    before: [stop, bucket(looks, at)],
    after: [probe(now, at), spend(looks, at)],
    isProbe: sql`exists (select from stop)`,
  }
}

const parts: Readonly<Record<Kind, (deps: Deps, now: Date, most: number) => OwnParts>> = {
  submit: (_, now, most) => ({
    which: stateIs('held'),
    limit: claimLimit(most, timestamp(now), noLookIsDue(timestamp(now))),
    before: [stop],
    after: [probe(now, timestamp(now))],
    isProbe: sql`exists (select from stop)`,
  }),
  look: (deps, now, most) => ({ which: stateIs('running'), ...looking(deps, now, most) }),
  // `next_check_at` is the time at which an unknown generation is given up. Candidates get looks no more often than a running task with
  // callbacks.
  'look-at-candidate': (deps, now, most) => ({
    which: sql`${stateIs('unknown')} and ${hasDue(timestamp(now))}`,
    due: sql`${nextCheckAt} is not null and coalesce(${lastCheckAt} <= ${timestamp(now, -deps.pollIntervalMs / 4)}, true)`,
    ...looking(deps, now, most),
  }),
  'look-after-refund': (deps, now, most) => ({ which: isAwaited, ...looking(deps, now, most) }),
  // While the gateway cannot be reached, a candidate waits for its look as long as a running task for its last look.
  'end-lost-submit': (_, now) => ({
    which: sql`${stateIs('submitting', 'unknown')} and not (
      ${stateIs('unknown')} and ${hasDue(timestamp(now))} and ${nextCheckAt} > ${timestamp(now, -lastLookMs)})`,
  }),
  // Money is returned in bounded time even if the gateway never comes back. A held generation has ordered nothing, so it ends
  // at its deadline; a running one may be ready, so it waits somewhat longer for its last look.
  'expire-held': (_, now) => ({
    which: sql`${stateIs('held')} and ${createdAt} <= ${timestamp(now, -submitDeadlineMs)} and ${isOpen(timestamp(now))}`,
  }),
  'expire-running': (_, now) => ({
    which: sql`${stateIs('running')} and ${deadlineBefore(timestamp(now, -lastLookMs))} and ${isOpen(timestamp(now))}`,
    order: sql`${submittedAt}`,
  }),
  deliver: () => ({ which: deliveryIs('pending') }),
}

/** Extends the leases of those of these rows that this process still holds. */
export const renew = ({ db }: Pick<Deps, 'db'>, held: readonly Generation[], until: Date): Promise<void> =>
  renewLeases(db, generations, held, until)

/** Releases these rows to other processes, except those that were being submitted: a submit must not be repeated. */
export async function releaseGenerations(
  { db }: Pick<Deps, 'db'>,
  held: readonly Generation[],
): Promise<void> {
  if (held.length === 0) return
  const leases = held.flatMap(({ lease }) => lease ?? [])
  const isOurs = and(inArray(generations.id, held.map(idOf)), inArray(generations.lease, leases))
  await db
    .update(generations)
    .set(released)
    .where(and(isOurs, ne(generations.state, 'submitting')))
}

const idOf = ({ id }: Pick<Generation, 'id'>): string => id

/**
 * Writes under the lease and releases it; undefined when another worker has taken the row over.
 * @param also further statements, which do not depend on the lease
 */
export async function writeAndRelease(
  { db, dueAt }: ReleaseDeps,
  held: Generation,
  change: GenerationChange,
  also: readonly SQL[] = [],
): Promise<Generation | undefined> {
  const changed = await write({ db }, held, { ...change, ...released }, { also })
  if (changed?.nextCheckAt) dueAt?.(changed.nextCheckAt)
  return changed
}

interface ReleaseDeps extends Pick<Deps, 'db'> {
  /** Called with the time at which the row is due again. */
  readonly dueAt?: (time: Date) => void
}

/** Writes under the lease and keeps it; undefined when another worker has taken the row over, or `provided` is false. */
export function write(
  { db }: Pick<Deps, 'db'>,
  held: Generation,
  change: GenerationChange,
  { provided, also = [] }: { readonly provided?: SQL | undefined; readonly also?: readonly SQL[] } = {},
): Promise<Generation | undefined> {
  const parts = also.map((statement, at) => ({ name: `also_${at}`, statement }))
  return changeGeneration(db, change, and(isHeld(generations, held), provided), parts)
}
