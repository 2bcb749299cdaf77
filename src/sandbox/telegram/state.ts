// The state of the local Telegram, as plain JSON. Only this state survives a restart.

import type {
  BotCommand,
  BotCommandScope,
  Chat,
  ChatMember,
  ForceReply,
  MenuButton,
  Message,
  ReactionType,
  StarTransaction,
  Update,
  User,
} from 'grammy/types'
import type { AskedAnswer, CallbackAnswer } from './events.ts'

/** The kinds of files that can be sent. */
export const mediaKinds = ['photo', 'video', 'animation', 'video_note', 'audio', 'voice', 'document'] as const
export type MediaKind = (typeof mediaKinds)[number]

/** The fields of a message that contain the media. */
export type MediaContent = Pick<Message, MediaKind>

export interface StoredFile {
  file_id: string
  file_unique_id: string
  kind: MediaKind | 'thumbnail'
  /** Telegram's `file_path`, which is also the path below the folder of the local Telegram. */
  path: string
  size: number
  mime: string
  name: string
  /** The content of a message that sends this file id again. */
  content: MediaContent
}

export type BotChat = Chat.PrivateChat | Chat.SupergroupChat
/** A message as stored in the chat. */
export type ChatMessage = Message & { chat: BotChat; from: User }

export interface InvoiceTerms {
  title: string
  payload: string
  currency: string
  total_amount: number
  provider_token: string
  /** Whether the payer must give an e-mail address. */
  need_email?: boolean
}

export interface ChatState {
  chat: BotChat
  members: number[]
  /** Whether people who are no members may write. */
  isOpen: boolean
  /** Whether the user has written to the bot, which cannot write to the user before. */
  started: boolean
  blocked: boolean
  nextMessageId: number
  messages: ChatMessage[]
  /** By message id. Messages of the Bot API contain only inline keyboards; clients also show these. */
  forcedReplies: Record<number, ForceReply>
  invoices: Record<number, InvoiceTerms>
  /** The ids of the messages about payments, by the ids of the invoices. */
  receipts: Record<number, number>
  topics: number[]
  answers: CallbackAnswer[]
  /** By user. A user who is missing here is an ordinary member; the first member is the creator. */
  memberships: Record<number, ChatMember>
  /** The reactions of the bot, by message id. */
  reactions: Record<number, ReactionType[]>
}

export const newChat = (chat: BotChat, members: number[], started: boolean): ChatState => ({
  chat,
  members,
  isOpen: false,
  started,
  blocked: false,
  // The first message of a group reports its creation, and 1 is the id of the topic "General".
  nextMessageId: chat.type === 'private' ? 1 : 2,
  messages: [],
  forcedReplies: {},
  invoices: {},
  receipts: {},
  topics: [],
  answers: [],
  memberships: {},
  reactions: {},
})

export interface QueuedUpdate {
  update: Update
  /** Updates of one queue are delivered to a webhook one after another. */
  queue: string
  expiresAt: number
  sent: boolean
  /** Whether this is a repeated delivery, which takes place once, whatever offset the bot has confirmed. */
  again: boolean
}

export interface WebhookSettings {
  url: string
  secretToken?: string
  maxConnections: number
  lastError?: { date: number; message: string }
}

export interface CommandList {
  scope: BotCommandScope
  language_code: string
  commands: BotCommand[]
}

export type ProfileField = 'description' | 'short_description'

export interface State {
  version: 1
  nextUpdateId: number
  nextFileNumber: number
  nextUserId: number
  nextGroupId: number
  users: Record<number, User>
  chats: Record<number, ChatState>
  files: Record<string, StoredFile>
  pending: QueuedUpdate[]
  /** The newest updates, delivered or not, for inspection and for repeated delivery. */
  recent: Update[]
  allowedUpdates: Exclude<keyof Update, 'update_id'>[]
  webhook?: WebhookSettings
  /** The queries of taps. Only the user who tapped is shown the answer. */
  callbacks: { id: string; chatId: number; userId: number; askedAt: number }[]
  /** The newest answers to inline queries, from which a user may choose a result. */
  inlineAnswers: AskedAnswer[]
  payments: Record<string, { userId: number; terms: InvoiceTerms; refunded: boolean }>
  transactions: StarTransaction[]
  commands: CommandList[]
  /** By field, then by language; '' is the default language. */
  profile: Record<ProfileField, Record<string, string>>
  menuButton: MenuButton
}

/** Completes a state that was saved before some of its fields existed. */
export const completeState = (saved: Partial<State>): State => {
  const state = { ...emptyState(), ...saved }
  const chats = Object.entries(state.chats).map(([id, one]) => [
    id,
    { ...newChat(one.chat, one.members, one.started), ...one },
  ])
  return { ...state, chats: Object.fromEntries(chats) }
}

export const emptyState = (): State => ({
  version: 1,
  nextUpdateId: 100_000_001,
  nextFileNumber: 0,
  nextUserId: 500_000_001,
  nextGroupId: 1_000_000_001,
  users: {},
  chats: {},
  files: {},
  pending: [],
  recent: [],
  allowedUpdates: [],
  callbacks: [],
  inlineAnswers: [],
  payments: {},
  transactions: [],
  commands: [],
  profile: { description: {}, short_description: {} },
  menuButton: { type: 'default' },
})
