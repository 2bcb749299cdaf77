// Claims updates under a lease in the order of their lanes.

import { and, eq, gt, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Update } from 'grammy/types'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { isFree, leased } from '../db/queue.ts'
import { isInLane, updates } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import type { Claim } from '../runtime/queue-worker.ts'

/** A claimed update. */
export interface ClaimedUpdate {
  readonly id: number
  readonly update: Update
  readonly lease: string
  /** Failed attempts. */
  readonly attempts: number
  readonly claims: number
  readonly receivedAt: Date
  /** Whether later updates of its lanes were waiting when the update was claimed. */
  readonly isAwaited: boolean
}

/** Claims the first update of each lane that no process is working on. */
export function claimUpdates(
  db: Database,
  { lease, now, max, maxSuspects }: Claim,
): Promise<ClaimedUpdate[]> {
  const statement = sql`
    with fresh as (${firstOfLanes(eq(candidate.claims, 0), now, max)}),
      suspect as (${firstOfLanes(gt(candidate.claims, 0), now, maxSuspects)}),
      claimed as (
        update ${updates}
        set lease = ${lease}, lease_until = ${timestamp(leased(lease, now).leaseUntil)}, claims = claims + 1
        where id in (select id from fresh union all select id from suspect)
        returning id, seq, chat_id, person_id, body, lease, attempts, claims, received_at
      )
    select *, (${isFollowed('chat_id')} or ${isFollowed('person_id')}) as is_awaited from claimed order by seq`
  return rows(db, statement, claimedRow)
}

const candidate = alias(updates, 'candidate')
const ahead = alias(updates, 'ahead')
const later = alias(updates, 'later')

/**
 * Due updates with no earlier update of the same chat or person, and none that is being handled: of two statements that store updates of
 * a lane at the same time, the one with the later `seq` may end first.
 */
function firstOfLanes(which: SQL, now: Date, max: number): SQL {
  const isDue = and(isNull(candidate.doneAt), lte(candidate.dueAt, now), isFree(candidate, now), which)
  const isAhead = or(lt(ahead.seq, candidate.seq), gt(ahead.leaseUntil, now))
  const isBehind = (lane: 'chatId' | 'personId') => sql`exists (
    select from ${updates} ahead
    where ${and(isInLane(ahead), eq(ahead[lane], candidate[lane]), isAhead)})`
  return sql`
    select ${candidate.id} from ${updates} candidate
    where ${isDue} and not ${isBehind('chatId')} and not ${isBehind('personId')}
    order by ${candidate.seq} limit ${max} for update skip locked`
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
    claims: z.number(),
    received_at: z.coerce.date(),
    is_awaited: z.boolean(),
  })
  .transform(({ body, received_at: receivedAt, is_awaited: isAwaited, ...row }): ClaimedUpdate => {
    // The body was written by `toRow`.
    const update: Update = JSON.parse(body)
    return { ...row, update, receivedAt, isAwaited }
  })
