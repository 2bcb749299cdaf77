// What a user writes: texts, files, edits; and which of it the bot gets to see.

import type { Message, User } from 'grammy/types'
import { defined } from '../telegram/defined.ts'
import { type MediaKind, mediaKinds } from '../telegram/media-kinds.ts'
import { storeMedia } from '../telegram/media-store.ts'
import { mimeOf } from '../telegram/mime.ts'
import { addMessage, quoted } from '../telegram/post.ts'
import { findQuote } from '../telegram/reply-quote.ts'
import type { ChatMessage, ChatState } from '../telegram/state.ts'
import { messageCaption, messageText } from '../telegram/text.ts'
import { findMessage, nowSeconds, type World } from '../telegram/world.ts'
import { complain } from './route.ts'

export interface Place {
  reply_to?: number | undefined
  /** A part of the message that is answered. */
  quote?: string | undefined
  thread_id?: number | undefined
}

export interface SentFile {
  kind?: MediaKind | undefined
  name: string
  bytes: Buffer
}

/**
 * A bot in a group sees commands (not those for another bot), mentions of it and replies to its own messages: privacy mode.
 * Telegram's own description of that mode does not list mentions; where they do not reach a bot, its operator turns the mode off.
 */
function reachesBot(world: World, chat: ChatState, message: ChatMessage): boolean {
  if (chat.chat.type === 'private') return true
  if (message.reply_to_message?.from?.id === world.botId) return true
  const text = message.text ?? message.caption ?? ''
  const entities = message.entities ?? message.caption_entities ?? []
  return entities.some(({ type, offset, length }) => {
    const [, addressee] = text.slice(offset, offset + length).split('@')
    const isOurs = addressee?.toLowerCase() === world.botUsername.toLowerCase()
    return type === 'mention' ? isOurs : type === 'bot_command' && (addressee === undefined || isOurs)
  })
}

function placeFields(chat: ChatState, { reply_to, quote: part, thread_id }: Place): Partial<Message> {
  const replied = reply_to === undefined ? undefined : findMessage(chat, reply_to)
  if (reply_to !== undefined && !replied) complain(`there is no message ${reply_to} to reply to`, 404)
  if (thread_id !== undefined && !chat.topics.includes(thread_id))
    complain(`there is no topic ${thread_id}`, 404)
  const topic = thread_id === undefined ? {} : { message_thread_id: thread_id, is_topic_message: true }
  const quote = replied && part !== undefined ? findQuote(replied, { text: part }) : undefined
  if (part !== undefined && !quote) complain(`no message that is answered here says "${part}"`)
  return { ...topic, ...defined({ reply_to_message: replied && quoted(replied), quote }) }
}

export function say(
  world: World,
  chat: ChatState,
  from: User,
  place: Place,
  content: Partial<Message>,
): ChatMessage {
  if (chat.blocked) complain('this user has blocked the bot: unblock it first')
  const message = addMessage(world, chat, from, { ...placeFields(chat, place), ...content })
  chat.started = true
  world.events.emit({ type: 'message', chat_id: chat.chat.id, data: message })
  if (reachesBot(world, chat, message)) world.updates.push({ message })
  return message
}

/** A client splits what is over 4096; here it is taken whole, so that the bot's own limits can be tried. */
const typedLimit = 32_000

export const sayText = (world: World, chat: ChatState, from: User, place: Place, text: string): ChatMessage =>
  say(world, chat, from, place, messageText(world, { text }, typedLimit))

function guessKind(file: SentFile): MediaKind {
  const mime = mimeOf(file.bytes, file.name)
  if (mime === 'audio/ogg') return 'voice'
  const [family] = mime.split('/')
  const kind = family === 'image' ? 'photo' : family
  return mediaKinds.find((one) => one === kind) ?? 'document'
}

export async function sayFile(
  world: World,
  chat: ChatState,
  from: User,
  place: Place,
  { file, caption }: { file: SentFile; caption: string },
): Promise<ChatMessage> {
  const content = await storeMedia(world, file.kind ?? guessKind(file), file, {})
  return say(world, chat, from, place, { ...content, ...messageCaption(world, { caption }) })
}

export function editText(world: World, chat: ChatState, from: User, id: number, text: string): ChatMessage {
  const message = findMessage(chat, id) ?? complain(`there is no message ${id}`, 404)
  if (message.from.id !== from.id) complain('users edit only their own messages')
  const { entities: _, ...kept } = message
  const edit_date = nowSeconds(world)
  const edited = { ...kept, ...messageText(world, { text }), edit_date }
  chat.messages = chat.messages.map((one) => (one === message ? edited : one))
  world.events.emit({ type: 'edited', chat_id: chat.chat.id, data: edited })
  if (reachesBot(world, chat, edited)) world.updates.push({ edited_message: edited })
  return edited
}
