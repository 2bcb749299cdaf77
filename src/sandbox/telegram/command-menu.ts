// The list of commands that a user sees: the list of the narrowest scope, in the user's language if it exists.

import type { BotCommand, BotCommandScope } from 'grammy/types'
import { z } from 'zod'
import type { State } from './state.ts'

/** An empty code or two letters; Telegram refuses longer codes here. */
export const languageCode = z
  .string()
  .regex(/^([a-z]{2})?$/, 'LANG_CODE_INVALID')
  .default('')

interface Place {
  scope: BotCommandScope
  language_code: string
}

const scopeKey = (scope: BotCommandScope): string => {
  const chat = 'chat_id' in scope ? String(scope.chat_id) : ''
  const user = 'user_id' in scope ? String(scope.user_id) : ''
  return [scope.type, chat, user].join(' ')
}

export const sameScope = (a: Place, b: Place): boolean =>
  a.language_code === b.language_code && scopeKey(a.scope) === scopeKey(b.scope)

function scopesFor(chatId: number, userId: number | undefined): BotCommandScope[] {
  if (chatId > 0)
    return [{ type: 'chat', chat_id: chatId }, { type: 'all_private_chats' }, { type: 'default' }]
  const member: BotCommandScope[] =
    userId === undefined ? [] : [{ type: 'chat_member', chat_id: chatId, user_id: userId }]
  return [...member, { type: 'chat', chat_id: chatId }, { type: 'all_group_chats' }, { type: 'default' }]
}

export function commandMenu(
  state: State,
  place: { chatId: number; userId?: number | undefined; language: string },
): readonly BotCommand[] {
  const languages = [...new Set([place.language.slice(0, 2), ''])]
  const places = scopesFor(place.chatId, place.userId).flatMap((scope) =>
    languages.map((language_code) => ({ scope, language_code })),
  )
  for (const wanted of places) {
    const found = state.commands.find((one) => sameScope(one, wanted))
    if (found) return found.commands
  }
  return []
}
