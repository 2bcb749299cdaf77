// Claims updates under a lease in the order of their lanes, and reads the data that their handlers need first.

import assert from 'node:assert/strict'
import { and, eq, gt, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Update } from 'grammy/types'
import type { Database } from '../db/client.ts'
import { isFree, leased, released, setLease } from '../db/leased-queue.ts'
import { flag, readRows, rowReader } from '../db/row-reader.ts'
import { isInLane, updates } from '../db/schema.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Ids } from '../runtime/ids.ts'
import { canBeKept } from '../runtime/leases.ts'
import { type Known, knownColumns, knownJoins, knownReaders, toKnown } from './known.ts'

interface Deps {
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
}

/** A claimed update. */
export interface ClaimedUpdate {
  readonly id: number
  readonly update: Update
  readonly lease: string
  /** The number of attempts, including the current one. */
  readonly attempts: number
  /** How many processes ended, or lost their lease, while they handled the update. */
  readonly abandoned: number
  readonly receivedAt: Date
  /** Whether later updates of its lanes were waiting when the update was claimed. */
  readonly isAwaited: boolean
  /** The data that handlers read first; undefined when they have to read it themselves. */
  readonly known: Known | undefined
}

type Lease = ReturnType<typeof leased>

interface ClaimLimits {
  /** The limit for updates during which no process ended. */
  readonly fresh: number
  /**
   * The limit for the other updates. They are handled one at a time, since otherwise it is unknown which of several updates ended a
   * process.
   */
  readonly suspect: number
}

/**
 * Claims the first update of each lane that no process is working on. A claim whose answer is late or lost is undone: none of its updates
 * is handled, and if their leases expired, this process would count as one that ended during them.
 * @returns no updates when the answer came too late to keep their leases
 */
export async function claimUpdates({ db, clock, ids }: Deps, places: ClaimLimits): Promise<ClaimedUpdate[]> {
  const now = clock.now()
  const lease = leased(ids.next(), now)
  const claim = claimUnder(lease, now, places)
  const claimed = await readRows(db, claim, claimedRow, flag, flag, ...knownReaders).catch(
    async (error: unknown) => {
      // The statement may have been executed.
      await undoClaim(db, lease).catch(() => undefined)
      throw error
    },
  )
  if (!canBeKept(lease.leaseUntil, clock.now())) {
    await undoClaim(db, lease)
    return []
  }
  return claimed.map(([row, isAwaited, isCurrent, ...read]) => ({
    ...toClaimed(row),
    isAwaited,
    known: isCurrent ? toKnown(row, ...read) : undefined,
  }))
}

/** Releases what was claimed under a lease. It does not count as an attempt, since no handler has begun. */
async function undoClaim(db: Database, { lease }: Lease): Promise<void> {
  await db
    .update(updates)
    .set({ ...released, attempts: sql`${updates.attempts} - 1` })
    .where(and(isNull(updates.doneAt), eq(updates.lease, lease)))
}

function claimUnder(lease: Lease, now: Date, places: ClaimLimits): SQL {
  const isFresh = and(isNull(candidate.lease), eq(candidate.abandoned, 0))
  const isSuspect = or(isNotNull(candidate.lease), gt(candidate.abandoned, 0))
  // The statement reads users, balances and states as they were when it began. If another process has claimed and released the row since
  // then, it may have changed them: `is_current` is false, and they are not used.
  return sql`
    with fresh as (${firstOfLanes(isFresh, now, places.fresh)}),
      suspect as (${firstOfLanes(isSuspect, now, places.suspect)}),
      claimed as (
        update ${updates} set ${setLease(lease)}, attempts = attempts + 1,
          abandoned = abandoned + case when lease is null then 0 else 1 end
        where id in (select id from fresh union all select id from suspect)
        returning id, seq, chat_id, person_id, body, lease, attempts, abandoned, received_at
      )
    select ${claimedRow.columnsOf('claimed')}, (${isFollowed('chat_id')} or ${isFollowed('person_id')}),
      seen.attempts + 1 = claimed.attempts as is_current, ${knownColumns}
    from claimed
    left join lateral (select * from ${updates} where id = claimed.id limit 1) seen on true
    ${knownJoins}`
}

const candidate = alias(updates, 'candidate')
const ahead = alias(updates, 'ahead')
const later = alias(updates, 'later')

/**
 * Due updates with no earlier update of the same chat or person, and none that is being handled: of two statements that store updates of
 * a lane at the same time, the one with the later `seq` may end first.
 */
function firstOfLanes(which: SQL | undefined, now: Date, most: number): SQL {
  const isDue = and(isNull(candidate.doneAt), lte(candidate.dueAt, now), isFree(candidate, now), which)
  const isAhead = or(lt(ahead.seq, candidate.seq), gt(ahead.leaseUntil, now))
  const isBehind = (lane: 'chatId' | 'personId') => sql`exists (
    select from ${updates} ahead
    where ${and(isInLane(ahead), eq(ahead[lane], candidate[lane]), isAhead)})`
  return sql`
    select ${candidate.id} from ${updates} candidate
    where ${isDue} and not ${isBehind('chatId')} and not ${isBehind('personId')}
    order by ${candidate.seq} limit ${most} for update skip locked`
}

const isFollowed = (lane: 'chat_id' | 'person_id'): SQL => sql`exists (
  select from ${updates} later where ${isInLane(later)}
    and later.${sql.identifier(lane)} = claimed.${sql.identifier(lane)} and later.seq > claimed.seq)`

const claimedRow = rowReader({
  id: updates.id,
  chatId: updates.chatId,
  personId: updates.personId,
  body: updates.body,
  lease: updates.lease,
  attempts: updates.attempts,
  abandoned: updates.abandoned,
  receivedAt: updates.receivedAt,
})

function toClaimed({ id, body, lease, attempts, abandoned, receivedAt }: ReturnType<typeof claimedRow.read>) {
  assert(body !== null && lease !== null, 'a claimed update has a body and a lease')
  // The body was written by `toRow`.
  const update: Update = JSON.parse(body)
  return { id, update, lease, attempts, abandoned, receivedAt }
}
