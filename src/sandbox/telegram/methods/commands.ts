// The command menu: lists of commands per scope and language, and the menu button.

import type { BotCommandScope, MenuButton } from 'grammy/types'
import { z } from 'zod'
import { languageCode, sameScope } from '../command-menu.ts'
import { type Methods, method } from '../method.ts'
import { int, json } from '../params.ts'
import { refuse } from '../refusal.ts'
import { chatOf, type TelegramServer } from '../server.ts'

const scope = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['default', 'all_private_chats', 'all_group_chats', 'all_chat_administrators']) }),
  z.object({ type: z.enum(['chat', 'chat_administrators']), chat_id: z.union([z.number(), z.string()]) }),
  z.object({ type: z.literal('chat_member'), chat_id: z.union([z.number(), z.string()]), user_id: z.int() }),
])

const listParams = {
  scope: json(scope).default({ type: 'default' }),
  language_code: languageCode,
}

const menuButton = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['commands', 'default']) }),
  z.object({ type: z.literal('web_app'), text: z.string(), web_app: z.object({ url: z.string() }) }),
])

function setList(
  server: TelegramServer,
  place: { scope: BotCommandScope; language_code: string },
  commands: Command[],
): true {
  if ('chat_id' in place.scope) chatOf(server, place.scope.chat_id)
  const others = server.state.commands.filter((one) => !sameScope(one, place))
  server.state.commands = commands.length > 0 ? [...others, { ...place, commands }] : others
  return true
}

interface Command {
  command: string
  description: string
}

function checkCommand({ command, description }: Command): void {
  if (!/^\/?[a-z0-9_]{1,32}$/.test(command)) refuse('BOT_COMMAND_INVALID')
  const length = [...description].length
  if (length < 1 || length > 256) refuse('BOT_COMMAND_DESCRIPTION_INVALID')
}

export const commands = {
  setMyCommands: method(
    z.object({
      ...listParams,
      commands: json(z.array(z.object({ command: z.string(), description: z.string() }))),
    }),
    (server, { commands, scope, language_code }) => {
      if (commands.length > 100) refuse('BOT_COMMANDS_TOO_MUCH')
      for (const one of commands) checkCommand(one)
      const plain = commands.map((one) => ({ ...one, command: one.command.replace(/^\//, '') }))
      return setList(server, { scope, language_code }, plain)
    },
  ),

  getMyCommands: method(
    z.object(listParams),
    (server, place) => server.state.commands.find((one) => sameScope(one, place))?.commands ?? [],
  ),

  deleteMyCommands: method(z.object(listParams), (server, place) => setList(server, place, [])),

  setChatMenuButton: method(
    z.object({ chat_id: int.optional(), menu_button: json(menuButton).default({ type: 'default' }) }),
    (server, { chat_id, menu_button }) => {
      if (chat_id !== undefined) chatOf(server, chat_id)
      server.state.menuButtons[chat_id ?? 0] = menu_button
      return true as const
    },
  ),

  getChatMenuButton: method(z.object({ chat_id: int.optional() }), (server, { chat_id }): MenuButton => {
    const buttons = server.state.menuButtons
    return buttons[chat_id ?? 0] ?? buttons[0] ?? { type: 'default' }
  }),
} satisfies Methods
