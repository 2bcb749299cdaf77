// Reading chats, profiles and files.

import type { ChatFullInfo } from 'grammy/types'
import { z } from 'zod'
import { defined } from '../defined.ts'
import { type Methods, method } from '../method.ts'
import { chatId, int, str } from '../params.ts'
import { refuse } from '../refusal.ts'
import { chatOf, findMessage, type TelegramServer } from '../server.ts'
import type { ChatMessage, ChatState } from '../state.ts'

const downloadLimit = 20 * 1024 * 1024

const gifts = {
  unlimited_gifts: true,
  limited_gifts: true,
  unique_gifts: true,
  premium_subscription: true,
  gifts_from_channels: true,
}

interface Shown {
  readonly state: ChatState
  readonly pinned: ChatMessage | undefined
}

function fullInfo({ state: { chat, info }, pinned }: Shown): ChatFullInfo {
  const common = {
    ...defined({ pinned_message: pinned }),
    accent_color_id: 0,
    max_reaction_count: 11,
    accepted_gift_types: gifts,
  }
  return chat.type === 'private' ? { ...chat, ...common } : { ...chat, ...info, ...common }
}

function checkUser({ state, botId }: TelegramServer, userId: number): void {
  if (userId !== botId && !state.users[userId]) refuse('user not found')
}

export const chats = {
  getChat: method(z.object({ chat_id: chatId }), (server, { chat_id }) => {
    const state = chatOf(server, chat_id)
    return fullInfo({ state, pinned: findMessage(state, state.pinned.at(-1) ?? 0) })
  }),

  getUserProfilePhotos: method(z.object({ user_id: int }), (server, { user_id }) => {
    checkUser(server, user_id)
    return { total_count: 0, photos: [] }
  }),

  getUserProfileAudios: method(z.object({ user_id: int }), (server, { user_id }) => {
    checkUser(server, user_id)
    return { total_count: 0, audios: [] }
  }),

  getFile: method(z.object({ file_id: str.default('') }), (server, { file_id }) => {
    if (file_id === '') return refuse('file_id not specified')
    const file = server.state.files[file_id] ?? refuse('invalid file_id')
    if (file.size > downloadLimit) return refuse('file is too big')
    const { file_unique_id, size, path } = file
    return { file_id, file_unique_id, file_size: size, file_path: path }
  }),
} satisfies Methods
