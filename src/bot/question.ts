// One question of a conversation: sent, noted as a question to this user, and answered only by a message that answers it.

import type { Conversation } from '@grammyjs/conversations'
import { type Context, InlineKeyboard } from 'grammy'
import type { ForceReply, InlineKeyboardMarkup, Message } from 'grammy/types'
import { type Note, writeNote } from '../telegram/message-notes.ts'
import type { Tap } from '../telegram/tap.ts'
import { taps } from '../telegram/taps.ts'
import type { Say } from '../texts.ts'
import type { BotDeps, Ctx } from './context.ts'
import { isAnswer, isMessageOf } from './notes.ts'

export type BotConversation = Conversation<Ctx, Context>

/** @param keyboard in place of the usual one */
export async function putQuestion<T>(
  deps: BotDeps,
  conversation: BotConversation,
  ctx: Context,
  asked: Note<T>,
  { html, say, keyboard }: { html: string; say: Say; keyboard?: InlineKeyboardMarkup | undefined },
): Promise<void> {
  const isPrivate = ctx.chat?.type === 'private'
  const usual = isPrivate
    ? new InlineKeyboard().text(say.plain('button-stop-asking'), taps.stopAsking.data())
    : inGroup
  const sent = await ctx.reply(html, {
    parse_mode: 'HTML',
    reply_markup: keyboard ?? usual,
    ...(isPrivate ? {} : replyTo(ctx.message)),
  })
  await conversation.external(() => writeNote(deps, sent, asked))
}

/** Opens the reply field for the author of the message that the question replies to. */
const inGroup: ForceReply = { force_reply: true, selective: true }

const replyTo = (message: Message | undefined) =>
  message ? { reply_parameters: { message_id: message.message_id, allow_sending_without_reply: true } } : {}

export interface Reply {
  readonly ctx: Context
  readonly message: Message
}

/** The next message that answers; other updates are left to other handlers. */
export async function waitForAnswer<T>(
  deps: BotDeps,
  conversation: BotConversation,
  asked: Note<T>,
): Promise<Reply> {
  const ctx = await conversation.wait()
  return (await replyIn(deps, conversation, ctx, asked)) ?? conversation.skip({ next: true })
}

/** The same, or this tap on one of the messages that ask. */
export async function waitForAnswerOrTap<T>(
  deps: BotDeps,
  conversation: BotConversation,
  asked: Note<T>,
  tap: Pick<Tap<unknown>, 'parse'>,
): Promise<Reply | { readonly ctx: Context; readonly message: undefined }> {
  const ctx = await conversation.wait()
  const reply = await replyIn(deps, conversation, ctx, asked)
  if (reply) return reply
  const { callbackQuery: query } = ctx
  const isTap = tap.parse(query?.data ?? '') !== undefined
  if (isTap && (await conversation.external(() => isMessageOf(deps, query?.message, asked)))) {
    return { ctx, message: undefined }
  }
  return conversation.skip({ next: true })
}

async function replyIn<T>(
  deps: BotDeps,
  conversation: BotConversation,
  ctx: Context,
  asked: Note<T>,
): Promise<Reply | undefined> {
  const { message } = ctx
  const isReply = message && (await conversation.external(() => isAnswer(deps, message, asked)))
  return isReply ? { ctx, message } : undefined
}
