// The data that handlers read first for an update: the user, the balance, the state of the conversation. The statement that claims an
// update returns these data, so that handlers need no statement of their own.
//
// The data are current: only the update itself and earlier ones of its lanes change the user and the state, and the earlier ones are done,
// except for a hung handler whose lane was released. Changes by that handler, other lanes and other processes between the claim and the
// handler are missed, such as a ban or a payment. A handler that read a moment earlier would miss them too. The balance is therefore only
// for display.

import { sql } from 'drizzle-orm'
import { joined, rowReader } from '../db/row-reader.ts'
import { balances, conversationStates, users } from '../db/schema.ts'
import type { Balance } from '../ledger/ledger.ts'
import { stateKey, stateKeyIn } from '../telegram/conversation-states.ts'
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

const userRow = rowReader({
  id: users.id,
  telegramId: users.telegramId,
  language: users.language,
  telegramLanguage: users.telegramLanguage,
  name: users.name,
  username: users.username,
  bannedAt: users.bannedAt,
  greetedAt: users.greetedAt,
})
const balanceRow = rowReader({ available: balances.available, held: balances.held })
const stateRow = rowReader({ value: conversationStates.value })

/** Columns for `claimed` joined with `knownJoins`, and their readers. */
export const knownColumns = sql`${userRow.columnsOf('u')}, ${balanceRow.columnsOf('b')}, ${stateRow.columnsOf('s')}`
export const knownReaders = [joined(userRow), joined(balanceRow), joined(stateRow)] as const

/** The limits keep the planner from reading whole tables when it expects many claimed rows. */
export const knownJoins = sql`
  left join lateral (select * from ${users} where telegram_id = claimed.person_id limit 1) u on true
  left join lateral (select * from ${balances} where user_id = u.id limit 1) b on true
  left join lateral (
    select * from ${conversationStates} where key = ${stateKeyIn(sql`claimed.chat_id`, sql`claimed.person_id`)} limit 1
  ) s on true`

interface Lanes {
  readonly chatId: number | null
  readonly personId: number | null
}

/** @returns undefined for updates without a lane of a person */
export function toKnown(
  { chatId, personId }: Lanes,
  user: UserRow | undefined,
  balance: Balance | undefined,
  state: { readonly value: unknown } | undefined,
): Known | undefined {
  if (personId === null) return undefined
  const conversation =
    chatId === null ? undefined : { key: stateKey(chatId, undefined, personId), value: state?.value }
  return { telegramId: personId, user, balance, conversation }
}
