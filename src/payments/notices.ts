// The notices table as a queue of messages about money: written in the same statement as the event, claimed under a lease, sent by
// bot/account/notices.ts.

import { and, eq, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { notices } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Ids } from '../runtime/ids.ts'
import { leaseMs } from '../runtime/leases.ts'

export type Notice = typeof notices.$inferSelect
export type NewNotice = Pick<Notice, 'key' | 'kind' | 'userId' | 'chatId' | 'amount'>

interface Deps {
  readonly db: Database
  readonly clock: Clock
}

/**
 * Idempotent by the key of the notice.
 * @param condition on the rest of the statement
 */
export function insertNotice(
  { key, kind, userId, chatId, amount }: NewNotice,
  now: Date,
  condition = sql`true`,
): SQL {
  const at = timestamp(now)
  return sql`
    insert into ${notices} (key, kind, user_id, chat_id, amount, created_at, due_at)
    select ${key}, ${kind}, ${userId}::bigint, ${chatId}::bigint, ${amount}::bigint, ${at}, ${at} where ${condition}
    on conflict (key) do nothing`
}

export async function writeNotice({ db, clock }: Deps, notice: NewNotice): Promise<void> {
  await db.execute(insertNotice(notice, clock.now()))
}

export async function claimNotices(
  { db, clock, ids }: Deps & { readonly ids: Ids },
  most: number,
): Promise<Notice[]> {
  const now = clock.now()
  const lease = ids.next()
  const at = timestamp(now)
  const claim = sql`
    update ${notices} set lease = ${lease}, lease_until = ${timestamp(now, leaseMs)},
      attempts = attempts + 1
    where id in (
      select id from ${notices}
      where done_at is null and due_at <= ${at} and (lease_until is null or lease_until <= ${at})
      order by due_at, id limit ${most} for update skip locked
    )
    returning id::text`
  const claimed = await rows(db, claim, z.object({ id: z.coerce.bigint() }))
  if (claimed.length === 0) return []
  const found = claimed.map(({ id }) => id)
  return db
    .select()
    .from(notices)
    .where(and(inArray(notices.id, found), eq(notices.lease, lease)))
}

const heldBy = ({ id, lease }: Notice) => and(eq(notices.id, id), eq(notices.lease, lease ?? ''))

export async function finishNotice({ db, clock }: Deps, notice: Notice): Promise<void> {
  await db.update(notices).set({ doneAt: clock.now(), lease: null, leaseUntil: null }).where(heldBy(notice))
}

/** @param chatId the chat to send it to from now on */
export async function postponeNotice(
  { db, clock }: Deps,
  notice: Notice,
  pauseMs: number,
  chatId = notice.chatId,
): Promise<void> {
  const dueAt = new Date(clock.now().getTime() + pauseMs)
  await db.update(notices).set({ dueAt, chatId, lease: null, leaseUntil: null }).where(heldBy(notice))
}

export async function renewNotices(db: Database, leases: readonly string[], leaseUntil: Date): Promise<void> {
  await db
    .update(notices)
    .set({ leaseUntil })
    // Finished rows have no lease; the second condition makes the statement use the partial index.
    .where(and(inArray(notices.lease, [...leases]), isNull(notices.doneAt)))
}

/** Longer than any event is reported again. */
const keptForMs = 30 * 24 * 60 * 60_000

export async function deleteOldNotices({ db, clock }: Deps): Promise<void> {
  await db.delete(notices).where(lt(notices.doneAt, new Date(clock.now().getTime() - keptForMs)))
}
