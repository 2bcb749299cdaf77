// One question of a conversation: sent, written down as a question to this user, and answered only by what answers it.

import type { Conversation } from '@grammyjs/conversations'
import { type Context, InlineKeyboard } from 'grammy'
import type { ForceReply, InlineKeyboardMarkup, Message } from 'grammy/types'
import type { Say } from '../texts.ts'
import type { BotDeps, Ctx } from './context.ts'
import { isAnswer, isMessageOf, type Note, writeNote } from './notes.ts'

export type Talk = Conversation<Ctx, Context>

/** The tap that leaves a conversation. */
export const stopTap = 'k'

/** @param keyboard in place of the usual one */
export async function putQuestion<T>(
  deps: BotDeps,
  conversation: Talk,
  ctx: Context,
  asked: Note<T>,
  { html, say, keyboard }: { html: string; say: Say; keyboard?: InlineKeyboardMarkup | undefined },
): Promise<void> {
  const isPrivate = ctx.chat?.type === 'private'
  const usual = isPrivate ? new InlineKeyboard().text(say.plain('button-stop-asking'), stopTap) : inGroup
  const sent = await ctx.reply(html, {
    parse_mode: 'HTML',
    reply_markup: keyboard ?? usual,
    ...(isPrivate ? {} : replyTo(ctx.message)),
  })
  await conversation.external(() => writeNote(deps, sent, asked))
}

/** Opens the reply for whoever the question replies to. */
const inGroup: ForceReply = { force_reply: true, selective: true }

const replyTo = (message: Message | undefined) =>
  message ? { reply_parameters: { message_id: message.message_id, allow_sending_without_reply: true } } : {}

export interface Reply {
  readonly ctx: Context
  readonly message: Message
}

/** The next message that answers; whatever else comes is left to other handlers. */
export async function waitForAnswer<T>(deps: BotDeps, conversation: Talk, asked: Note<T>): Promise<Reply> {
  const reply = await waitForAnswerOrTap(deps, conversation, asked)
  return reply.message ? reply : conversation.skip({ next: true })
}

/** The same, or a tap on one of the messages that ask. */
export async function waitForAnswerOrTap<T>(
  deps: BotDeps,
  conversation: Talk,
  asked: Note<T>,
): Promise<Reply | { readonly ctx: Context; readonly message: undefined }> {
  const ctx = await conversation.wait()
  const { message, callbackQuery: tap } = ctx
  if (message && (await conversation.external(() => isAnswer(deps, message, asked)))) return { ctx, message }
  if (tap && (await conversation.external(() => isMessageOf(deps, tap.message, asked)))) {
    return { ctx, message: undefined }
  }
  return conversation.skip({ next: true })
}
