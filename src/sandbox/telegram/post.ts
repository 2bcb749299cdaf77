// Messages of the bot in a chat: sent after a check of permission, thread, reply and keyboard, changed, removed. An edit also replaces the
// inline keyboard; without a new one, the keyboard is removed.

import { isDeepStrictEqual } from 'node:util'
import type { ForceReply, InlineKeyboardMarkup, Message, User } from 'grammy/types'
import { z } from 'zod'
import { defined } from './defined.ts'
import type { SeenMessage } from './events.ts'
import { checkedLink } from './html.ts'
import { bool, chatId, int, json, ofBytes } from './method.ts'
import { refuse } from './refusal.ts'
import { botUser, findMessage, nowSeconds, type TelegramServer, writableChat } from './server.ts'
import { type BotChat, type ChatMessage, type ChatState, mediaKinds } from './state.ts'
import { wordsOf } from './text.ts'

/** The fields that give a button its action. Like Telegram, it treats an empty string as a missing field. */
const actionsOf = (button: object): string[] =>
  Object.entries(button)
    .filter(([key, value]) => !['text', 'style', 'icon_custom_emoji_id'].includes(key) && value !== '')
    .map(([key]) => key)

const noAction = "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard"
const wrongUrl = (url: unknown) => `inline keyboard button URL '${url}' is invalid: Wrong HTTP URL`
const copied = z.string().min(1, 'BUTTON_COPY_TEXT_INVALID').max(256, 'BUTTON_COPY_TEXT_INVALID')

/** Only the fields that the chat page uses are checked; newer fields of a button pass through. */
const inlineButton = z
  .looseObject({
    text: z.string().min(1),
    callback_data: z.string().refine(ofBytes(64), 'BUTTON_DATA_INVALID').optional(),
    url: z
      .string()
      .refine((url) => checkedLink(url) !== undefined, { error: ({ input }) => wrongUrl(input) })
      .optional(),
    pay: z.boolean().optional(),
    copy_text: z.looseObject({ text: copied }).optional(),
    style: z.enum(['danger', 'success', 'primary']).optional(),
  })
  .refine((button) => actionsOf(button).length > 0, noAction)

const notMarkup = 'the sandbox takes inline keyboards and forced replies'
const inline = z
  .looseObject({ inline_keyboard: z.array(z.array(inlineButton), notMarkup) }, notMarkup)
  .refine((markup) => markup.inline_keyboard.flat().length <= 100, 'reply markup is too long')
const forced = z.looseObject({ force_reply: z.literal(true) })

/** The value itself, as grammY describes it, checked by the shape that fits it. */
const markup = <M>(shapes: readonly z.ZodType[]) =>
  json(
    z.custom<M>().superRefine((value, { addIssue }) => {
      const shape = shapes.find((one) => one.safeParse(value).success) ?? inline
      for (const { message } of shape.safeParse(value).error?.issues ?? [])
        addIssue({ code: 'custom', message })
    }),
  )
type AnyMarkup = InlineKeyboardMarkup | ForceReply
export const inlineMarkup = markup<InlineKeyboardMarkup>([inline])
const anyMarkup = markup<AnyMarkup>([inline, forced])

/** Only an invoice has a button that pays, which comes first. */
export function checkPay(markup: InlineKeyboardMarkup | undefined, isInvoice = false): void {
  const [first, ...others] = markup?.inline_keyboard.flat() ?? []
  const pays = [first, ...others].map((one) => one !== undefined && 'pay' in one)
  if (pays.some((isPay, index) => isPay && !(index === 0 && isInvoice))) refuse('BUTTON_TYPE_INVALID')
  if (isInvoice && first && !pays[0]) refuse('REPLY_MARKUP_BUY_EMPTY')
}

/** The keyboard that becomes part of the message; undefined for a keyboard without buttons. */
export function inlineOf(markup: AnyMarkup | undefined): InlineKeyboardMarkup | undefined {
  if (!markup || !('inline_keyboard' in markup)) return undefined
  const inline_keyboard = markup.inline_keyboard.filter((row) => row.length > 0)
  return inline_keyboard.length > 0 ? { inline_keyboard } : undefined
}

const generalTopic = 1

