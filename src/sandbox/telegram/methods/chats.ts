// Members of chats, files, and the bot itself: who it is, its descriptions per language, its lists of commands per scope and language, and
// its menu button. A user sees the list of commands of the narrowest scope, in the user's language if it exists.

import type { BotCommand, BotCommandScope } from 'grammy/types'
import { z } from 'zod'
import { chatId, int, json, type Method, type Methods, method } from '../method.ts'
import { openTopic, removeMessages } from '../post.ts'
import { refuse } from '../refusal.ts'
import { botUser, chatOf, getMe, memberOf, type TelegramServer, writableChat } from '../server.ts'
import type { ChatState, CommandList, ProfileField, State } from '../state.ts'

const downloadLimit = 20 * 1024 * 1024

/** The forum in which the bot may manage topics. */
function forumOf(server: TelegramServer, id: number | string): ChatState {
  const chat = writableChat(server, id)
  if (!chat.chat.is_forum) return refuse('the chat is not a forum')
  const bot = memberOf(server, chat, server.botId)
  const mayManage = bot.status === 'administrator' && bot.can_manage_topics === true
  return mayManage ? chat : refuse('not enough rights to create a topic')
}

export const chats = {
  createForumTopic: method(
    z.object({ chat_id: chatId, name: z.string().min(1).max(128) }),
    (server, { chat_id, name }) => openTopic(server, forumOf(server, chat_id), botUser(server), name),
  ),

  deleteForumTopic: method(
    z.object({ chat_id: chatId, message_thread_id: int }),
    (server, { chat_id, message_thread_id: id }) => {
      const chat = forumOf(server, chat_id)
      if (!chat.topics.includes(id)) return refuse('TOPIC_ID_INVALID')
      chat.topics = chat.topics.filter((topic) => topic !== id)
      removeMessages(
        server,
        chat,
        chat.messages.filter((one) => one.message_thread_id === id),
      )
      return true as const
    },
  ),

  getChatMember: method(z.object({ chat_id: chatId, user_id: int }), (server, { chat_id, user_id }) =>
    memberOf(server, writableChat(server, chat_id), user_id),
  ),

  getChatAdministrators: method(z.object({ chat_id: chatId }), (server, { chat_id }) => {
    const chat = chatOf(server, chat_id)
    if (chat.chat.type === 'private') refuse('there are no administrators in the private chat')
    const all = [...chat.members, server.botId].map((id) => memberOf(server, chat, id))
    return all.flatMap((one) => (one.status === 'creator' || one.status === 'administrator' ? [one] : []))
  }),

  getFile: method(z.object({ file_id: z.string() }), (server, { file_id }) => {
    const file = server.state.files[file_id] ?? refuse('invalid file_id')
    if (file.size > downloadLimit) return refuse('file is too big')
    const { file_unique_id, size, path } = file
    return { file_id, file_unique_id, file_size: size, file_path: path }
  }),
} satisfies Methods

/** An empty code or two letters; Telegram refuses longer codes here. */
const languageCode = z
  .string()
  .regex(/^([a-z]{2})?$/, 'LANG_CODE_INVALID')
  .default('')

type Place = Pick<CommandList, 'scope' | 'language_code'>

const chatIn = (scope: BotCommandScope) => ('chat_id' in scope ? scope.chat_id : undefined)

const sameScope = (a: Place, b: Place): boolean =>
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

const language = z.object({ language_code: languageCode })

/** Sets a text about the bot; an empty one removes it. */
const setText = (field: ProfileField, limit: number, error: string): Method<true> =>
  method(
    language.extend({ [field]: z.string().max(limit, error).default('') }),
    (server, { language_code = '', [field]: text }) => {
      server.state.profile[field][language_code] = String(text)
      return true as const
    },
  )

const getText = ({ state: { profile } }: TelegramServer, field: ProfileField, language: string): string =>
  profile[field][language] || profile[field][''] || ''

const scope = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['default', 'all_private_chats', 'all_group_chats']) }),
  z.object({ type: z.literal('chat'), chat_id: z.int() }),
])
const place = z.object({ scope: json(scope).default({ type: 'default' }), language_code: languageCode })
const botCommand = z.object({
  command: z.string().regex(/^[a-z0-9_]{1,32}$/, 'BOT_COMMAND_INVALID'),
  description: z
    .string()
    .min(1, 'BOT_COMMAND_DESCRIPTION_INVALID')
    .max(256, 'BOT_COMMAND_DESCRIPTION_INVALID'),
})
const botCommands = json(z.array(botCommand).max(100, 'BOT_COMMANDS_TOO_MUCH'))

/** An empty list means no list: a wider scope applies. */
function setCommands(server: TelegramServer, list: CommandList): true {
  if ('chat_id' in list.scope) chatOf(server, list.scope.chat_id)
  const others = server.state.commands.filter((one) => !sameScope(one, list))
  server.state.commands = list.commands.length > 0 ? [...others, list] : others
  return true
}

export const profile = {
  getMe: method(z.object({}), (server) => getMe(server)),

  setMyDescription: setText('description', 512, 'BOT_DESCRIPTION_TOO_LONG'),
  setMyShortDescription: setText('short_description', 120, 'BOT_SHORT_DESCRIPTION_TOO_LONG'),
  getMyDescription: method(language, (server, params) => ({
    description: getText(server, 'description', params.language_code),
  })),
  getMyShortDescription: method(language, (server, params) => ({
    short_description: getText(server, 'short_description', params.language_code),
  })),

  setMyCommands: method(place.extend({ commands: botCommands }), setCommands),

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
