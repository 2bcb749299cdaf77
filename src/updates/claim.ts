// Claims updates under a lease in the order of their lanes, together with what their handlers read first.

import { and, eq, gt, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Update } from 'grammy/types'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { isFree } from '../db/leased-queue.ts'
import { updates } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Ids } from '../runtime/ids.ts'
import { leaseMs } from '../runtime/leases.ts'
import { type Known, knownColumns, knownJoins, knownRow, toKnown } from './known.ts'

interface Deps {
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
}

/** A claimed update. */
export interface Claimed {
  readonly id: number
  readonly update: Update
  readonly lease: string
  /** Including the current one. */
  readonly attempts: number
  /** How many processes ended, or lost their lease, while they handled it. */
  readonly abandoned: number
  readonly receivedAt: Date
  /** Whether later updates of its lanes were waiting when it was claimed. */
  readonly isAwaited: boolean
  /** Undefined when handlers have to ask themselves. */
  readonly known: Known | undefined
}

interface Places {
  /** For updates during which no process ended. */
  readonly fresh: number
  /** For the others. They are handled one at a time, since otherwise it is unknown which of several ended a process. */
  readonly suspect: number
}

/**
 * Claims the first update of each lane that no process is working on.
 * @returns none when the answer came after their leases had expired
 */
export async function claimUpdates({ db, clock, ids }: Deps, places: Places): Promise<Claimed[]> {
  const now = clock.now()
  const claim = sql`
    with heads as materialized (${headsOfLanes(now)}),
      fresh as (${locked(sql`is_fresh`, isFresh(candidate), now, places.fresh)}),
      suspect as (${locked(sql`not is_fresh`, isSuspect(candidate), now, places.suspect)}),
      claimed as (
        update ${updates} set lease = ${ids.next()}, lease_until = ${timestamp(now, leaseMs)}, attempts = attempts + 1,
          abandoned = abandoned + case when lease is null then 0 else 1 end
        where id in (select id from fresh union all select id from suspect)
        returning id, seq, chat_id, person_id, body, lease, attempts, abandoned, received_at
      )
    select claimed.id, claimed.body, claimed.lease, claimed.attempts, claimed.abandoned, claimed.received_at,
      (${isFollowed('chat_id')} or ${isFollowed('person_id')}) as is_awaited,
      seen.attempts + 1 = claimed.attempts as is_current, ${knownColumns}
    from claimed
    left join lateral (select * from ${updates} where id = claimed.id limit 1) seen on true
    ${knownJoins}`
  const claimed = await rows(db, claim, claimedRow)
  const isTooLate = clock.now().getTime() - now.getTime() >= leaseMs
  return isTooLate ? [] : claimed.map(toClaimed)
}

const waiting = alias(updates, 'waiting')
const candidate = alias(updates, 'candidate')
type Row = typeof waiting | typeof candidate

const isDue = (row: Row, now: Date) => and(isNull(row.doneAt), lte(row.dueAt, now), isFree(row, now))
/** No process ended during it. */
const isFresh = (row: Row) => and(isNull(row.lease), eq(row.abandoned, 0))
const isSuspect = (row: Row) => or(isNotNull(row.lease), gt(row.abandoned, 0))

/**
 * Due updates that no earlier update of the same chat or person precedes. Each waiting row is read once: comparing the rows with each other
 * by `exists` takes a second for ten thousand rows when the planner expects none, which it does after a quiet time.
 */
function headsOfLanes(now: Date): SQL {
  const isFirst = (lane: typeof waiting.chatId | typeof waiting.personId) =>
    sql`(${lane} is null or row_number() over (partition by ${lane} order by ${waiting.seq}) = 1)`
  return sql`
    select id, is_fresh from (
      select ${waiting.id}, ${isDue(waiting, now)} as is_due, ${isFresh(waiting)} as is_fresh,
        ${isFirst(waiting.chatId)} as is_first_in_chat, ${isFirst(waiting.personId)} as is_first_of_person
      from ${updates} waiting where ${isNull(waiting.doneAt)}
    ) looked where is_due and is_first_in_chat and is_first_of_person`
}

/**
 * Rows that another process is claiming at the moment are skipped; one that it has claimed meanwhile no longer meets the conditions. Without
 * heads no row is read.
 */
const locked = (which: SQL, isStill: SQL | undefined, now: Date, most: number): SQL => sql`
  select ${candidate.id} from ${updates} candidate
  where exists (select from heads where ${which}) and ${candidate.id} = any (array(select id from heads where ${which}))
    and ${isDue(candidate, now)} and ${isStill}
  order by ${candidate.seq} limit ${most} for update skip locked`

const isFollowed = (lane: 'chat_id' | 'person_id'): SQL => sql`exists (
  select from ${updates} later where later.done_at is null
    and later.${sql.identifier(lane)} = claimed.${sql.identifier(lane)} and later.seq > claimed.seq)`

const claimedRow = z.object({
  id: z.coerce.number(),
  body: z.string(),
  lease: z.string(),
  attempts: z.coerce.number(),
  abandoned: z.coerce.number(),
  received_at: z.coerce.date(),
  is_awaited: z.boolean(),
  /**
   * Whether the row was not claimed and released by another process while this statement ran: what the statement reads is as it was
   * when the statement began.
   */
  is_current: z.boolean(),
  ...knownRow.shape,
})

/** The body was written by `toRow`. */
const toClaimed = (row: z.output<typeof claimedRow>): Claimed => ({
  id: row.id,
  update: JSON.parse(row.body),
  lease: row.lease,
  attempts: row.attempts,
  abandoned: row.abandoned,
  receivedAt: row.received_at,
  isAwaited: row.is_awaited,
  known: row.is_current ? toKnown(row) : undefined,
})