const replyParameters = z.object({ message_id: int, allow_sending_without_reply: bool.optional() })

/** The parameters of all sending methods. */
export const sendParams = {
  chat_id: chatId,
  message_thread_id: int.optional(),
  reply_parameters: json(replyParameters).optional(),
  reply_markup: anyMarkup.optional(),
}

type SendParams = z.output<z.ZodObject<typeof sendParams>>

interface Destination {
  chat: ChatState
  /** Fields of the message that its destination determines. */
  fields: Partial<Message>
  markup: AnyMarkup | undefined
}

function threadOf(chat: ChatState, threadId: number | undefined, replied: ChatMessage | undefined) {
  const wanted = threadId || (replied?.is_topic_message ? replied.message_thread_id : undefined)
  if (wanted === undefined || (wanted === generalTopic && chat.chat.is_forum)) return {}
  if (!chat.topics.includes(wanted)) return refuse('message thread not found')
  return { message_thread_id: wanted, is_topic_message: true }
}

function repliedTo(chat: ChatState, { reply_parameters: wanted }: SendParams): ChatMessage | undefined {
  if (!wanted) return undefined
  const found = findMessage(chat, wanted.message_id)
  return found ?? (wanted.allow_sending_without_reply ? undefined : refuse('message to be replied not found'))
}

type ReplyTarget = NonNullable<Message['reply_to_message']>

/**
 * The replied-to message, without its own reply. The cast is needed, since grammY's type requires the field to be present and undefined.
 */
export function withoutReply(message: ChatMessage): ReplyTarget {
  const copy = { ...message }
  delete copy.reply_to_message
  return copy as Message as ReplyTarget
}

export function destination(server: TelegramServer, params: SendParams, isInvoice = false): Destination {
  const chat = writableChat(server, params.chat_id)
  const markup = params.reply_markup
  const inline = inlineOf(markup)
  checkPay(inline, isInvoice)
  const replied = repliedTo(chat, params)
  const fields = defined({
    ...threadOf(chat, params.message_thread_id, replied),
    reply_to_message: replied && withoutReply(replied),
    reply_markup: inline,
  })
  return { chat, fields, markup }
}

type Author = ChatMessage['from']

/** In a supergroup a reply outside of topics names the first message of its chain of replies as its thread. */
function threadOfReply(
  { chat }: ChatState,
  { message_thread_id, reply_to_message: replied }: Partial<Message>,
) {
  if (chat.type !== 'supergroup' || message_thread_id !== undefined || !replied) return {}
  return { message_thread_id: replied.message_thread_id ?? replied.message_id }
}

/** Adds a message of the bot or of a user to the chat. */
export function addMessage(
  server: TelegramServer,
  state: ChatState,
  from: Author,
  content: Partial<Message>,
): ChatMessage {
  const chat: BotChat = state.chat
  const thread = threadOfReply(state, content)
  const message = {
    message_id: state.nextMessageId,
    from,
    date: nowSeconds(server),
    chat,
    ...thread,
    ...content,
  }
  const kept: ChatMessage = { ...message, from, chat }
  state.nextMessageId += 1
  state.messages.push(kept)
  return kept
}

/** Adds a message of which clients and the bot, unless it is its own, are told: of a payment, a refund or a new topic. */
export function announce(server: TelegramServer, chat: ChatState, user: User, content: Partial<Message>) {
  const message = addMessage(server, chat, user, content)
  server.events.emit({ type: 'message', chat_id: chat.chat.id, data: message })
  if (user.id !== server.botId) server.updates.push({ message })
  return message
}

/** Opens a topic. Its id is the id of the message that opens it. */
export function openTopic(server: TelegramServer, chat: ChatState, user: User, name: string) {
  const message_thread_id = chat.nextMessageId
  const forum_topic_created = { name, icon_color: 0x6fb9f0 } as const
  chat.topics.push(message_thread_id)
  announce(server, chat, user, { message_thread_id, is_topic_message: true, forum_topic_created })
  return { message_thread_id, ...forum_topic_created }
}

