// What every method and every user's act works on: the state, the clock, the chats, and how to look things up in them.

import { join } from 'node:path'
import type { User, UserFromGetMe } from 'grammy/types'
import type { Clock } from '../../runtime/clock.ts'
import type { Drafts } from './drafts.ts'
import type { Events } from './events.ts'
import type { Random } from './ids.ts'
import { refuse } from './refusal.ts'
import type { ChatMessage, ChatState, State } from './state.ts'
import type { Updates } from './updates.ts'
import type { Webhook } from './webhook.ts'

export interface World {
  readonly state: State
  readonly botId: number
  readonly botUsername: string
  readonly clock: Clock
  readonly random: Random
  readonly folder: string
  readonly events: Events
  readonly drafts: Drafts
  readonly updates: Updates
  readonly webhook: Webhook
  /** Aborts when the sandbox stops. */
  readonly closing: AbortSignal
}

export const nowSeconds = (world: World): number => Math.floor(world.clock.now().getTime() / 1000)

export const filePath = (world: World, path: string): string => join(world.folder, 'files', path)

/** The bot as it stands in messages. */
export function botUser(world: World): User {
  const first_name = world.state.profile.name[''] ?? 'Sandbox bot'
  return { id: world.botId, is_bot: true, first_name, username: world.botUsername }
}

export function getMe(world: World): UserFromGetMe {
  return {
    ...botUser(world),
    is_bot: true,
    username: world.botUsername,
    can_join_groups: true,
    can_read_all_group_messages: false,
    supports_inline_queries: false,
    can_connect_to_business: false,
    has_main_web_app: false,
    has_topics_enabled: false,
    allows_users_to_create_topics: false,
    can_manage_bots: false,
    supports_join_request_queries: false,
  }
}

/** Telegram takes a chat id as a number or as its decimal text; nobody here has a public username. */
export function chatOf(world: World, chatId: number | string): ChatState {
  if (chatId === '') return refuse('chat_id is empty')
  const found = world.state.chats[Number(chatId)]
  return found?.started ? found : refuse('chat not found')
}

export const findMessage = (chat: ChatState, messageId: number): ChatMessage | undefined =>
  chat.messages.find((message) => message.message_id === messageId)

/** A chat the bot may write to. */
export function writableChat(world: World, chatId: number | string): ChatState {
  const chat = chatOf(world, chatId)
  return chat.blocked ? refuse('bot was blocked by the user', 403) : chat
}
