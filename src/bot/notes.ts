// What messages mean to the bot: the notes of its questions and menus, what a message replies to, and whom it addresses.

import type { Context } from 'grammy'
import type { InlineKeyboardMarkup, Location, Message, MessageEntity, User } from 'grammy/types'
import { z } from 'zod'
import { quoteLifetimeMs } from '../orders/confirm.ts'
import {
  changeNote,
  isSameNote,
  type MessageRef,
  type Note,
  type NoteKind,
  noteAt,
  readNote,
  takeNote,
  writeNote,
} from '../telegram/message-notes.ts'
import { topicOf } from '../telegram/send.ts'
import { wordsIn } from '../telegram/words.ts'
import { escapeHtml } from '../texts.ts'
import { shownName } from '../users/user.ts'
import { isCommand } from './commands.ts'
import { type BotDeps, type Ctx, send } from './context.ts'

type Deps = Pick<BotDeps, 'db' | 'clock'>

export const noteKind = <T>(name: string, about: z.ZodType<T>): NoteKind<T> => ({ name, about })

/** A kind of note that stores only the user. */
export const plainNote = (name: string): NoteKind<Record<string, never>> => noteKind(name, z.strictObject({}))

/** The note of the messages in a person's private chat to which a reply is for the operators: see support.ts. */
export const supportNote = plainNote('support')

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
const startsWithCommand = ({ entities, caption_entities }: Message): boolean =>
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
  if (startsWithCommand(message)) return false
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

// The menu that waits for its user: the last message of a private chat with choices on it. Words typed beside it answer it, or are
// offered at a price; only beside what was opened to ask a text model they are asked at once.

type Chat = Pick<Message['chat'], 'id' | 'type'>

const menus = z.discriminatedUnion('at', [
  z.strictObject({
    at: z.enum(['settings', 'history', 'result', 'forget', 'presets', 'wallet', 'file', 'persona']),
  }),
  /** What to make is chosen, by a button or by words; and what was opened to ask a text model. */
  z.strictObject({ at: z.literal('start') }),
  z.strictObject({ at: z.literal('chat') }),
  /** The question how much to top up, and the ways to pay. */
  z.strictObject({ at: z.enum(['amounts', 'ways']) }),
  /** The limits of a wallet. */
  z.strictObject({ at: z.literal('caps'), walletId: z.string() }),
  /** The reasons of a problem, below a result or its receipt. */
  z.strictObject({
    at: z.literal('reasons'),
    generationId: z.string(),
    below: z.enum(['result', 'receipt']),
  }),
])
export type Menu = z.output<typeof menus>

const menuNote = noteKind('menu', z.strictObject({ menu: menus, messageId: z.int() }))

/** The note of a private chat is at an id that no message has. In groups it is that of the message, since words there are replies. */
const placeOf = ({ id, type }: Chat, messageId: number | undefined): MessageRef | undefined => {
  if (type === 'private') return { chat: { id }, message_id: 0 }
  return messageId === undefined ? undefined : { chat: { id }, message_id: messageId }
}

/** Whether a message was sent while what the user was shown then still counts. The time of sending counts: the bot may have been down. */
export const isRecent = ({ date }: Message, since: Date): boolean =>
  date * 1000 - since.getTime() <= quoteLifetimeMs

/** A message without buttons, such as an empty list, waits for nothing. */
export async function sendMenu(
  deps: Deps,
  ctx: Ctx,
  menu: Menu,
  html: string,
  keyboard?: InlineKeyboardMarkup,
): Promise<Message> {
  const sent = await send(ctx, html, keyboard)
  // `/topup` takes an amount also without buttons.
  const isMenu = menu.at === 'amounts' || keyboard?.inline_keyboard.some((row) => row.length > 0)
  if (isMenu) await openMenu(deps, ctx, menu, sent)
  return sent
}

/**
 * In groups only the reasons of a problem take words.
 * @param shown the message with the choices; by default the tapped one
 */
export async function openMenu(
  deps: Deps,
  { user, callbackQuery }: Ctx,
  menu: Menu,
  shown: MessageRef | undefined = callbackQuery?.message,
): Promise<void> {
  const place = shown && placeOf(chatOf(shown), shown.message_id)
  if (!place || (place.message_id !== 0 && (menu.at !== 'reasons' || (await isOtherNote(deps, place)))))
    return
  const about = { menu, messageId: shown.message_id }
  await changeNote(deps, place, { kind: menuNote, userId: user.id, about })
}

/** In a private chat the id of the chat is that of its user. */
const chatOf = ({ chat: { id } }: MessageRef): Chat => ({ id, type: id > 0 ? 'private' : 'supergroup' })

/** A message of a group whose note says something else keeps that note. */
async function isOtherNote(deps: Deps, place: MessageRef): Promise<boolean> {
  const note = await noteAt(deps, place)
  return note !== undefined && note.kind !== menuNote.name
}

export interface OpenMenu {
  readonly menu: Menu
  readonly message: MessageRef
  readonly since: Date
}

/** The open menu that a message answers: in a private chat the last one, soon after it was shown; anywhere the one that it replies to. */
export async function menuFor(deps: Deps, ctx: Ctx, message: Message): Promise<OpenMenu | undefined> {
  const replied = repliedTo(message)?.message_id
  const open = await menuAt(deps, ctx, placeOf(message.chat, replied))
  if (!open) return undefined
  const isMeant = replied === undefined ? isRecent(message, open.since) : replied === open.message.message_id
  return isMeant ? open : undefined
}

