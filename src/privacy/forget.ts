// Deletion of a user's data on their request, in one statement: the user's row loses all that identifies a person, texts and files are
// emptied, and the money rows stay without a name.

import { and, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, oneRow, rows } from '../db/client.ts'
import {
  artifacts,
  balances,
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
  wallets,
} from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { isAwaited } from '../generations/generation.ts'
import { sealBalance } from '../ledger/balance-lock.ts'
import { readBalance } from '../ledger/ledger.ts'
import { isRefunding } from '../payments/taken-credit.ts'
import { recordForgotten } from '../users/person.ts'

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
  if (!user || user.forgottenAt) return { ok: false, reason: 'gone' }
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
    select from ${wallets} where owner_id = ${userId}::bigint and held > 0)
  or exists (
    select from ${generations} where user_id = ${userId}::bigint
      and (settled_at is null or next_check_at is not null) and not ${isAwaited})
  or exists (
    select from ${turns} t join ${conversations} h on h.id = t.thread_id
    where (t.state = 'streaming' or t.delivery = 'pending') and (t.user_id = ${userId}::bigint or h.user_id = ${userId}::bigint)))`

const isOwing = (userId: bigint) =>
  sql`exists (select from ${balances} where user_id = ${userId}::bigint and available < 0)`

/**
 * The wallets of the user who was found, if nothing is held in them and they have not changed since the statement began, such as by an order
 * of a member. They are locked until the statement ends, and after the row of the user: a ban locks in the same
 * order.
 */
const unchangedWallets = (userId: bigint) => sql`
  with seen as materialized (select id, xmin from ${wallets} where owner_id = ${userId}::bigint)
  select w.id from ${wallets} w join seen on seen.id = w.id and seen.xmin = w.xmin
  where w.held = 0 and exists (select from found)
  for no key update of w`

/**
 * @param personHash recognises a person who comes back: see users/person.ts
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
  const at = timestamp(now)
  const statement = sql`
    with sealed as (${sealBalance(userId)}),
    found as (
      select u.id, u.telegram_id from ${users} u join sealed on sealed.user_id = u.id
      where u.telegram_id is not null and (${by === 'operator'} or u.banned_at is null and not ${isOwing(userId)})
        and not ${isLive(userId)}
        and not ${isRefunding(userId)}
        and not exists (select from ${topUps} where user_id = u.id and next_check_at is not null)
      for update of u
    ),
    unchanged_wallets as (${unchangedWallets(userId)}),
    gone as (
      select * from found
      where (select count(*) from unchanged_wallets) = (select count(*) from ${wallets} where owner_id = found.id)
    ),
    recorded as (${recordForgotten(personHash, now, sql`gone`)}),
    emptied_answers as (
      update ${drafts} t set answers = '{}', unfit_prompt = null, written_prompt = null, chat_id = 0, thread_id = null, card_message_id = null,
        state = case t.state when 'open' then 'dropped' else t.state end
      from gone where t.user_id = gone.id
    ),
    ${emptied(at)}
    ${emptiedOfOperators(operators)}
    emptied_conversations as (
      delete from ${conversationStates} t using gone where t.key like '%:' || gone.telegram_id
    ),
    closed_wallets as (
      update ${wallets} t set chat_id = null, title = '', is_on = false from gone where t.owner_id = gone.id
    ),
    closed_threads as (
      update ${conversations} t set system = null, chat_id = 0, topic_id = 0, closed_at = coalesce(t.closed_at, ${at})
      from gone where t.user_id = gone.id
    )
    update ${users} u set telegram_id = null, language = null, telegram_language = null, name = null, username = null,
      email = null, forgotten_at = ${at}
    from gone where u.id = gone.id
    returning u.id::text`
  const done = await rows(db, statement, z.object({ id: z.string() }))
  if (done.length > 0) return { ok: true }
  const why = await mayForget(db, userId, by)
  // The obstacle has ended since; a repeated call will succeed.
  return why.ok ? { ok: false, reason: 'live' } : why
}

const emptied = (at: SQL) => sql`
  emptied_quotes as (
    update ${quotes} t set request = '{}', expires_at = least(t.expires_at, ${at})
    from gone, ${drafts} d where d.user_id = gone.id and t.draft_id = d.id
  ),
  emptied_orders as (
    update ${generations} t set request = '{}', chat_id = 0, thread_id = null, status_message_id = null, said = null,
      next_check_at = null
    from gone where t.user_id = gone.id
  ),
  emptied_results as (
    update ${artifacts} t set url = '', file_id = null, original_file_id = null, message_id = null, facts = null
    from gone, ${generations} g where g.id = t.generation_id and g.user_id = gone.id
  ),
  emptied_top_ups as (
    update ${topUps} t set chat_id = null from gone where t.user_id = gone.id
  ),
  emptied_updates as (
    update ${updates} t set ${emptiedUpdate}, set_aside_at = null
    from gone where t.person_id = gone.telegram_id and t.done_at is not null and t.set_aside_at is not null
  ),
  emptied_notices as (
    delete from ${notices} t using gone where t.user_id = gone.id
  ),
  emptied_reports as (
    update ${reports} t set said = '' from gone where t.user_id = gone.id
  ),
  emptied_turns as (
    update ${turns} t set question = '', answer = '', thinking = '', files = '[]', sources = '[]', parts = null,
      question_message_id = null, answer_message_id = null
    from gone where t.user_id = gone.id
  ),
  emptied_styles as (
    delete from ${styles} t using gone where t.user_id = gone.id
  ),
  emptied_presets as (
    delete from ${presets} t using gone where t.user_id = gone.id
  ),
  emptied_notes as (
    delete from ${messageNotes} t using gone where t.user_id = gone.id
  ),`

/**
 * What operators were asked and wrote about the user. The reason of a correction or a refund is also the note of its transfer, which is part
 * of the checksum of the ledger and of the audit: it stays with the money.
 */
const emptiedOfOperators = (operators: readonly number[]) => sql`
  emptied_questions as (
    delete from ${messageNotes} t using gone
    where t.about ->> 'subject' = 'user:' || gone.id
      and t.user_id in (select ${users.id} from ${users} where ${inArray(users.telegramId, operators)})
  ),
  emptied_reasons as (
    update ${operatorActions} t set reason = null
    from (
      select 'user:' || gone.id as subject from gone
      union all select 'top-up:' || p.id from gone join ${topUps} p on p.user_id = gone.id
    ) about
    where t.subject = about.subject and t.action not in ('grant', 'debit') and t.reason is not null
  ),`