/** Adds a message of the bot, emits its event and ends the draft of its chat. */
export function post(server: TelegramServer, to: Destination, content: Partial<Message>): ChatMessage {
  const message = addMessage(server, to.chat, botUser(server), { ...to.fields, ...content })
  if (to.markup && !('inline_keyboard' in to.markup)) to.chat.forcedReplies[message.message_id] = to.markup
  server.events.emit({ type: 'message', chat_id: to.chat.chat.id, data: clientView(to.chat, message) })
  server.drafts.end(to.chat.chat.id)
  return message
}

/** A message as a client shows it; a rich message as a plain one. */
export function clientView(chat: ChatState, message: ChatMessage): SeenMessage {
  const forced = chat.forcedReplies[message.message_id]
  const reactions = chat.reactions[message.message_id]
  const receipt_message_id = chat.receipts[message.message_id]
  const plain = message.rich_message && { text: wordsOf(message).text }
  const seen = defined({ reactions, receipt_message_id, ...plain })
  return Object.assign({}, message, seen, forced && { reply_markup: forced })
}

interface EditParams {
  readonly chat_id: number | string
  readonly message_id: number
  readonly reply_markup?: InlineKeyboardMarkup | undefined
}

const notModified =
  'message is not modified: specified new message content and reply markup are exactly the same as a current ' +
  'content and reply markup of the message'

interface EditTarget {
  readonly chat: ChatState
  readonly message: ChatMessage
}

export function editable(
  server: TelegramServer,
  params: EditParams,
  refusal = "message can't be edited",
): EditTarget {
  const chat = writableChat(server, params.chat_id)
  const message = findMessage(chat, params.message_id) ?? refuse('message to edit not found')
  // A message with a forced reply cannot be edited, like messages of others.
  const isClosed = message.from.id !== server.botId || chat.forcedReplies[message.message_id] !== undefined
  return isClosed ? refuse(refusal) : { chat, message }
}

type Removable = {
  [K in keyof ChatMessage]-?: Pick<Partial<ChatMessage>, K> extends Pick<ChatMessage, K> ? K : never
}[keyof ChatMessage]

export function without(message: ChatMessage, keys: readonly Removable[]): ChatMessage {
  const copy = { ...message }
  for (const key of keys) delete copy[key]
  return copy
}

export function rewrite(
  server: TelegramServer,
  params: EditParams,
  { chat, message }: EditTarget,
  dropped: readonly Removable[],
  content: Partial<Message>,
): ChatMessage {
  const reply_markup = inlineOf(params.reply_markup)
  checkPay(reply_markup, message.invoice !== undefined)
  const kept = without(message, [...dropped, 'reply_markup', 'edit_date'])
  const { from } = message
  const edited: ChatMessage = { ...kept, ...content, ...defined({ reply_markup }), from, chat: chat.chat }
  if (isDeepStrictEqual(edited, without(message, ['edit_date']))) refuse(notModified)
  const dated = { ...edited, edit_date: nowSeconds(server) }
  replace(server, chat, message, dated)
  return dated
}

/** Replaces the old message by the changed one. */
export function replace(
  server: TelegramServer,
  chat: ChatState,
  old: ChatMessage,
  changed: ChatMessage,
): void {
  chat.messages = chat.messages.map((one) => (one === old ? changed : one))
  server.events.emit({ type: 'edited', chat_id: chat.chat.id, data: clientView(chat, changed) })
}

export function removeMessages(
  server: TelegramServer,
  chat: ChatState,
  messages: readonly ChatMessage[],
): void {
  chat.messages = chat.messages.filter((message) => !messages.includes(message))
  const message_ids = messages.map((message) => message.message_id)
  for (const id of message_ids) delete chat.forcedReplies[id]
  server.events.emit({ type: 'deleted', chat_id: chat.chat.id, data: { message_ids } })
}

const contentKeys: readonly string[] = [
  ...(['text', 'entities', 'rich_message', 'caption', 'caption_entities', ...mediaKinds] as const),
  ...(['sticker', 'contact', 'location', 'venue', 'dice', 'poll'] as const),
] satisfies (keyof Message)[]

/** @returns undefined for a message that cannot be copied: an invoice or a service message */
export function contentOf(message: ChatMessage): Partial<Message> | undefined {
  const kept = Object.entries(message).filter(([key]) => contentKeys.includes(key))
  return kept.length > 0 ? Object.fromEntries(kept) : undefined
}
