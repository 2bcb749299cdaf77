// What every handler has and how it answers: its context, what the bot depends on, messages, taps, and what happens when it fails.

import type { ConversationFlavor } from '@grammyjs/conversations'
import { type Bot, BotError, type Context, HttpError, InlineKeyboard } from 'grammy'
import type { InlineKeyboardMarkup, Message, Update } from 'grammy/types'
import type { TextModel } from '../catalog/text-models.ts'
import type { Config } from '../config.ts'
import { isOutage } from '../db/outage.ts'
import type { RemoteFiles } from '../media/remote.ts'
import type { Metrics } from '../metrics.ts'
import type { Kopecks } from '../money.ts'
import type { Downloads } from '../orders/deliver/download.ts'
import type { GenerationDeps } from '../orders/generation.ts'
import type { Concept } from '../orders/styles.ts'
import type { Tracker } from '../orders/worker.ts'
import type { TopUpDeps } from '../payments/top-ups.ts'
import type { Loop } from '../runtime/loop.ts'
import { LeaseLost } from '../runtime/queue-worker.ts'
import type { FilesAndHeads } from '../telegram/files.ts'
import {
  type ChatLocation,
  forgiveRefusal,
  htmlWithoutPreview,
  isChatClosed,
  isTopicGone,
  maySucceedLater,
  removeMessage,
  topicOf,
} from '../telegram/send.ts'
import type { Say, Texts } from '../texts.ts'
import { isAboutMoney } from '../updates/inbox.ts'
import { shownName, type User } from '../users/user.ts'
import type { Running } from './chat/running.ts'
import type { Members } from './groups/members.ts'

interface Recognised {
  user: User
  say: Say
  /** Whether the tap was answered: Telegram shows one answer, and ignores others. */
  isTapAnswered?: boolean
  /** What conversation-storage.ts knows of this update. */
  stored: StoredConversation
}

interface StoredConversation {
  /** The id of the update that made the state that was read. */
  readonly madeBy: number | undefined
  outcome?: 'done-before' | 'retried' | 'failed'
  /** Whether the handler of this update has closed the question and deletes its message: a later failure does not open it again. */
  isClosed?: boolean
}

export type Ctx = ConversationFlavor<Context & Recognised>

export interface BotDeps extends GenerationDeps {
  readonly texts: Texts
  readonly metrics: Metrics
  readonly topUps: TopUpDeps
  readonly tracker: Pick<Tracker, 'nudge' | 'showStatus'>
  readonly files: FilesAndHeads
  readonly remoteFiles: RemoteFiles
  readonly downloads: Downloads
  readonly textModels: readonly TextModel[]
  readonly running: Running
  readonly members: Members
  /** The concepts that the gateway lists; empty when they cannot be read. */
  readonly concepts: () => Promise<readonly Concept[]>
  /** Whether the gateway creates styles. */
  readonly makesStyles: boolean
  /** The amount credited once to each new user; zero when no amount is credited. */
  readonly welcomeCredit: Kopecks
  readonly referralBonus: Kopecks
  readonly referralPercent: Config['referralPercent']
  readonly referralPayments: Config['referralPayments']
  readonly invitedBonus: Kopecks
  readonly operator: Config['operator']
  readonly broadcaster: Pick<Loop, 'nudge'>
  /** A random number x, 0 ≤ x < 1. */
  readonly random: () => number
}

/** The first name of the sender, or else the username or the id. */
export const firstNameOf = ({ from, user }: Ctx): string =>
  shownName(from?.first_name ?? '') || (from?.username ? `@${from.username}` : `#${user.id}`)

/** The chat of an update and, in forums, its topic. @returns undefined for updates without a chat */
export function locationOf(ctx: Context): ChatLocation | undefined {
  if (!ctx.chat) return undefined
  return { chatId: ctx.chat.id, topicId: topicOf(ctx.msg) ?? null }
}

// How handlers answer: messages in HTML, short answers and alerts for taps, edits of the tapped message.

/** Sends HTML into the chat of the update. */
export const send = (ctx: Context, html: string, keyboard?: InlineKeyboardMarkup): Promise<Message> =>
  ctx.reply(html, { ...htmlWithoutPreview, ...(keyboard ? { reply_markup: keyboard } : {}) })

/** Like `send`, for callers that do not need the sent message. */
export async function reply(ctx: Context, html: string, keyboard?: InlineKeyboardMarkup): Promise<void> {
  await send(ctx, html, keyboard)
}

type Tapped = Context & Pick<Partial<Ctx>, 'isTapAnswered'>

/**
 * Answers a tap: a short line at the top of the chat, or nothing visible without a text. While Telegram does not answer, the tap still takes
 * effect.
 */
export async function answerTap(ctx: Tapped, text?: string): Promise<void> {
  ctx.isTapAnswered = true
  await ctx.answerCallbackQuery(text).catch((error: unknown) => {
    if (!isTelegramAway(error)) throw error
  })
}

/** Answers a tap with a text that has to be closed. */
export async function alert(ctx: Tapped, text: string): Promise<void> {
  ctx.isTapAnswered = true
  await ctx.answerCallbackQuery({ text, show_alert: true })
}

