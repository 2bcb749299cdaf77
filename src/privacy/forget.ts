// Deletion of a user's data on their request: the user's row loses all that identifies a person, texts and files are emptied, and the money
// rows stay without a name.

import { and, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, oneRow, rows } from '../db/client.ts'
import {
  accounts,
  artifacts,
  broadcastRecipients,
  codeUses,
  conversationStates,
  conversations,
  drafts,
  emptiedUpdate,
  generations,
  messageNotes,
  notices,
  operatorActions,
  presets,
  quotes,
  reports,
  styles,
  topUps,
  turns,
  updates,
  users,
} from '../db/schema.ts'
import { bigint, timestamp } from '../db/sql.ts'
import { readBalance } from '../ledger/ledger.ts'
import { isAwaited } from '../orders/generation.ts'
import { isRefunding } from '../payments/taken-credit.ts'
import { recordForgotten } from '../users/user.ts'

/**
 * `live`: an order or a hold is open; `paying`: a payment may still arrive; `refunding`: a payment is being refunded to the user;
 * `banned`, `owing`: only an operator may delete the data, since the ban, or the debt, ends with it.
 */
export type ForgetRefusal = 'live' | 'paying' | 'refunding' | 'banned' | 'owing' | 'gone'

type By = 'user' | 'operator'

type Forgotten = { readonly ok: true } | { readonly ok: false; readonly reason: ForgetRefusal }

/** Whether deletion is possible now, and if not, why. */
export async function mayForget(db: Database, userId: bigint, by: By = 'user'): Promise<Forgotten> {
  const [user] = await db.select().from(users).where(eq(users.id, userId))
  if (!user?.telegramId) return { ok: false, reason: 'gone' }
  if (user.bannedAt && by === 'user') return { ok: false, reason: 'banned' }
  const [paying] = await db
    .select({ id: topUps.id })
    .from(topUps)
    .where(and(eq(topUps.userId, userId), isNotNull(topUps.nextCheckAt)))
    .limit(1)
  if (paying) return { ok: false, reason: 'paying' }
  const query = sql`select ${isRefunding(userId)} as refunding, ${isLive(userId)} as live`
  const open = await oneRow(db, query, z.object({ refunding: z.boolean(), live: z.boolean() }))
  if (open.refunding) return { ok: false, reason: 'refunding' }
  const { available, held } = await readBalance(db, userId)
  if (open.live || held > 0n) return { ok: false, reason: 'live' }
  return available < 0n && by === 'user' ? { ok: false, reason: 'owing' } : { ok: true }
}

/**
 * Whether deletion has to wait. Also for orders that a wallet of the user pays, results that are not delivered yet, and answers to other
 * users in a group conversation that this user began.
 */
const isLive = (userId: bigint) => sql`(exists (
    select from ${accounts} where kind = 'group' and owner_id = ${userId}::bigint and held > 0)
  or exists (
    select from ${generations} where user_id = ${userId}::bigint
      and (settled_at is null or next_check_at is not null) and not ${isAwaited})
  or exists (
    select from ${turns} t join ${conversations} h on h.id = t.thread_id
    where (t.state = 'streaming' or t.delivery = 'pending') and (t.user_id = ${userId}::bigint or h.user_id = ${userId}::bigint)))`

/**
 * @param personHash recognises a person who comes back: see users/user.ts
 * @param operators their Telegram ids: they were asked questions with the name of the user
 */
export async function forget(
  db: Database,
  userId: bigint,
  personHash: string,
  now: Date,
  operators: readonly number[] = [],
  by: By = 'user',
): Promise<Forgotten> {
  const telegramId = await close(db, userId, personHash, now, by)
  if (telegramId === undefined) {
    const why = await mayForget(db, userId, by)
    // The obstacle has ended since; a repeated call will succeed.
    return why.ok ? { ok: false, reason: 'live' } : why
  }
  for (const statement of emptying(userId, telegramId, now, operators)) await db.execute(statement)
  return { ok: true }
}

/**
 * Decides, and closes the account and the wallets, in one statement: nothing can be ordered from then on. Everything after it may be done
 * again, and is, if the process ends in between: the Telegram id goes last.
 * @returns undefined when the deletion has to wait
 */