/** When the update that answered the menu is handled again after a crash, the menu still counts as open for it. */
async function menuAt(
  deps: Deps,
  { user, update }: Ctx,
  place: MessageRef | undefined,
): Promise<OpenMenu | undefined> {
  const note = await noteAt(deps, place)
  const isOpen = note && (note.takenBy === null || note.takenBy === update.update_id)
  if (!isOpen || note.userId !== user.id || note.kind !== menuNote.name) return undefined
  const { data } = menuNote.about.safeParse(note.about)
  const message = data && { chat: { id: note.chatId }, message_id: data.messageId }
  return message && { menu: data.menu, message, since: note.createdAt }
}

/** Closes the open menu: after a tap, if it is on the tapped message; else whatever it is. */
export const closeMenu = (deps: Deps, ctx: Ctx): Promise<void> =>
  close(deps, ctx, ctx.callbackQuery?.message?.message_id)

/** Closes whatever menu is open, as a command does, and a question that is asked beside it. */
export const leaveMenu = (deps: Deps, ctx: Ctx): Promise<void> => close(deps, ctx, undefined)

async function close(deps: Deps, ctx: Ctx, tapped: number | undefined): Promise<void> {
  const place = ctx.chat && placeOf(ctx.chat, tapped)
  const open = await menuAt(deps, ctx, place)
  if (!place || !open || (tapped !== undefined && tapped !== open.message.message_id)) return
  await takeNote(deps, place, ctx.update.update_id)
}

// Mentions in groups: of the bot in a message of a member, and of a member in a message of the bot.

type Me = Pick<Context, 'me'>
interface Range {
  readonly offset: number
  readonly length: number
}

const entitiesOf = ({ entities, caption_entities }: Message) => entities ?? caption_entities

export const isMentioned = (ctx: Me, message: Message): boolean => mentionsIn(ctx, message).length > 0

/**
 * The message as if it did not mention the bot: the following entities keep their places.
 */
export const withoutMention = (ctx: Me, message: Message): Message =>
  mentionsIn(ctx, message)
    .toSorted((a, b) => b.offset - a.offset)
    .reduce(cutOut, message)

/** A name in a link, an address or code is no mention: Telegram marks it as those. */
function mentionsIn(ctx: Me, message: Message): readonly Range[] {
  const text = wordsIn(message)
  const entities = entitiesOf(message)
  if (entities) return entities.flatMap((entity) => mentionBy(ctx, text, entity) ?? [])
  const name = new RegExp(`(?<![\\p{L}\\p{N}_@/.])@${ctx.me.username}(?![\\p{L}\\p{N}_])`, 'giu')
  return [...text.matchAll(name)].map(({ index, 0: { length } }) => ({ offset: index, length }))
}

function mentionBy({ me }: Me, text: string, entity: MessageEntity): Range | undefined {
  const { type, offset, length } = entity
  if (type === 'text_mention') return entity.user.id === me.id ? { offset, length } : undefined
  if (type !== 'mention' && type !== 'bot_command') return undefined
  const words = text.slice(offset, offset + length)
  const at = words.indexOf('@')
  const isOwn = at >= 0 && words.slice(at + 1).toLowerCase() === me.username.toLowerCase()
  return isOwn ? { offset: offset + at, length: length - at } : undefined
}

function cutOut(message: Message, cut: Range): Message {
  const text = wordsIn(message)
  const rest = text.slice(0, cut.offset) + text.slice(cut.offset + cut.length)
  const entities = entitiesOf(message)?.flatMap((entity) => moved(entity, cut) ?? [])
  if (message.text !== undefined) return { ...message, text: rest, ...(entities ? { entities } : {}) }
  return { ...message, caption: rest, ...(entities ? { caption_entities: entities } : {}) }
}

/** An entity after a part of its text was cut out; undefined when nothing of it is left. */
function moved(entity: MessageEntity, cut: Range): MessageEntity | undefined {
  const after = (at: number) => at - Math.min(Math.max(at - cut.offset, 0), cut.length)
  const offset = after(entity.offset)
  const length = after(entity.offset + entity.length) - offset
  return length > 0 ? { ...entity, offset, length } : undefined
}

/** HTML that mentions a person by name: it needs no username. */
export function mentionOf({ id, first_name, username }: User): string {
  const name = shownName(first_name) || (username ? `@${username}` : `#${id}`)
  return `<a href="tg://user?id=${id}">${escapeHtml(name)}</a>`
}

// Whether an update is meant for the bot. In a group where it sees all messages, most are meant for other members.

/**
 * In groups a message addresses the bot by a command, a mention or a reply. A command without the name of a bot may be meant for another bot,
 * so only commands that this bot has count. The edit of a message addresses nobody.
 */
export function isAddressed({ catalog }: Pick<BotDeps, 'catalog'>, ctx: Context): boolean {
  const { message } = ctx
  if (ctx.chat?.type === 'private' || ctx.callbackQuery) return true
  if (!message) return false
  if (isMentioned(ctx, message)) return true
  const [, command, bot] = /^\/(\w+)(?:@(\w+))?/.exec(wordsIn(message)) ?? []
  if (command === undefined) return repliedTo(message)?.from?.id === ctx.me.id
  if (bot !== undefined) return bot.toLowerCase() === ctx.me.username.toLowerCase()
  return isCommand(catalog, command)
}