/** Answers a tap on a button that no longer works. */
export const alertStale = (ctx: Ctx): Promise<void> => alert(ctx, ctx.say.plain('stale-button'))

/** Answers a tap on a message that belongs to another user or has another purpose. */
export const alertForeign = (ctx: Ctx): Promise<void> => alert(ctx, ctx.say.plain('foreign-button'))

/** Rewrites the tapped message. A message that was deleted or would not change is left as it is. */
export async function redraw(ctx: Context, html: string, keyboard: InlineKeyboardMarkup): Promise<void> {
  await ctx.editMessageText(html, { ...htmlWithoutPreview, reply_markup: keyboard }).catch(forgiveRefusal)
}

/** Deletes the tapped message, or takes its buttons away if it is too old to be deleted. */
export async function deleteTapped({ api, callbackQuery }: Context): Promise<void> {
  const message = callbackQuery?.message
  if (message) await removeMessage(api, message.chat.id, message.message_id)
}

/**
 * The button under a group's message that leads to the private chat with the bot.
 * @param start what the link carries: see groups/groups.ts
 */
export const privateChatButton = ({ say, me }: Ctx, start?: string): InlineKeyboard =>
  new InlineKeyboard().url(
    say.plain('button-private-chat'),
    `https://t.me/${me.username}${start === undefined ? '' : `?start=${start}`}`,
  )

/** Runs the handler of a tap in private chats only. */
export function inPrivate<Rest extends unknown[]>(
  handle: (ctx: Ctx, ...rest: Rest) => Promise<void>,
): (ctx: Ctx, ...rest: Rest) => Promise<void> {
  return async (ctx, ...rest) => {
    if (ctx.chat?.type === 'private') return handle(ctx, ...rest)
    await answerTap(ctx, ctx.say.plain('private-only-short'))
  }
}

/** Whether the tapped message has a button with the data of the tap; data that was forged is on no button. */
export function isButtonOfMessage({ callbackQuery }: Ctx): boolean {
  const message = callbackQuery?.message
  const rows = (message && 'reply_markup' in message && message.reply_markup?.inline_keyboard) || []
  return rows.flat().some((button) => dataOf(button) === callbackQuery?.data)
}

const dataOf = (button: object): string => ('callback_data' in button ? String(button.callback_data) : '')

/** The keyboard without the buttons that do the same as one of the others. */
export function withoutButtons(keyboard: InlineKeyboard, others: InlineKeyboard): InlineKeyboard {
  const shown = new Set(others.inline_keyboard.flat().map(dataOf))
  return onlyButtons(keyboard, (data) => !shown.has(data))
}

/** The keyboard without the other buttons. */
export const onlyButtons = (keyboard: InlineKeyboard, isShown: (data: string) => boolean): InlineKeyboard =>
  InlineKeyboard.from(
    keyboard.inline_keyboard
      .map((row) => row.filter((button) => isShown(dataOf(button))))
      .filter((row) => row.length > 0),
  )

// Decides which failures a retry of the update can solve; for all others the user gets an apology.

/** An update whose lease was lost is retried as well: another process may be handling it. */
export const isRetried = (update: Update, error: unknown): boolean =>
  isAboutMoney(update) || isOutage(error) || maySucceedLater(error)

/** Telegram does not answer, while this process may go on with the update. */
const isTelegramAway = (error: unknown): boolean =>
  maySucceedLater(error) && !(error instanceof HttpError && error.error instanceof LeaseLost)

// Handles one update. The user gets one apology for a failure; a failure that a retry can solve is thrown.

export const updateTypes = [
  'message',
  'edited_message',
  'callback_query',
  'inline_query',
  'pre_checkout_query',
  'my_chat_member',
  'stopped_message_generation',
] as const

/** From this attempt on, a failure of Telegram that lets the apology through concerns only this answer. */
const lastingFailure = 3

/**
 * Handling an update twice is harmless: money moves by unique operation keys, text models answer an update once, and a message may be sent
 * twice.
 */
export function createHandler(
  bot: Bot<Ctx>,
  deps: BotDeps,
): (update: Update, attempts: number) => Promise<void> {
  return async (update, attempts) => {
    try {
      await bot.handleUpdate(update)
    } catch (error) {
      if (!(error instanceof BotError)) throw error
      const isFinal = !isRetried(update, error.error)
      const isLasting = attempts >= lastingFailure && isTelegramAway(error.error) && !isAboutMoney(update)
      const isTold = (isFinal || isLasting) && (await apologise(deps, error))
      if (!isFinal && !isTold) throw error.error
    }
  }
}

/** @returns whether the apology arrived, or the chat takes none */
async function apologise({ log }: BotDeps, { error, ctx }: BotError<Ctx>): Promise<boolean> {
  const facts = { update: ctx.update.update_id, error }
  if (isChatClosed(error) || isTopicGone(error)) {
    log.info(facts, 'not answered: the chat or its topic takes no messages')
    return true
  }
  log.error(facts, 'update not handled')
  if (!ctx.say || !ctx.chat) return false
  const apology =
    ctx.callbackQuery && !ctx.isTapAnswered
      ? alert(ctx, ctx.say.plain('went-wrong'))
      : reply(ctx, ctx.say.html('went-wrong'))
  return apology.then(
    () => true,
    () => false,
  )
}
