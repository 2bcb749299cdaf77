// The updates table as a queue. Updates are stored before they are confirmed to Telegram, claimed (claim.ts), finished or put off, and
// their ids are kept for some days, since Telegram may send them again.

import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Update } from 'grammy/types'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { isHeld, leasesOf, released } from '../db/queue.ts'
import { emptiedUpdate, isInLane, updates } from '../db/schema.ts'
import { jsonb, timestamp } from '../db/sql.ts'
import type { Clock } from '../runtime/clock.ts'
import { withWords } from '../telegram/words.ts'
import { bodyOf } from './body.ts'
import type { ClaimedUpdate } from './claim.ts'
import { isAboutMoney, lanesOf } from './lanes.ts'
import { mayGoOn, momentMs } from './split-texts.ts'

interface Deps {
  readonly db: Database
  readonly clock: Clock
}

const waiting = alias(updates, 'waiting')

/** Limit of waiting updates per person; above it only payments are accepted from that person. */
const mostWaiting = 100

/** Stores updates in the form that handlers read. @returns the new ones; updates that were received before change nothing */
export async function storeUpdates({ db, clock }: Deps, sent: readonly Update[]): Promise<Update[]> {
  if (sent.length === 0) return []
  const received = sent.map(withWords)
  const now = timestamp(clock.now())
  const insert = sql`
    insert into ${updates} (id, body, chat_id, person_id, received_at, due_at)
    select id, body, chat_id, person_id, ${now}, ${now} + wait * interval '1 ms'
    from jsonb_to_recordset(${jsonb(received.map(toRow))})
      as received (at integer, id bigint, body text, chat_id bigint, person_id bigint, money boolean, wait integer)
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
    body: bodyOf(update),
    chat_id: chatId,
    person_id: personId,
    money: isAboutMoney(update),
    wait: mayGoOn(update) ? momentMs : 0,
  }
}

/** An update and the lease under which it was claimed. */
type Held = Pick<ClaimedUpdate, 'id' | 'lease'>

/** Marks an update as handled and empties it, unless its lease was lost. */
export async function finishUpdate({ db, clock }: Deps, handled: Held): Promise<void> {
  await db.execute(sql`
    update ${updates} set done_at = ${timestamp(clock.now())}, ${emptiedUpdate}, lease = null, lease_until = null, claims = 0
    where ${isHeld(updates, handled)}`)
}

/** Puts an update off. Later updates of its lanes wait for it. @param claimed its number of attempts is stored */
export async function putOff({ db, clock }: Deps, claimed: ClaimedUpdate, pauseMs: number): Promise<void> {
  const dueAt = new Date(clock.now().getTime() + pauseMs)
  await db
    .update(updates)
    .set({ dueAt, attempts: claimed.attempts, ...released })
    .where(isHeld(updates, claimed))
}

export const updateLeases = (db: Database) => leasesOf<ClaimedUpdate>(db, updates, isNull(updates.doneAt))

/** Sets an update aside. Its lanes continue without it, and an operator can have it handled later. */
export async function setAside({ db, clock }: Deps, claimed: ClaimedUpdate): Promise<void> {
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
  const again = { doneAt: null, setAsideAt: null, attempts: 0, dueAt: clock.now() }
  return changeSetAside(db, id, again)
}

/** Drops an update that was set aside, and empties it. @returns false when no such update was set aside */
export const dropSetAside = (db: Database, id: number): Promise<boolean> =>
  changeSetAside(db, id, { setAsideAt: null, body: null, chatId: null, personId: null })

async function changeSetAside(
  db: Database,
  id: number,
  change: Partial<typeof updates.$inferInsert>,
): Promise<boolean> {
  const isSetAside = and(eq(updates.id, id), isNotNull(updates.setAsideAt))
  return (await db.update(updates).set(change).where(isSetAside).returning({ id: updates.id })).length > 0
}
