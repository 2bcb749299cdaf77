// The data that handlers read first for an update: the user, the balance, the state of the conversation. The statement that claims an
// update returns these data, so that handlers need no statement of their own.
//
// The data are current: only the update itself and earlier ones of its lanes change the user and the state, and the earlier ones are done,
// except for a hung handler whose lane was released. Changes by that handler, other lanes and other processes between the claim and the
// handler are missed, such as a ban or a payment. A handler that read a moment earlier would miss them too. The balance is therefore only
// for display.

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { balances, conversationStates, users } from '../db/schema.ts'
import type { Balance } from '../ledger/ledger.ts'
import { stateKeyIn } from '../telegram/conversation-states.ts'
import type { UserRow } from '../users/user.ts'

export interface Known {
  /** The id of the person from whom the update is. */
  readonly telegramId: number
  /** Undefined when the person has no row yet. */
  readonly user: UserRow | undefined
  readonly balance: Balance | undefined
  /** The state of the person's conversation in this chat, outside of topics; without a value when there is no conversation. */
  readonly conversation: { readonly key: string; readonly value: unknown } | undefined
}

const stateKey = stateKeyIn(sql`claimed.chat_id`, sql`claimed.person_id`)

/** Columns for `claimed` joined with `knownJoins`. */
export const knownColumns = sql`
  claimed.person_id, u.id as user_id, u.language, u.telegram_language, u.name, u.username, u.banned_at, u.greeted_at,
  b.available, b.held, ${stateKey} as state_key, s.value::text as state`

/** The limits keep the planner from reading whole tables when it expects many claimed rows. */
export const knownJoins = sql`
  left join lateral (select * from ${users} where telegram_id = claimed.person_id limit 1) u on true
  left join lateral (select * from ${balances} where user_id = u.id limit 1) b on true
  left join lateral (select * from ${conversationStates} where key = ${stateKey} limit 1) s on true`

const text = z.string().nullable()
const time = z.coerce.date().nullable()
const kopecks = z.coerce.bigint().nullable()

export const knownRow = z.object({
  person_id: z.coerce.number().nullable(),
  user_id: z.coerce.bigint().nullable(),
  language: text,
  telegram_language: text,
  name: text,
  username: text,
  banned_at: time,
  greeted_at: time,
  available: kopecks,
  held: kopecks,
  state_key: text,
  state: text,
})
type Row = z.output<typeof knownRow>

/** @returns undefined for updates without a lane of a person */
export function toKnown(row: Row): Known | undefined {
  const { person_id: telegramId, available, held, state_key: key, state } = row
  if (telegramId === null) return undefined
  return {
    telegramId,
    user: userOf(row, telegramId),
    balance: available === null || held === null ? undefined : { available, held },
    conversation: key === null ? undefined : { key, value: state === null ? undefined : JSON.parse(state) },
  }
}

function userOf(row: Row, telegramId: number): UserRow | undefined {
  const { user_id: id, language, telegram_language: telegramLanguage, name, username } = row
  if (id === null) return undefined
  const { banned_at: bannedAt, greeted_at: greetedAt } = row
  return { id, telegramId, language, telegramLanguage, name, username, bannedAt, greetedAt }
}
