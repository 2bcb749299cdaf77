// Schemas of the requests that the users' API accepts. The chat page is compiled against them (./api.ts), so this file imports nothing that
// needs Node.js.

import type { ChatMember, Message, ReactionType } from 'grammy/types'
import { z } from 'zod'
import { mediaKinds } from '../telegram/state.ts'

/** The emoji that Telegram accepts as a reaction. */
const reactionEmoji = new Set(
  `👍 👎 ❤ 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋
   🖕 😈 😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡`.split(
    /\s+/,
  ),
)

/** Whether Telegram accepts the reaction. Clients send some emoji with a variation selector, which Telegram ignores. */
export const mayReact = (reaction: ReactionType): boolean =>
  reaction.type === 'emoji' && reactionEmoji.has(reaction.emoji.replace(/\ufe0f/g, ''))

const reaction = z.custom<ReactionType>(
  (value) => z.looseObject({ type: z.enum(['emoji', 'custom_emoji', 'paid']) }).safeParse(value).success,
)

/** Coerced, since numbers arrive as text in multipart forms. */
const id = z.coerce.number<number>().int()
const place = {
  reply_to: id.optional(),
  /** The chat of the replied-to message, if it is another chat. */
  reply_chat: id.optional(),
  quote: z.string().min(1).optional(),
  thread_id: id.optional(),
  /** The user who wrote the forwarded message. */
  forwarded_from: id.optional(),
  /** The username of the inline bot that wrote the message for the sender. */
  via_bot: z.string().min(1).optional(),
  album: z.string().min(1).optional(),
}

/** Where a message goes, and what it refers to. */
export type Place = z.output<z.ZodObject<typeof place>>

export const anything = z.unknown()

export const newUser = z.strictObject({
  id: z.int().positive().optional(),
  first_name: z.string().min(1),
  username: z.string().min(1).optional(),
  language_code: z.string().min(2).optional(),
})

export const newGroup = z.strictObject({
  title: z.string().min(1),
  members: z.array(z.int()).min(1),
  forum: z.boolean().default(false),
  /** Whether the bot is an administrator with all rights, and receives every message. */
  admin: z.boolean().default(false),
  /** Whether everybody may write, like below the posts of a channel in its discussion group. */
  open: z.boolean().default(false),
})

export const newTopic = z.strictObject({ from: id, name: z.string().min(1) })

export const fileInJson = z.strictObject({
  kind: z.enum(mediaKinds).optional(),
  name: z.string().min(1),
  mime: z.string().optional(),
  base64: z.base64(),
  width: z.int().positive().optional(),
  height: z.int().positive().optional(),
  duration: z.int().nonnegative().optional(),
})

/** The content of a message in the fields of the Bot API: a contact, a rich message, a gift … */
const content = z.custom<Partial<Message>>(
  (value) => z.record(z.string(), z.unknown()).safeParse(value).success,
)

export const newMessage = z.strictObject({
  ...place,
  from: id,
  text: z.string().optional(),
  caption: z.string().default(''),
  kind: z.enum(mediaKinds).optional(),
  /** A string is a reference to a file uploaded in the multipart form. */
  file: z.union([fileInJson, z.string()]).optional(),
  content: content.optional(),
})
export type NewMessage = z.output<typeof newMessage>

export const inlineQuery = z.strictObject({
  from: id,
  query: z.string().max(256),
  offset: z.string().default(''),
})

export const inlineChoice = z.strictObject({
  from: id,
  query_id: z.string().min(1),
  result_id: z.string().min(1),
  reply_to: id.optional(),
  thread_id: id.optional(),
})

export const userReaction = z.strictObject({
  from: id,
  message_id: id,
  reaction: z.array(reaction),
})

export const edit = z.union([
  z.strictObject({ from: id, message_id: id, text: z.string().min(1) }),
  z.strictObject({ from: id, message_id: id, content }),
])
export const deletion = z.strictObject({ from: id, message_id: id })

export const tap = z.union([
  z.strictObject({ from: id, message_id: id, data: z.string().min(1) }),
  z.strictObject({ from: id, message_id: id, text: z.string().min(1) }),
])

export const stop = z.strictObject({ from: id, draft_id: id.optional() })
export const draftsQuery = z.object({ gone: z.stringbool().default(false) })

export const payment = z.strictObject({
  from: id,
  message_id: id,
  /** What the payer fills in if the invoice asks for it; a sample by default. */
  email: z.string().optional(),
  /** The amount paid in place of the invoice's: a bot must compare the two. */
  total_amount: z.int().positive().optional(),
})

/** A status in the fields of the Bot API. */
const chatMember = z.custom<ChatMember>(
  (value) => z.looseObject({ status: z.string() }).safeParse(value).success,
)
export const newMember = z.strictObject({ from: id, user_id: id, member: chatMember })

export const block = z.strictObject({ from: id, blocked: z.boolean() })
export const redelivery = z.strictObject({ update_id: z.int() })
export const menuQuery = z.object({
  chat_id: id,
  language_code: z.string().default(''),
})