async function close(
  db: Database,
  userId: bigint,
  personHash: string,
  now: Date,
  by: By,
): Promise<number | undefined> {
  const statement = sql`
    with account as (
      select owner_id from ${accounts} a
      where a.kind = 'user' and a.owner_id = ${bigint(userId)} and a.held = 0 and a.open_orders = 0
        and (${by === 'operator'} or a.available >= 0)
      for no key update
    ), wallet as (
      select w.held from ${accounts} w, account where w.kind = 'group' and w.owner_id = account.owner_id
      for no key update of w
    ), gone as (
      update ${users} u set forgotten_at = coalesce(u.forgotten_at, ${timestamp(now)}) from account
      where u.id = account.owner_id and u.telegram_id is not null and (${by === 'operator'} or u.banned_at is null)
        and not exists (select from wallet where held > 0) and not ${isLive(userId)} and not ${isRefunding(userId)}
        and not exists (select from ${topUps} where user_id = u.id and next_check_at is not null)
      returning u.id, u.telegram_id
    ), closed as (
      update ${accounts} a set is_on = false, chat_id = null, title = '' from gone where a.owner_id = gone.id
    ), recorded as (${recordForgotten(personHash, now, sql`gone`)})
    select telegram_id from gone`
  const [gone] = await rows(db, statement, z.object({ telegram_id: z.coerce.number() }))
  return gone?.telegram_id
}

/**
 * The statements that empty and delete what a user has left. Of what operators wrote about the user, the reason of a correction or a refund
 * is also the note of its transfer, which is part of the checksum of the ledger and of the audit: it stays with the money.
 * @param operators their Telegram ids
 */
const emptying = (
  userId: bigint,
  telegramId: number,
  now: Date,
  operators: readonly number[],
): readonly SQL[] => {
  const isTheirs = sql`user_id = ${bigint(userId)}`
  const subject = `user:${userId}`
  return [
    sql`update ${drafts} set answers = '{}', unfit_prompt = null, written_prompt = null, chat_id = 0, thread_id = null,
      card_message_id = null, state = case state when 'open' then 'dropped' else state end where ${isTheirs}`,
    sql`update ${quotes} set request = '{}', expires_at = least(expires_at, ${timestamp(now)})
      where draft_id in (select id from ${drafts} where ${isTheirs})`,
    sql`update ${generations} set request = '{}', chat_id = 0, thread_id = null, status_message_id = null, said = null,
      next_check_at = null, shared_at = null, idea_at = null where ${isTheirs}`,
    sql`update ${artifacts} set url = '', file_id = null, original_file_id = null, message_id = null, facts = null, result_id = null
      where generation_id in (select id from ${generations} where ${isTheirs})`,
    sql`update ${topUps} set chat_id = null where ${isTheirs}`,
    sql`update ${codeUses} set is_waiting = false where ${isTheirs}`,
    sql`update ${reports} set said = '' where ${isTheirs}`,
    sql`update ${turns} set question = '', answer = '', thinking = '', files = '[]', sources = '[]', parts = null,
      question_message_id = null, answer_message_id = null where ${isTheirs}`,
    sql`update ${conversations} set system = null, chat_id = 0, topic_id = 0, closed_at = coalesce(closed_at, ${timestamp(now)})
      where ${isTheirs}`,
    ...[notices, styles, presets, messageNotes, broadcastRecipients].map(
      (table) => sql`delete from ${table} where ${isTheirs}`,
    ),
    sql`delete from ${conversationStates} where key like ${`%:${telegramId}`}`,
    sql`update ${updates} set ${emptiedUpdate}, set_aside_at = null
      where person_id = ${bigint(telegramId)} and done_at is not null and set_aside_at is not null`,
    sql`delete from ${messageNotes} where about ->> 'subject' = ${subject}
      and user_id in (select id from ${users} where ${inArray(users.telegramId, [...operators])})`,
    sql`update ${operatorActions} set reason = null where action not in ('grant', 'debit')
      and (subject = ${subject} or subject in (select 'top-up:' || id from ${topUps} where ${isTheirs}))`,
    sql`update ${users} set telegram_id = null, language = null, telegram_language = null, name = null, username = null, email = null,
      card_defaults = null, partner_percent = null, consent_version = null, consented_at = null, consent_update_id = null
      where id = ${bigint(userId)}`,
  ]
}
