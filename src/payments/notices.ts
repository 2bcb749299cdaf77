// The notices table as a queue of messages about money and decisions of operators: written in the same statement as the event, claimed
// under a lease, sent by bot/account/notices.ts. The key of a notice is its kind and its event, so an event is told once.

import { and, eq, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, type DbDeps, rows } from '../db/client.ts'
import { claimed, isClaimable, isHeld, leasesOf, released } from '../db/queue.ts'
import { noticeKinds, notices } from '../db/schema.ts'
import { isOneOf, timestamp } from '../db/sql.ts'
import { deleteOld } from '../db/upkeep.ts'
import { isGuarded } from '../ledger/ledger.ts'
import { closeWallets } from '../ledger/wallets.ts'
import { dayMs } from '../runtime/clock.ts'
import type { Claim } from '../runtime/queue-worker.ts'

export type Notice = typeof notices.$inferSelect
export interface NewNotice extends Pick<Notice, 'kind' | 'userId' | 'amount'> {
  /** What has happened: a charge, a transfer by its key, a report by its id. */
  readonly event: string
}

export const noticeKey = ({ kind, event }: Pick<NewNotice, 'kind' | 'event'>): string => `${kind}:${event}`
export const eventOf = ({ kind, key }: Pick<Notice, 'kind' | 'key'>): string => key.slice(kind.length + 1)

/** A statement that inserts a notice, once for each event. @param condition on the rest of the statement */
export function insertNotice(notice: NewNotice, now: Date, condition = sql`true`, laterMs?: number): SQL {
  const { kind, userId, amount } = notice
  return sql`
    insert into ${notices} (key, kind, user_id, amount, created_at, due_at)
    select ${noticeKey(notice)}, ${kind}, ${userId}::bigint, ${amount}::bigint, ${timestamp(now)}, ${timestamp(now, laterMs)}
    where ${condition}
    on conflict (key) do nothing`
}

/**
 * The same as a further statement of a move of money (see `post`): the notice is written if the guard of the move returns a row.
 * @param laterMs leaves time for what the notice tells, too, until `hastenNotice`
 */
export const insertGuardedNotice = (notice: NewNotice, now: Date, laterMs?: number): SQL =>
  insertNotice(notice, now, isGuarded, laterMs)

/** Has a notice sent that was written for later. */
export async function hastenNotice({ db, clock }: DbDeps, notice: NewNotice): Promise<void> {
  await db
    .update(notices)
    .set({ dueAt: clock.now() })
    .where(eq(notices.key, noticeKey(notice)))
}

/**
 * Makes a change and writes its notice in one statement, so that a process that ends in between cannot lose the notice.
 * @param change an `update … returning`
 * @returns whether the change returned a row, so that the notice was written
 */
export async function changeAndTell({ db, clock }: DbDeps, change: SQL, notice: NewNotice): Promise<boolean> {
  const told = insertGuardedNotice(notice, clock.now())
  const both = sql`with guard as (${change}), told as (${told}) select 1 as changed from guard`
  return (await rows(db, both, z.object({ changed: z.number() }))).length > 0
}

/**
 * Switches the wallets of a group off and tells their owners, in one statement.
 * @param event id of the event that happened to the group
 * @returns the ids of the wallets
 */
export async function closeWalletsAndTell(
  { db, clock }: DbDeps,
  event: number,
  ...group: Parameters<typeof closeWallets>
): Promise<string[]> {
  const at = timestamp(clock.now())
  const both = sql`
    with closed as (${closeWallets(...group)}), told as (
      insert into ${notices} (key, kind, user_id, amount, created_at, due_at)
      select 'wallet-off:' || id || ':' || ${String(event)}::text, 'wallet-off', owner_id, available, ${at}, ${at} from closed
      on conflict (key) do nothing)
    select id::text from closed`
  return (await rows(db, both, z.object({ id: z.string() }))).map(({ id }) => id)
}

export async function writeNotice({ db, clock }: DbDeps, notice: NewNotice): Promise<void> {
  await db.execute(insertNotice(notice, clock.now()))
}

/** During a rolling update, processes of a newer version write kinds that this one does not know: the newer processes send them. */
const isWaiting = and(isNull(notices.doneAt), isOneOf(notices.kind, ...noticeKinds))

export function claimNotices(db: Database, claim: Claim): Promise<Notice[]> {
  const due = and(isWaiting, lte(notices.dueAt, claim.now))
  const order = sql`${notices.dueAt}, ${notices.id}`
  return db
    .update(notices)
    .set(claimed(notices, claim))
    .where(isClaimable(notices, { due, order }, claim))
    .returning()
}

export async function finishNotice({ db, clock }: DbDeps, notice: Notice): Promise<void> {
  await db
    .update(notices)
    .set({ doneAt: clock.now(), ...released })
    .where(isHeld(notices, notice))
}

/** Puts a notice off after an attempt that failed. */
export async function postponeNotice({ db, clock }: DbDeps, notice: Notice, pauseMs: number): Promise<void> {
  const dueAt = new Date(clock.now().getTime() + pauseMs)
  await db
    .update(notices)
    .set({ dueAt, attempts: notice.attempts + 1, ...released })
    .where(isHeld(notices, notice))
}

export const noticeLeases = (db: Database) => leasesOf<Notice>(db, notices, isNull(notices.doneAt))

/** How long handled notices are kept: longer than the time within which an event may be reported again. */
const keptMs = 30 * dayMs

export const deleteOldNotices = (deps: DbDeps, stopping?: AbortSignal): Promise<void> =>
  deleteOld(deps, { table: notices, time: notices.doneAt, keptMs }, stopping)
