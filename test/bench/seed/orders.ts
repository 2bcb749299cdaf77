// Seeds any number of orders: the app's own functions create one draft with its quote, and SQL copies both.

import type { Sql } from 'postgres'
import { createCatalog } from '../../../src/catalog/catalog.ts'
import { models } from '../../../src/catalog/index.ts'
import { openDatabase } from '../../../src/db/client.ts'
import { createCallbackTokens } from '../../../src/generations/callback-tokens.ts'
import { createDraft } from '../../../src/generations/drafts.ts'
import { quoteDraft } from '../../../src/generations/quotes.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { randomIds } from '../../../src/runtime/ids.ts'
import { withGatewayIds } from '../../../src/sandbox/gateway-ids.ts'
import { findByTelegram } from '../../../src/users/user.ts'
import type { BenchDatabase } from '../machine/server.ts'
import { botToken } from '../outside/telegram.ts'
import { firstPerson } from '../outside/updates.ts'

export interface Template {
  readonly draftId: string
  readonly quoteId: string
}

/** The orders are songs: their delivery needs no conversion, and their model has callbacks. */
const song = { modelId: 'MODEL-MUSIC', answers: { prompt: 'a song about the sea' } }

/** Creates the draft and the quote that are copied. */
export async function makeTemplate({ url }: BenchDatabase): Promise<Template> {
  const database = await openDatabase(url)
  try {
    const { db } = database
    const owner = await findByTelegram(db, firstPerson)
    if (!owner) throw new Error('seedPeople must run before makeTemplate')
    const place = { chatId: firstPerson, topicId: null }
    const draft = await createDraft(
      db,
      { ...song, ...place, id: randomIds.next(), userId: owner.id },
      new Date(),
    )
    const media = { read: async () => ({ ok: false, reason: 'gone' }) as const, link: undefined }
    const deps = {
      db,
      catalog: createCatalog(models, withGatewayIds()),
      clock: systemClock,
      ids: randomIds,
      media,
    }
    const quoted = await quoteDraft(deps, draft)
    if (!quoted.ok) throw new Error(`not quoted: ${quoted.reason}`)
    return { draftId: draft.id, quoteId: quoted.quote.id }
  } finally {
    await database.close()
  }
}

/** The draft id of the n-th copy. */
export const draftOf = (n: number): string => `d${String(n).padStart(9, '0')}`
export const quoteOf = (n: number): string => `q${String(n).padStart(9, '0')}`
/** The callback token of the n-th order. It is signed as by the app, which limits callbacks with other tokens. */
export const tokenOf = (n: number): string =>
  createCallbackTokens(botToken, { secret: () => `t${String(n).padStart(19, '0')}` }).make()
/** The number in the id of a seeded task. */
export const numberOf = (task: string): number => Number(task.slice(task.lastIndexOf('-') + 1))

/** Inserts copies of the draft and the quote, one for each person in turn. */
export async function seedQuotes(sql: Sql, template: Template, from: number, count: number): Promise<void> {
  const copies = sql`
    (select n, u.id as user_id, u.telegram_id
      from generate_series(${from}::integer, ${from + count}::integer - 1) n
      join (select *, row_number() over (order by id) - 1 as at from users) u
        on u.at = n % (select count(*) from users)) one`
  await sql`
    insert into drafts (id, user_id, chat_id, model_id, answers, revision, card_message_id, state, created_at, updated_at)
    select 'd' || lpad(n::text, 9, '0'), one.user_id, one.telegram_id, t.model_id, t.answers, t.revision, 7, 'open', now(), now()
    from drafts t, ${copies} where t.id = ${template.draftId}`
  await sql`
    insert into quotes (id, draft_id, revision, user_id, model_id, request, amount, gateway_cost, parts, created_at, expires_at)
    select 'q' || lpad(n::text, 9, '0'), 'd' || lpad(n::text, 9, '0'), t.revision, one.user_id, t.model_id, t.request, t.amount,
      t.gateway_cost, t.parts, now(), now() + interval '10 hours'
    from quotes t, ${copies} where t.id = ${template.quoteId}`
}

export interface Running {
  readonly from: number
  readonly count: number
  /** The time since their submit, which determines how often they are polled. */
  readonly ageSeconds: number
  /** The time until the first poll is due; the others follow within a second. */
  readonly firstDueSeconds: number
}

/** Inserts running generations for the quotes with the same numbers. */
export async function seedRunning(sql: Sql, running: Running): Promise<void> {
  const { from, count, ageSeconds, firstDueSeconds } = running
  const numbered = Array.from({ length: count }, (_, at) => ({ n: from + at, token: tokenOf(from + at) }))
  await sql`
    insert into generations (id, quote_id, draft_id, user_id, chat_id, model_id, request, amount, state, task_id,
      callback_token, next_check_at, status_message_id, created_at, submitted_at)
    select 'g' || lpad(n::text, 9, '0'), q.id, d.id, q.user_id, d.chat_id, q.model_id, q.request, q.amount, 'running',
      'seeded-' || n, token,
      now() + (${firstDueSeconds}::float8 + (n - ${from}::integer) / ${count}::float8) * interval '1 second', 7,
      now() - ${ageSeconds}::float8 * interval '1 second', now() - ${ageSeconds}::float8 * interval '1 second'
    from jsonb_to_recordset(${JSON.stringify(numbered)}::text::jsonb) as numbered (n integer, token text)
    join quotes q on q.id = 'q' || lpad(n::text, 9, '0') join drafts d on d.id = q.draft_id`
  await sql`
    with posted as (
      insert into transfers (key, kind, user_id, debit, credit, amount, generation_id, created_at)
      select 'hold:' || id, 'hold', user_id, 'available', 'held', amount, id, now() from generations where task_id like 'seeded-%'
      on conflict do nothing
      returning user_id, amount
    )
    update balances b set available = available - spent, held = held + spent
    from (select user_id, sum(amount) as spent from posted group by user_id) s where s.user_id = b.user_id`
}
