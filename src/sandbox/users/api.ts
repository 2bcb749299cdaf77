// The users' side of the sandbox as types: what each route accepts and answers. The routes and the chat page are compiled against it, so a
// field that changes on one side is a compile error on the other. It imports nothing that needs Node.js.

import type { BotCommand, Chat, MenuButton, Update, User, UserFromGetMe } from 'grammy/types'
import type { z } from 'zod'
import type { CallbackAnswer, Draft, SeenMessage } from '../telegram/events.ts'
import type { AskedAnswer } from '../telegram/inline-answer.ts'
import type * as schemas from './schemas.ts'

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

/** A language of the bot. */
export interface Language {
  /** The code as in `language_code` of a user. */
  code: string
  /** The language's name in the language itself. */
  name: string
}

export type FileToSend = z.input<typeof schemas.fileInJson>
type NewMessage = z.input<typeof schemas.newMessage>

export type TapResult =
  | { callback_query_id: string; update_id?: number }
  | { url: string }
  | { copied: string }
  | { pay: true }
  | { inline_query: string }

export type PaymentResult = { ok: true; telegram_payment_charge_id: string } | { ok: false; error: string }

interface Call<A, S extends z.ZodType = z.ZodUnknown, B = z.input<S>> {
  answer: A
  /** The JSON body, or the query of a GET. */
  body: B
}

/**
 * The routes by method and path. Errors are `{error}`, with 400 for a wrong request and 404 for something that does not exist. Messages have the
 * shape of the Bot API; their `reply_markup` also contains forced replies, and `reactions` all reactions, as a client shows them. Beside these
 * there are `GET /api/files/:file_id`, a file with byte ranges, and `GET /api/chats/:chatId/events`, server-sent events: message, edited,
 * deleted, reaction, action, draft, draft_ended, answer, error, people; with `?others=true` also elsewhere, when the messages of another chat
 * have changed; with `?user=<id>` no answers to the taps of other users.
 */
export interface UsersApi {
  /** The bot, its descriptions and its menu button. */
  'GET /api/bot': Call<BotProfile>
  'GET /api/users': Call<User[]>
  /** A new user; a known id updates its user. */
  'POST /api/users': Call<User, typeof schemas.newUser>
  'GET /api/chats': Call<ChatView[]>
  /** A group with the bot in it. */
  'POST /api/chats': Call<Chat, typeof schemas.newGroup>
  'POST /api/chats/:chatId/topics': Call<{ message_thread_id: number }, typeof schemas.newTopic>
  /** The messages in the chat now, oldest first. */
  'GET /api/chats/:chatId/messages': Call<SeenMessage[]>
  /** A text, a file (in JSON or in a form), or any content in the fields of the Bot API's Message. */
  'POST /api/chats/:chatId/messages': Call<
    SeenMessage,
    typeof schemas.newMessage,
    Omit<NewMessage, 'file'> & { file?: FileToSend | undefined }
  >
  /** Replaces the text, the caption of a file, or the whole content. */
  'POST /api/chats/:chatId/edits': Call<SeenMessage, typeof schemas.edit>
  'POST /api/chats/:chatId/deletions': Call<{ ok: boolean }, typeof schemas.deletion>
  /** Taps the button with this label, or sends any callback data for a message, which may be deleted. */
  'POST /api/chats/:chatId/taps': Call<TapResult, typeof schemas.tap>
  /** What the bot answers to `@bot query`. */
  'POST /api/chats/:chatId/inline': Call<AskedAnswer, typeof schemas.inlineQuery>
  /** Sends one of the results. */
  'POST /api/chats/:chatId/choices': Call<SeenMessage, typeof schemas.inlineChoice>
  'POST /api/chats/:chatId/reactions': Call<{ ok: boolean }, typeof schemas.userReaction>
  /** The drafts in the chat now, or all their states so far, oldest first. */
  'GET /api/chats/:chatId/drafts': Call<readonly Draft[], typeof schemas.draftsQuery>
  /** Presses Stop of this draft, or of the newest that has the button. */
  'POST /api/chats/:chatId/stop': Call<Draft, typeof schemas.stop>
  /** The bot's answers to callback queries. */
  'GET /api/chats/:chatId/answers': Call<CallbackAnswer[]>
  /** Pays an invoice. */
  'POST /api/chats/:chatId/payments': Call<PaymentResult, typeof schemas.payment>
  /** Changes the status of the bot or of a user in a group. */
  'POST /api/chats/:chatId/members': Call<{ ok: boolean }, typeof schemas.newMember>
  'POST /api/chats/:chatId/block': Call<{ ok: boolean }, typeof schemas.block>
  /** The command menu in this chat. */
  'GET /api/commands': Call<readonly BotCommand[], typeof schemas.menuQuery>
  /** Recent updates. */
  'GET /api/updates': Call<{ update: Update; pending: boolean }[]>
  /** Delivers an update again. */
  'POST /api/updates/redeliver': Call<{ ok: boolean }, typeof schemas.redelivery>
}

export type Answer<K> = K extends keyof UsersApi ? UsersApi[K]['answer'] : never
export type Body<K> = K extends keyof UsersApi ? UsersApi[K]['body'] : never
