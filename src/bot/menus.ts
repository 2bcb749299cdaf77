// The menu that waits for its user: the last message of a private chat with choices on it. Words typed beside it answer it, or are offered
// to a text model with a price; they are never asked at once.

import type { InlineKeyboardMarkup, Message } from 'grammy/types'
import { z } from 'zod'
import { quoteLifetimeMs } from '../orders/quotes.ts'
import { changeNote, type MessageRef, noteAt, takeNote } from '../telegram/message-notes.ts'
import type { BotDeps, Ctx } from './context.ts'
import { noteKind, repliedTo } from './notes.ts'
import { send } from './responses.ts'

type Deps = Pick<BotDeps, 'db' | 'clock'>
type Chat = Pick<Message['chat'], 'id' | 'type'>

const menus = z.discriminatedUnion('at', [
  z.strictObject({
    at: z.enum(['start', 'settings', 'history', 'result', 'forget', 'presets', 'wallet', 'file', 'persona']),
  }),
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
