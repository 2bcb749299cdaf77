// The updates table as a queue. Updates are stored before they are confirmed to Telegram, claimed under a lease in the order of their
// lanes, and their ids are kept for some days, since Telegram may send them again.

import { and, eq, gt, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Update } from 'grammy/types'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { isFree, isHeld, released } from '../db/leased-queue.ts'
import { isInLane, updates } from '../db/schema.ts'
import { jsonb, timestamp } from '../db/sql.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Ids } from '../runtime/ids.ts'
import { leaseMs } from '../runtime/leases.ts'
import { isAboutMoney, lanesOf } from './lanes.ts'

interface Deps {
  readonly db: Database
  readonly clock: Clock
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
}

/** Limit of waiting updates per person; above it only payments are accepted from that person. */
const mostWaiting = 100

/** The updates are stored when it resolves. @returns the new ones; updates that were received before change nothing */
export async function storeUpdates({ db, clock }: Deps, received: readonly Update[]): Promise<Update[]> {
  if (received.length === 0) return []
  const now = timestamp(clock.now())
  const insert = sql`
    insert into ${updates} (id, body, chat_id, person_id, received_at, due_at)
    select id, body, chat_id, person_id, ${now}, ${now}
    from jsonb_to_recordset(${jsonb(received.map(toRow))})
      as received (at integer, id bigint, body text, chat_id bigint, person_id bigint, money boolean)
    where money or (select count(*) from (
      select from ${updates} waiting where waiting.person_id = received.person_id and ${isInLane(waiting)} limit ${mostWaiting}
    ) counted) < ${mostWaiting}
    order by at
    on conflict do nothing
    returning id`
  const stored = await rows(db, insert, z.object({ id: z.coerce.number() }))
  const isNew = new Set(stored.map(({ id }) => id))
  return received.filter(({ update_id }) => isNew.delete(update_id))
}

function toRow(update: Update, at: number) {
  const { chatId, personId } = lanesOf(update)
  return {
    at,
    id: update.update_id,
    body: JSON.stringify(update),
    chat_id: chatId,
    person_id: personId,
    money: isAboutMoney(update),
  }
}

const claimedRow = z.object({
  id: z.coerce.number(),
  body: z.string(),
  lease: z.string(),
  attempts: z.coerce.number(),
  abandoned: z.coerce.number(),
  received_at: z.coerce.date(),
})

interface Places {
  /** For updates during which no process ended. */
  readonly fresh: number
  /** For the others. They are handled one at a time, since otherwise it is unknown which of several ended a process. */
  readonly suspect: number
}

/** Claims the first update of each lane that no process is working on. */
export async function claimUpdates(
  { db, clock, ids }: Deps & { readonly ids: Ids },
  places: Places,
): Promise<Claimed[]> {
  const now = clock.now()
  const isFresh = and(isNull(candidate.lease), eq(candidate.abandoned, 0))
  const isSuspect = or(isNotNull(candidate.lease), gt(candidate.abandoned, 0))
  const claim = sql`
    with fresh as (${firstOfLanes(isFresh, now, places.fresh)}),
      suspect as (${firstOfLanes(isSuspect, now, places.suspect)})
    update ${updates} set lease = ${ids.next()}, lease_until = ${timestamp(now, leaseMs)}, attempts = attempts + 1,
      abandoned = abandoned + case when lease is null then 0 else 1 end
    where id in (select id from fresh union all select id from suspect)
    returning id, body, lease, attempts, abandoned, received_at`
  return (await rows(db, claim, claimedRow)).map(toClaimed)
}

const candidate = alias(updates, 'candidate')
const earlier = alias(updates, 'earlier')
const waiting = alias(updates, 'waiting')

/** Due updates that no earlier update of the same chat or person precedes. */
function firstOfLanes(which: SQL | undefined, now: Date, most: number): SQL {
  const isDue = and(isNull(candidate.doneAt), lte(candidate.dueAt, now), isFree(candidate, now), which)
  const isBehind = (lane: 'chatId' | 'personId') => sql`exists (
    select from ${updates} earlier
    where ${and(isInLane(earlier), eq(earlier[lane], candidate[lane]), lt(earlier.seq, candidate.seq))})`
  return sql`
    select ${candidate.id} from ${updates} candidate
    where ${isDue} and not ${isBehind('chatId')} and not ${isBehind('personId')}
    order by ${candidate.seq} limit ${most} for update skip locked`
}

/** The body was written by `toRow`. */
const toClaimed = ({ body, received_at: receivedAt, ...rest }: z.output<typeof claimedRow>): Claimed => ({
  ...rest,
  receivedAt,
  update: JSON.parse(body),
})

/** The text of the update is deleted. */
export async function finishUpdate({ db, clock }: Deps, claimed: Claimed): Promise<void> {
  const done = { doneAt: clock.now(), body: null, ...released }
  await db.update(updates).set(done).where(isHeld(updates, claimed))
}

/** Later updates of its lanes wait for it. */
export async function putOff({ db, clock }: Deps, claimed: Claimed, pauseMs: number): Promise<void> {
  const dueAt = new Date(clock.now().getTime() + pauseMs)
  await db
    .update(updates)
    .set({ dueAt, ...released })
    .where(isHeld(updates, claimed))
}

/** Its lanes continue without it; an operator can have it handled later. */
export async function setAside({ db, clock }: Deps, claimed: Claimed): Promise<void> {
  const now = clock.now()
  const done = { doneAt: now, setAsideAt: now, ...released }
  await db.update(updates).set(done).where(isHeld(updates, claimed))
}

interface SetAside {
  readonly id: number
  readonly setAsideAt: Date
  readonly body: string
}

export async function listSetAside(db: Database): Promise<SetAside[]> {
  const found = await db
    .select({ id: updates.id, setAsideAt: updates.setAsideAt, body: updates.body })
    .from(updates)
    .where(isNotNull(updates.setAsideAt))
    .orderBy(updates.setAsideAt)
  return found.flatMap(({ id, setAsideAt: at, body }) =>
    at && body !== null ? [{ id, setAsideAt: at, body }] : [],
  )
}

/** @returns false when no such update was set aside */
export async function retrySetAside({ db, clock }: Deps, id: number): Promise<boolean> {
  const again = { doneAt: null, setAsideAt: null, abandoned: 0, attempts: 0, dueAt: clock.now() }
  return changeSetAside(db, id, again)
}

/** Deletes its text. @returns false when no such update was set aside */
export const dropSetAside = (db: Database, id: number): Promise<boolean> =>
  changeSetAside(db, id, { setAsideAt: null, body: null })

async function changeSetAside(
  db: Database,
  id: number,
  change: Partial<typeof updates.$inferInsert>,
): Promise<boolean> {
  const isSetAside = and(eq(updates.id, id), isNotNull(updates.setAsideAt))
  return (await db.update(updates).set(change).where(isSetAside).returning({ id: updates.id })).length > 0
}
