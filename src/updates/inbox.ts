// The updates table as a queue: stored before Telegram is told that we have them, claimed under a lease in the order of
// their lanes, and remembered for a while after, since Telegram may tell them again.

import { and, eq, inArray, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { Update } from 'grammy/types'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { updates } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
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
  readonly update: Update
  readonly lease: string
  /** With this one. */
  readonly attempts: number
  /** How many processes ended while they handled it. */
  readonly abandoned: number
  readonly receivedAt: Date
}

/** What one person may have waiting: beyond it, nothing but payments is taken from them. */
const mostWaiting = 100

/** Done when it resolves. @returns those that are new: what was told before changes nothing */
export async function storeUpdates({ db, clock }: Deps, told: readonly Update[]): Promise<Update[]> {
  if (told.length === 0) return []
  const now = timestamp(clock.now())
  const insert = sql`
    insert into ${updates} (id, body, chat_id, person_id, received_at, due_at)
    select id, body, chat_id, person_id, ${now}, ${now}
    from jsonb_to_recordset(${JSON.stringify(told.map(toRow))}::text::jsonb)
      as told (at integer, id bigint, body text, chat_id bigint, person_id bigint, money boolean)
    where money or (select count(*) from (
      select from ${updates} w where w.person_id = told.person_id and w.done_at is null limit ${mostWaiting}
    ) waiting) < ${mostWaiting}
    order by at
    on conflict do nothing
    returning id`
  const stored = await rows(db, insert, z.object({ id: z.coerce.number() }))
  const isNew = new Set(stored.map(({ id }) => id))
  return told.filter(({ update_id }) => isNew.delete(update_id))
}

function toRow(update: Update, at: number) {
  const { chatId, personId } = lanesOf(update)
  return {
    ...{ at, id: update.update_id, body: JSON.stringify(update) },
    ...{ chat_id: chatId, person_id: personId, money: isAboutMoney(update) },
  }
}

const claimedRow = z.object({
  body: z.string(),
  lease: z.string(),
  attempts: z.coerce.number(),
  abandoned: z.coerce.number(),
  received_at: z.coerce.date(),
})

export interface Places {
  /** For updates that no process has ended with. */
  readonly fresh: number
  /** For the others: which of several it was that ended a process cannot be told, so they are handled one at a time. */
  readonly suspect: number
}

/** Takes the first of each lane, unless a process is at work on that lane. */
export async function claimUpdates(
  { db, clock, ids }: Deps & { readonly ids: Ids },
  places: Places,
): Promise<Claimed[]> {
  const now = clock.now()
  const until = timestamp(now, leaseMs)
  const claim = sql`
    with fresh as (${first(sql`u.lease is null and u.abandoned = 0`, now, places.fresh)}),
      suspect as (${first(sql`(u.lease is not null or u.abandoned > 0)`, now, places.suspect)})
    update ${updates} set lease = ${ids.next()}, lease_until = ${until}, attempts = attempts + 1,
      abandoned = abandoned + case when lease is null then 0 else 1 end
    where id in (select id from fresh union all select id from suspect)
    returning body, lease, attempts, abandoned, received_at`
  const claimed = await rows(db, claim, claimedRow)
  return claimed.map(toClaimed)
}

/** What is due and first in both of its lanes. */
function first(which: SQL, now: Date, most: number): SQL {
  const at = timestamp(now)
  const isBehind = (lane: 'chat_id' | 'person_id') => sql`exists (
    select from ${updates} e where e.done_at is null and e.${sql.identifier(lane)} = u.${sql.identifier(lane)} and e.seq < u.seq)`
  return sql`
    select u.id from ${updates} u
    where u.done_at is null and u.due_at <= ${at} and (u.lease_until is null or u.lease_until <= ${at}) and ${which}
      and not ${isBehind('chat_id')} and not ${isBehind('person_id')}
    order by u.seq limit ${most} for update skip locked`
}

/** The body was written by `toRow`. */
const toClaimed = ({ body, received_at: receivedAt, ...rest }: z.output<typeof claimedRow>): Claimed => ({
  ...{ ...rest, receivedAt },
  update: JSON.parse(body),
})

const heldBy = ({ update, lease }: Claimed) => and(eq(updates.id, update.update_id), eq(updates.lease, lease))

/** Its text is not kept any longer. */
export async function finishUpdate({ db, clock }: Deps, claimed: Claimed): Promise<void> {
  const done = { doneAt: clock.now(), body: null, lease: null, leaseUntil: null }
  await db.update(updates).set(done).where(heldBy(claimed))
}

/** Its lane waits with it. */
export async function putOff({ db, clock }: Deps, claimed: Claimed, pauseMs: number): Promise<void> {
  const dueAt = new Date(clock.now().getTime() + pauseMs)
  await db.update(updates).set({ dueAt, lease: null, leaseUntil: null }).where(heldBy(claimed))
}

/** Its lanes go on without it; an operator may have it handled after all. */
export async function setAside({ db, clock }: Deps, claimed: Claimed): Promise<void> {
  const now = clock.now()
  await db
    .update(updates)
    .set({ doneAt: now, setAsideAt: now, lease: null, leaseUntil: null })
    .where(heldBy(claimed))
}

export interface SetAside {
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

/** Forgets its text. @returns false when no such update was set aside */
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

/** For as long as they are worked on; see leases.ts. */
export async function renewUpdates(db: Database, leases: readonly string[], until: Date): Promise<void> {
  await db
    .update(updates)
    .set({ leaseUntil: until })
    // What is done has no lease; to say so lets the index be used, not the whole table.
    .where(and(inArray(updates.lease, [...leases]), isNull(updates.doneAt)))
}

/** Telegram tells nothing again that is older than a day. */
const memoryMs = 3 * 24 * 60 * 60_000

/** What was set aside stays until an operator has decided: it may report a payment. */
export async function forgetOldUpdates({ db, clock }: Deps): Promise<void> {
  const isOld = lt(updates.doneAt, new Date(clock.now().getTime() - memoryMs))
  await db.delete(updates).where(and(isOld, isNull(updates.setAsideAt)))
}
