// The users' side of the sandbox: what each route accepts, as schemas, and what it answers, as types. The routes and the chat page are compiled
// against it, so a field that changes on one side is a compile error on the other. It imports nothing that needs Node.js.

import type {
  BotCommand,
  Chat,
  ChatMember,
  MenuButton,
  Message,
  Update,
  User,
  UserFromGetMe,
} from 'grammy/types'
import { z } from 'zod'
import type { AskedAnswer, CallbackAnswer, Draft, PaymentResult, SeenMessage } from '../telegram/events.ts'
import { mediaKinds } from '../telegram/state.ts'

/** Coerced, since numbers arrive as text in queries. */
const id = z.coerce.number<number>().int()
const words = z.string().min(1)

/** Where a message goes, and what it refers to. */
const place = {
  reply_to: id.optional(),
  /** The chat of the replied-to message, if it is another chat. */
  reply_chat: id.optional(),
  quote: words.optional(),
  thread_id: id.optional(),
  /** The user who wrote the forwarded message. */
  forwarded_from: id.optional(),
  /** The username of the inline bot that wrote the message for the sender. */
  via_bot: words.optional(),
  album: words.optional(),
}
export type Place = z.output<z.ZodObject<typeof place>>

const fileInJson = z.strictObject({
  kind: z.enum(mediaKinds).optional(),
  name: words,
  mime: z.string().optional(),
  base64: z.base64(),
  width: z.int().positive().optional(),
  height: z.int().positive().optional(),
  duration: z.int().nonnegative().optional(),
})
export type FileToSend = z.input<typeof fileInJson>

/** An object of the Bot API, of which only the shown fields are checked. */
const loose = <T>(shape: z.ZodRawShape) =>
  z.custom<T>((value) => z.looseObject(shape).safeParse(value).success)
/** A contact, a rich message, a gift … */
const content = loose<Partial<Message>>({})

const anything = z.unknown()
const ofMessage = { from: id, message_id: id }

/**
 * The JSON body, or the query of a GET, by method and path. Errors are `{error}`, with 400 for a wrong request and 404 for something that does
 * not exist. Messages have the shape of the Bot API; their `reply_markup` also contains forced replies, and `reactions` those of the bot, as a client
 * shows them. Beside these there are `GET /api/files/:file_id`, a file with byte ranges, and `GET /api/chats/:chatId/events`, server-sent events:
 * message, edited, deleted, reaction, action, draft, draft_ended, answer, error, people; with `?others=true` also elsewhere, when the messages
 * of another chat have changed; with `?user=<id>` no answers to the taps of other users.
 */
