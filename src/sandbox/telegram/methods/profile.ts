// The bot itself: who it is, its descriptions per language, its lists of commands per scope and language, and its menu button.

import type { BotCommandScope } from 'grammy/types'
import { z } from 'zod'
import { languageCode, sameScope } from '../command-menu.ts'
import { type Methods, method } from '../method.ts'
import { json } from '../params.ts'
import { refuse } from '../refusal.ts'
import { chatOf, getMe, type TelegramServer } from '../server.ts'
import type { ProfileField } from '../state.ts'

function setText(server: TelegramServer, field: ProfileField, language: string, text: string): true {
  const limit = { description: 512, short_description: 120 }[field]
  if ([...text].length > limit) refuse(`BOT_${field.toUpperCase()}_TOO_LONG`)
  if (text === '') delete server.state.profile[field][language]
  else server.state.profile[field][language] = text
  return true
}

const getText = (server: TelegramServer, field: ProfileField, language: string): string =>
  server.state.profile[field][language] ?? server.state.profile[field][''] ?? ''

const language = z.object({ language_code: languageCode })
const text = z.string().default('')

const scope = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['default', 'all_private_chats', 'all_group_chats']) }),
  z.object({ type: z.literal('chat'), chat_id: z.int() }),
])
const place = z.object({ scope: json(scope).default({ type: 'default' }), language_code: languageCode })
const botCommand = z.object({ command: z.string(), description: z.string() })

function checkCommand({ command, description }: z.output<typeof botCommand>): void {
  if (!/^[a-z0-9_]{1,32}$/.test(command)) refuse('BOT_COMMAND_INVALID')
  const length = [...description].length
  if (length < 1 || length > 256) refuse('BOT_COMMAND_DESCRIPTION_INVALID')
}

interface CommandList {
  scope: BotCommandScope
  language_code: string
  commands: z.output<typeof botCommand>[]
}

/** An empty list means no list: a wider scope applies. */
function setCommands(server: TelegramServer, list: CommandList): true {
  if ('chat_id' in list.scope) chatOf(server, list.scope.chat_id)
  const others = server.state.commands.filter((one) => !sameScope(one, list))
  server.state.commands = list.commands.length > 0 ? [...others, list] : others
  return true
}

export const profile = {
  getMe: method(z.object({}), (server) => getMe(server)),

  setMyDescription: method(language.extend({ description: text }), (server, params) =>
    setText(server, 'description', params.language_code, params.description),
  ),
  setMyShortDescription: method(language.extend({ short_description: text }), (server, params) =>
    setText(server, 'short_description', params.language_code, params.short_description),
  ),
  getMyDescription: method(language, (server, params) => ({
    description: getText(server, 'description', params.language_code),
  })),
  getMyShortDescription: method(language, (server, params) => ({
    short_description: getText(server, 'short_description', params.language_code),
  })),

  setMyCommands: method(place.extend({ commands: json(z.array(botCommand)) }), (server, list) => {
    if (list.commands.length > 100) refuse('BOT_COMMANDS_TOO_MUCH')
    for (const one of list.commands) checkCommand(one)
    return setCommands(server, list)
  }),

  getMyCommands: method(
    place,
    (server, wanted) => server.state.commands.find((one) => sameScope(one, wanted))?.commands ?? [],
  ),

  setChatMenuButton: method(
    z.object({ menu_button: json(z.object({ type: z.enum(['commands', 'default']) })) }),
    (server, { menu_button }) => {
      server.state.menuButton = menu_button
      return true as const
    },
  ),
} satisfies Methods
