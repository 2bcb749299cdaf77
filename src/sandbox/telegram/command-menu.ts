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

const chatIn = (scope: BotCommandScope) => ('chat_id' in scope ? scope.chat_id : undefined)

export const sameScope = (a: Place, b: Place): boolean =>
  a.language_code === b.language_code && a.scope.type === b.scope.type && chatIn(a.scope) === chatIn(b.scope)

export function commandMenu(
  state: State,
  place: { chatId: number; language: string },
): readonly BotCommand[] {
  const languages = [...new Set([place.language.slice(0, 2), ''])]
  const scopes: BotCommandScope[] = [
    { type: 'chat', chat_id: place.chatId },
    { type: place.chatId > 0 ? 'all_private_chats' : 'all_group_chats' },
    { type: 'default' },
  ]
  const places = scopes.flatMap((scope) => languages.map((language_code) => ({ scope, language_code })))
  for (const wanted of places) {
    const found = state.commands.find((one) => sameScope(one, wanted))
    if (found) return found.commands
  }
  return []
}