export const bodies = {
  /** The bot, its descriptions and its menu button. */
  'GET /api/bot': anything,
  'GET /api/users': anything,
  /** A new user; a known id updates its user. */
  'POST /api/users': z.strictObject({
    id: z.int().positive().optional(),
    first_name: words,
    username: words.optional(),
    language_code: z.string().min(2).optional(),
  }),
  'GET /api/chats': anything,
  /** A group with the bot in it. */
  'POST /api/chats': z.strictObject({
    title: words,
    members: z.array(z.int()).min(1),
    forum: z.boolean().default(false),
    /** Whether the bot is an administrator with all rights, and receives every message. */
    admin: z.boolean().default(false),
    /** Whether everybody may write, like below the posts of a channel in its discussion group. */
    open: z.boolean().default(false),
  }),
  'POST /api/chats/:chatId/topics': z.strictObject({ from: id, name: words }),
  /** The messages in the chat now, oldest first. */
  'GET /api/chats/:chatId/messages': anything,
  /** A text, a file, or any content in the fields of the Bot API's Message. */
  'POST /api/chats/:chatId/messages': z.strictObject({
    ...place,
    from: id,
    text: z.string().optional(),
    caption: z.string().default(''),
    file: fileInJson.optional(),
    content: content.optional(),
  }),
  /** Replaces the text, the caption of a file, or the whole content. */
  'POST /api/chats/:chatId/edits': z.union([
    z.strictObject({ ...ofMessage, text: words }),
    z.strictObject({ ...ofMessage, content }),
  ]),
  /** Taps the button with this label, or sends any callback data for a message, which may be deleted. */
  'POST /api/chats/:chatId/taps': z.union([
    z.strictObject({ ...ofMessage, data: words }),
    z.strictObject({ ...ofMessage, text: words }),
  ]),
  /** What the bot answers to `@bot query`. */
  'POST /api/chats/:chatId/inline': z.strictObject({
    from: id,
    query: z.string().max(256),
    offset: z.string().default(''),
  }),
  /** Sends one of the results. */
  'POST /api/chats/:chatId/choices': z.strictObject({
    from: id,
    query_id: words,
    result_id: words,
    reply_to: id.optional(),
    thread_id: id.optional(),
  }),
  /** The drafts in the chat now, or all their states so far, oldest first. */
  'GET /api/chats/:chatId/drafts': z.object({ gone: z.stringbool().default(false) }),
  /** Presses Stop of this draft, or of the newest that has the button. */
  'POST /api/chats/:chatId/stop': z.strictObject({ from: id, draft_id: id.optional() }),
  /** The bot's answers to callback queries. */
  'GET /api/chats/:chatId/answers': anything,
  /** Pays an invoice. */
  'POST /api/chats/:chatId/payments': z.strictObject({
    ...ofMessage,
    /** The amount paid in place of the invoice's: a bot must compare the two. */
    total_amount: z.int().positive().optional(),
  }),
  /** Changes the status of the bot or of a user in a group. */
  'POST /api/chats/:chatId/members': z.strictObject({
    from: id,
    user_id: id,
    member: loose<ChatMember>({ status: z.string() }),
  }),
  'POST /api/chats/:chatId/block': z.strictObject({ from: id, blocked: z.boolean() }),
  /** The command menu in this chat. */
  'GET /api/commands': z.object({ chat_id: id, language_code: z.string().default('') }),
  /** The updates that the local Telegram sent to the bot last. */
  'GET /api/updates': anything,
  /** Delivers an update again. */
  'POST /api/updates/redeliver': z.strictObject({ update_id: z.int() }),
}
type Bodies = typeof bodies
export type Body<K extends keyof Bodies> = z.output<Bodies[K]>

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

/** A language of the bot: its code as in `language_code` of a user, and its name in the language itself. */
export interface Language {
  code: string
  name: string
}

export type TapResult =
  | { callback_query_id: string; update_id?: number }
  | { url: string }
  | { copied: string }
  | { pay: true }
  | { inline_query: string }

export interface Answers extends Record<keyof Bodies, unknown> {
  'GET /api/bot': BotProfile
  'GET /api/users': User[]
  'POST /api/users': User
  'GET /api/chats': ChatView[]
  'POST /api/chats': Chat
  'POST /api/chats/:chatId/topics': { message_thread_id: number }
  'GET /api/chats/:chatId/messages': SeenMessage[]
  'POST /api/chats/:chatId/messages': SeenMessage
  'POST /api/chats/:chatId/edits': SeenMessage
  'POST /api/chats/:chatId/taps': TapResult
  'POST /api/chats/:chatId/inline': AskedAnswer
  'POST /api/chats/:chatId/choices': SeenMessage
  'GET /api/chats/:chatId/drafts': readonly Draft[]
  'POST /api/chats/:chatId/stop': Draft
  'GET /api/chats/:chatId/answers': CallbackAnswer[]
  'POST /api/chats/:chatId/payments': PaymentResult
  'GET /api/commands': readonly BotCommand[]
  'GET /api/updates': { update: Update; pending: boolean }[]
}

export type UsersApi = { [K in keyof Bodies]: { answer: Answers[K]; body: z.input<Bodies[K]> } }
