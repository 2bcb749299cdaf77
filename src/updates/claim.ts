// Claims updates under a lease in the order of their lanes.

import { and, eq, gt, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Update } from 'grammy/types'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { isFree, leased, released, setLease } from '../db/leased-queue.ts'
import { isInLane, updates } from '../db/schema.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Ids } from '../runtime/ids.ts'
import { canBeKept } from '../runtime/leases.ts'

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
  const claimed = await rows(db, claimUnder(lease, now, places), claimedRow).catch(async (error: unknown) => {
    // The statement may have been executed.
    await undoClaim(db, lease).catch(() => undefined)
    throw error
  })
  if (!canBeKept(lease.leaseUntil, clock.now())) {
    await undoClaim(db, lease)
    return []
  }
  return claimed
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
  return sql`
    with fresh as (${firstOfLanes(isFresh, now, places.fresh)}),
      suspect as (${firstOfLanes(isSuspect, now, places.suspect)}),
      claimed as (
        update ${updates} set ${setLease(lease)}, attempts = attempts + 1,
          abandoned = abandoned + case when lease is null then 0 else 1 end
        where id in (select id from fresh union all select id from suspect)
        returning id, seq, chat_id, person_id, body, lease, attempts, abandoned, received_at
      )
    select *, (${isFollowed('chat_id')} or ${isFollowed('person_id')}) as is_awaited from claimed order by seq`
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

const claimedRow = z
  .object({
    id: z.coerce.number(),
    body: z.string(),
    lease: z.string(),
    attempts: z.number(),
    abandoned: z.number(),
    received_at: z.coerce.date(),
    is_awaited: z.boolean(),
  })
  .transform(({ body, received_at: receivedAt, is_awaited: isAwaited, ...row }): ClaimedUpdate => {
    // The body was written by `toRow`.
    const update: Update = JSON.parse(body)
    return { ...row, update, receivedAt, isAwaited }
  })
