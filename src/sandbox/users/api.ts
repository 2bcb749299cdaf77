// The users' side of the sandbox as types: what each route accepts and answers. The routes and the chat page are compiled against it, so a
// field that changes on one side is a compile error on the other. It imports nothing that needs Node.js.

import type {
  BotCommand,
  Chat,
  ChatMember,
  MenuButton,
  Message,
  ReactionType,
  Update,
  User,
  UserFromGetMe,
} from 'grammy/types'
import type { CallbackAnswer, Draft, SeenMessage } from '../telegram/events.ts'
import type { AskedAnswer } from '../telegram/inline-answer.ts'

/** By language; '' is the default. */
type Texts = Record<string, string>

export type BotProfile = UserFromGetMe & {
  profile: { description: Texts; short_description: Texts }
  menu_button: MenuButton
}

export type ChatView = (Chat.PrivateChat | Chat.SupergroupChat) & {
  members: number[]
  started: boolean
  blocked: boolean
  /** Message ids of the messages that opened the topics. */
  topics: number[]
  last_message?: SeenMessage
}

interface NewUser {
  id?: number
  first_name: string
  username?: string
  language_code?: string
}

/** A language of the bot. */
export interface Language {
  /** The code as in `language_code` of a user. */
  code: string
  /** The language's name in the language itself. */
  name: string
}

interface NewGroup {
  title: string
  members: number[]
  forum?: boolean
  admin?: boolean
}

export interface FileToSend {
  kind?: 'photo' | 'video' | 'animation' | 'audio' | 'voice' | 'document'
  name: string
  mime?: string
  base64: string
  width?: number | undefined
  height?: number | undefined
  /** Seconds. */
  duration?: number | undefined
}

interface NewMessage {
  from: number
  text?: string | undefined
  caption?: string | undefined
  file?: FileToSend | undefined
  content?: Partial<Message> | undefined
  reply_to?: number | undefined
  reply_chat?: number | undefined
  quote?: string | undefined
  thread_id?: number | undefined
  forwarded_from?: number | undefined
  via_bot?: string | undefined
  album?: string | undefined
}

type Edit = { from: number; message_id: number } & ({ text: string } | { content: Partial<Message> })

interface InlineChoice {
  from: number
  query_id: string
  result_id: string
  reply_to?: number | undefined
  thread_id?: number | undefined
}

/** A tap on a button, given by its data or by its label. */
type Tap = { from: number; message_id: number } & ({ data: string } | { text: string })
export type TapResult =
  | { callback_query_id: string; update_id?: number }
  | { message: SeenMessage }
  | { url: string }
  | { copied: string }
  | { pay: true }
  | { inline_query: string }

interface Payment {
  from: number
  message_id: number
  email?: string
}
export type PaymentResult = { ok: true; telegram_payment_charge_id: string } | { ok: false; error: string }

interface Call<A, B = unknown> {
  answer: A
  /** The JSON body, or the query of a GET. */
  body: B
}

/** The routes by method and path; `./index.ts` says what each does. */
export interface UsersApi {
  'GET /api/bot': Call<BotProfile>
  'GET /api/users': Call<User[]>
  'POST /api/users': Call<User, NewUser>
  'GET /api/chats': Call<ChatView[]>
  'POST /api/chats': Call<Chat, NewGroup>
  'POST /api/chats/:chatId/topics': Call<{ message_thread_id: number }, { from: number; name: string }>
  'GET /api/chats/:chatId/messages': Call<SeenMessage[]>
  'POST /api/chats/:chatId/messages': Call<SeenMessage, NewMessage>
  'POST /api/chats/:chatId/edits': Call<SeenMessage, Edit>
  'POST /api/chats/:chatId/deletions': Call<{ ok: boolean }, { from: number; message_id: number }>
  'POST /api/chats/:chatId/taps': Call<TapResult, Tap>
  'POST /api/chats/:chatId/inline': Call<AskedAnswer, { from: number; query: string; offset?: string }>
  'POST /api/chats/:chatId/choices': Call<SeenMessage, InlineChoice>
  'POST /api/chats/:chatId/reactions': Call<
    { ok: boolean },
    { from: number; message_id: number; reaction: ReactionType[] }
  >
  'GET /api/chats/:chatId/drafts': Call<readonly Draft[], { gone?: 'true' | 'false' }>
  'POST /api/chats/:chatId/stop': Call<Draft, { from: number; draft_id?: number }>
  'GET /api/chats/:chatId/answers': Call<CallbackAnswer[]>
  'POST /api/chats/:chatId/payments': Call<PaymentResult, Payment>
  'POST /api/chats/:chatId/members': Call<
    { ok: boolean },
    { from: number; user_id: number; member: ChatMember }
  >
  'POST /api/chats/:chatId/block': Call<{ ok: boolean }, { from: number; blocked: boolean }>
  'GET /api/commands': Call<readonly BotCommand[], { chat_id: number; language_code?: string }>
  'GET /api/updates': Call<{ update: Update; pending: boolean }[]>
  'POST /api/updates/redeliver': Call<{ ok: boolean }, { update_id: number }>
}

export type Answer<K> = K extends keyof UsersApi ? UsersApi[K]['answer'] : never
export type Body<K> = K extends keyof UsersApi ? UsersApi[K]['body'] : never
