// The bot's notes of messages: which kinds of questions and other messages are noted, and what an update means to them.

import type { Location, Message } from 'grammy/types'
import { z } from 'zod'
import {
  isSameNote,
  type MessageRef,
  type Note,
  type NoteKind,
  noteAt,
  readNote,
  writeNote,
} from '../telegram/message-notes.ts'
import { topicOf } from '../telegram/send-into.ts'
import type { BotDeps, Ctx } from './context.ts'

type Deps = Pick<BotDeps, 'db' | 'clock'>

export const noteKind = <T>(name: string, about: z.ZodType<T>): NoteKind<T> => ({ name, about })

/** A kind of note that stores only the user. */
export const plainNote = (name: string): NoteKind<Record<string, never>> => noteKind(name, z.strictObject({}))

/** The ending of the name of every kind of question. */
export const questionSuffix = '-question'

/** The kind of an operator's question for the words of a command, which is not asked in a conversation. */
export const commandQuestionName = `command${questionSuffix}`

/** Whether a message with such a note asks the question of a conversation. */
export const asksInConversation = (kind: string | undefined): boolean =>
  kind !== undefined && kind !== commandQuestionName && kind.endsWith(questionSuffix)

/** Notes that a message belongs to the user of the update. */
export const noteOwn = (
  deps: Deps,
  ctx: Ctx,
  message: Message,
  kind: NoteKind<Record<string, never>>,
): Promise<void> => writeNote(deps, message, { kind, userId: ctx.user.id, about: {} })

/** The note of the tapped message; undefined unless it belongs to the user who tapped it. */
export const tappedNote = <T>(deps: Pick<Deps, 'db'>, ctx: Ctx, kind: NoteKind<T>): Promise<T | undefined> =>
  readNote(deps, ctx.callbackQuery?.message, ctx.user.id, kind)

/**
 * The message replied to. In topics of forums every message names the one that opened the topic, and every comment below a post of a channel
 * names the post; these are no replies, unless the comment quotes the post.
 */
export function repliedTo(message: Message): Message['reply_to_message'] {
  const { reply_to_message: replied, quote } = message
  const isComment = replied?.is_automatic_forward === true && quote === undefined
  return isComment || replied?.message_id === topicOf(message) ? undefined : replied
}

/** Whether a message has this note, so that it asks this question. */
export const isMessageOf = async <T>(
  deps: Pick<Deps, 'db'>,
  message: MessageRef | undefined,
  asked: Note<T>,
): Promise<boolean> => isSameNote(await noteAt(deps, message), asked)

/** Whether a text or a caption begins with a command, of this bot or another one. */
const isCommand = ({ entities, caption_entities }: Message): boolean =>
  (entities ?? caption_entities ?? []).some(({ type, offset }) => type === 'bot_command' && offset === 0)

/**
 * Whether a message answers a question: it replies to the question, or is the next message in the chat and replies to no other message of
 * the bot. A command answers nothing.
 */
export async function isAnswer<T>(
  deps: Pick<Deps, 'db'>,
  message: Message,
  asked: Note<T>,
): Promise<boolean> {
  if (isCommand(message)) return false
  const replied = repliedTo(message)
  if (!replied && !message.external_reply) return true
  const row = await noteAt(deps, replied)
  return row ? isSameNote(row, asked) : message.chat.type === 'private'
}

// What a message refers to: a message of this chat or of another one, or a story; and what Telegram says of it in words.

/** A message of another chat has no text here: a client quotes it. */
export type Referred = Omit<Partial<Message>, 'reply_to_message'>

export function referredTo(message: Message): Referred | undefined {
  const { external_reply: external, reply_to_story: story } = message
  return repliedTo(message) ?? external ?? (story && { story })
}

/** Contents that are facts in place of a text or a file, as text. */
export function factsOf(message: Referred): string | undefined {
  const { poll, checklist, venue, location, contact, dice, invoice, game } = message
  const titled = invoice ?? game
  if (poll) return listText(poll.question, poll.options)
  if (checklist) return listText(checklist.title, checklist.tasks)
  if (venue) return [venue.title, venue.address, placeText(venue.location)].join('\n')
  if (location) return placeText(location)
  if (contact) return [contact.first_name, contact.last_name, contact.phone_number].filter(Boolean).join(' ')
  if (titled) return [titled.title, titled.description].join('\n')
  return dice && `${dice.emoji} ${dice.value}`
}

const listText = (title: string, items: readonly { readonly text: string }[]): string =>
  [title, ...items.map(({ text }) => `- ${text}`)].join('\n')

const placeText = ({ latitude, longitude }: Location): string => `${latitude}, ${longitude}`
