// Reading chats, their members and files.

import type { ChatFullInfo, ChatMember } from 'grammy/types'
import { z } from 'zod'
import { type Methods, method } from '../method.ts'
import { chatId, int, str } from '../params.ts'
import { refuse } from '../refusal.ts'
import { botUser, chatOf, type TelegramServer } from '../server.ts'
import type { ChatState } from '../state.ts'

const downloadLimit = 20 * 1024 * 1024

const gifts = {
  unlimited_gifts: true,
  limited_gifts: true,
  unique_gifts: true,
  premium_subscription: true,
  gifts_from_channels: true,
}

const fullInfo = ({ chat }: ChatState): ChatFullInfo => ({
  ...chat,
  accent_color_id: 0,
  max_reaction_count: 11,
  accepted_gift_types: gifts,
})

function memberOf(server: TelegramServer, chat: ChatState, userId: number): ChatMember {
  if (userId === server.botId) return { status: 'member', user: botUser(server) }
  const user = server.state.users[userId]
  if (!user) return refuse('invalid user_id specified')
  if (!chat.members.includes(userId)) return { status: 'left', user }
  const isCreator = chat.chat.type === 'supergroup' && chat.members[0] === userId
  return isCreator ? { status: 'creator', user, is_anonymous: false } : { status: 'member', user }
}

export const chats = {
  getChat: method(z.object({ chat_id: chatId }), (server, { chat_id }) => fullInfo(chatOf(server, chat_id))),

  getChatMember: method(z.object({ chat_id: chatId, user_id: int }), (server, { chat_id, user_id }) =>
    memberOf(server, chatOf(server, chat_id), user_id),
  ),

  getFile: method(z.object({ file_id: str.default('') }), (server, { file_id }) => {
    if (file_id === '') return refuse('file_id not specified')
    const file = server.state.files[file_id] ?? refuse('invalid file_id')
    if (file.size > downloadLimit) return refuse('file is too big')
    const { file_unique_id, size, path } = file
    return { file_id, file_unique_id, file_size: size, file_path: path }
  }),
} satisfies Methods
