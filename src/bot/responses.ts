// How handlers answer: messages in HTML, short answers and alerts for taps, edits of the tapped message.

import { type Context, InlineKeyboard } from 'grammy'
import type { InlineKeyboardMarkup, Message } from 'grammy/types'
import { forgiveRefusal } from '../telegram/errors.ts'
import { htmlWithoutPreview, removeMessage } from '../telegram/send-into.ts'
import type { Ctx } from './context.ts'
import { isTelegramAway } from './retried.ts'

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
 * @param start what the link carries: see groups/private-commands.ts
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
