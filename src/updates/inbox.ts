// The updates table as a queue. Updates are stored before they are confirmed to Telegram, claimed in the order of their lanes, finished or
// put off, and their ids are kept for some days, since Telegram may send them again.

import { and, eq, gt, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Update } from 'grammy/types'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { isFree, isHeld, leased, leasesOf, released } from '../db/queue.ts'
import { emptiedUpdate, isInLane, updates } from '../db/schema.ts'
import { jsonb, timestamp, unstorable } from '../db/sql.ts'
import { deleteOld } from '../db/upkeep.ts'
import { type Clock, dayMs } from '../runtime/clock.ts'
import type { Claim } from '../runtime/queue-worker.ts'
import { withWords } from '../telegram/words.ts'
import { mayGoOn, momentMs } from './split-texts.ts'

// Lanes: updates of one chat are handled one after another, and so are updates of one person in all chats.

interface Lanes {
  readonly chatId: number | undefined
  readonly personId: number | undefined
}

const noLane: Lanes = { chatId: undefined, personId: undefined }

/**
 * Updates without a lane wait for no other update. A pre-checkout query must be answered within seconds. A payment is retried until it
 * succeeds, which may take a day, and must not block the payer's chat for that long. An inline query changes nothing and expires soon.
 */
export function lanesOf(update: Update): Lanes {
  if (isAboutMoney(update)) return noLane
  const message = update.message ?? update.edited_message
  if (message) return { chatId: message.chat.id, personId: message.from?.id }
  const { callback_query: tap, my_chat_member: member } = update
  if (tap) return { chatId: tap.message?.chat.id, personId: tap.from.id }
  return member ? { chatId: member.chat.id, personId: member.from.id } : noLane
}

export const isAboutMoney = ({ message }: Update): boolean =>
  message?.successful_payment !== undefined || message?.refunded_payment !== undefined

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
  const stored = await rows(db, insert, storedRow)
  const isNew = new Set(stored.map(({ id }) => id))
  return received.filter(({ update_id }) => isNew.delete(update_id))
}

const storedRow = z.object({ id: z.coerce.number() })

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

/**
 * The stored text of an update. Replaces characters that cannot be stored: handlers store parts of an update as text and jsonb, neither of
 * which accepts NUL or half a surrogate pair. The replacements have the same length, so that the offsets of entities stay right.
 */
function bodyOf(update: Update): string {
  const body = JSON.stringify(update)
  return unstorable.test(body) ? JSON.stringify(update, storable) : body
}

const storable = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', ' ') : value

/** A claimed update. */
export interface ClaimedUpdate {
  readonly id: number
  readonly update: Update
  readonly lease: string
  /** Failed attempts. */
  readonly attempts: number
  readonly claims: number
  readonly receivedAt: Date
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
        returning id, seq, body, lease, attempts, claims, received_at
      )
    select * from claimed order by seq`
  return rows(db, statement, claimedRow)
}

const candidate = alias(updates, 'candidate')
const ahead = alias(updates, 'ahead')

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

const claimedRow = z
  .object({
    id: z.coerce.number(),
    body: z.string(),
    lease: z.string(),
    attempts: z.number(),
    claims: z.number(),
    received_at: z.coerce.date(),
  })
  .transform(({ body, received_at: receivedAt, ...row }): ClaimedUpdate => {
    // The body was written by `toRow`.
    const update: Update = JSON.parse(body)
    return { ...row, update, receivedAt }
  })

/** Marks an update as handled and empties it, unless its lease was lost. */
export async function finishUpdate(
  { db, clock }: Deps,
  handled: Pick<ClaimedUpdate, 'id' | 'lease'>,
): Promise<void> {
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

/** Telegram does not repeat updates that are older than a day. */
const keptMs = 3 * dayMs

/** Deletes old ids. Updates that were set aside are kept until an operator has decided about them: one may report a payment. */
export const forgetOldUpdates = (deps: Deps, stopping?: AbortSignal): Promise<void> =>
  deleteOld(
    deps,
    { table: updates, time: updates.doneAt, keptMs, which: isNull(updates.setAsideAt) },
    stopping,
  )

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
