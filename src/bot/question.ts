// One question of a conversation: it is sent, noted as a question to this user, and answered only by a message that answers it. It stays
// open until it is answered or closed by its own button (open-question.ts lists what else closes it); all other taps and commands go to
// their own handlers.

import type { Conversation } from '@grammyjs/conversations'
import { type Context, InlineKeyboard } from 'grammy'
import type { ForceReply, InlineKeyboardMarkup, Message } from 'grammy/types'
import { visible } from '../catalog/fields.ts'
import { type Note, writeNote } from '../telegram/message-notes.ts'
import { replyTo } from '../telegram/send-into.ts'
import { type Tap, taps } from '../telegram/taps.ts'
import { wordsIn } from '../telegram/words.ts'
import type { Locale, Say } from '../texts.ts'
import type { BotDeps, Ctx } from './context.ts'
import { mentionOf } from './mention.ts'
import { isAnswer, isMessageOf } from './notes.ts'

export type BotConversation = Conversation<Ctx, Context>

/** The arguments with which every conversation is entered. They are strings only: the plugin stores them as JSON. */
export interface Asker {
  readonly userId: string
  readonly locale: Locale
}

/** @param keyboard replaces the usual keyboard @returns the id of the question's message */
export async function putQuestion<T>(
  deps: BotDeps,
  conversation: BotConversation,
  ctx: Context,
  asked: Note<T>,
  { html, say, keyboard }: { html: string; say: Say; keyboard?: InlineKeyboardMarkup | undefined },
): Promise<number> {
  const isPrivate = ctx.chat?.type === 'private'
  const usual = isPrivate
    ? new InlineKeyboard().text(say.plain('button-stop-asking'), taps.stopAsking.data())
    : inGroup
  const sent = await ctx.reply(isPrivate ? html : named(ctx, html, say), {
    parse_mode: 'HTML',
    reply_markup: keyboard ?? usual,
    ...(isPrivate || !ctx.message ? {} : replyTo(ctx.message.message_id)),
  })
  await conversation.external(() => writeNote(deps, sent, asked))
  return sent.message_id
}

/**
 * In groups the bot may receive only replies to its messages, and after a tap there is no message to reply to: the question names the person
 * whom it asks, so that the reply field opens for this person.
 */
const named = ({ from }: Context, html: string, say: Say): string =>
  from ? `${say.html('ask-in-group', { person: { html: mentionOf(from) } })}\n\n${html}` : html

/** Opens the reply field for the person whom the question mentions, and for the author of the message that it replies to. */
const inGroup: ForceReply = { force_reply: true, selective: true }

interface Reply {
  readonly ctx: Context
  readonly message: Message
}

/** The texts in the user's language of now: it may have been changed since the question. */
export async function sayNow(deps: Pick<BotDeps, 'texts'>, conversation: BotConversation): Promise<Say> {
  return deps.texts(await conversation.external(({ say }) => say.locale))
}

/** Buttons that close the question to whose message they belong; their handlers do the rest. */
const closing = [taps.stopAsking, taps.showCard, taps.keepText]

/**
 * Waits for the next message that answers the question. A closing button of the question ends the conversation; other updates are left to
 * other handlers.
 * @param first the id of the first message that asked: earlier messages with the same note belong to a closed question
 */
export async function waitForAnswer<T>(
  deps: BotDeps,
  conversation: BotConversation,
  asked: Note<T>,
  first = 0,
): Promise<Reply> {
  const ctx = await conversation.wait()
  return (await replyIn(deps, conversation, ctx, asked)) ?? leave(deps, conversation, ctx, asked, first)
}

/**
 * Waits for an answer in words, also below a file. A message without words, such as a photo, is answered with a request for words, and the
 * question stays open.
 */
export async function waitForWords<T>(
  deps: BotDeps,
  conversation: BotConversation,
  asked: Note<T>,
  say: Say,
  first: number,
): Promise<Reply & { readonly words: string }> {
  const start = conversation.checkpoint()
  const reply = await waitForAnswer(deps, conversation, asked, first)
  const words = visible(wordsIn(reply.message))
  if (words !== '') return { ...reply, words }
  await putQuestion(deps, conversation, reply.ctx, asked, { html: say.html('words-please'), say })
  return conversation.rewind(start)
}

/** Waits for an answer like `waitForAnswer`, or for a tap on a button of the question. */
export async function waitForAnswerOrTap<T>(
  deps: BotDeps,
  conversation: BotConversation,
  asked: Note<T>,
  tap: Pick<Tap<unknown>, 'parse'>,
  first = 0,
): Promise<Reply | { readonly ctx: Context; readonly message: undefined }> {
  const ctx = await conversation.wait()
  const reply = await replyIn(deps, conversation, ctx, asked)
  if (reply) return reply
  if (await isTapOn(deps, conversation, ctx, asked, first, [tap])) return { ctx, message: undefined }
  return leave(deps, conversation, ctx, asked, first)
}

/** Ends the conversation after a tap on a closing button of this question; otherwise goes on waiting. */
async function leave<T>(
  deps: BotDeps,
  conversation: BotConversation,
  ctx: Context,
  asked: Note<T>,
  first: number,
): Promise<never> {
  const isClosed = await isTapOn(deps, conversation, ctx, asked, first, closing)
  return isClosed ? conversation.halt({ next: true }) : conversation.skip({ next: true })
}

async function isTapOn<T>(
  deps: BotDeps,
  conversation: BotConversation,
  { callbackQuery }: Context,
  asked: Note<T>,
  first: number,
  buttons: readonly Pick<Tap<unknown>, 'parse'>[],
): Promise<boolean> {
  const message = callbackQuery?.message
  if (!message || message.message_id < first) return false
  if (!buttons.some((tap) => tap.parse(callbackQuery.data ?? '') !== undefined)) return false
  return conversation.external(() => isMessageOf(deps, message, asked))
}

async function replyIn<T>(
  deps: BotDeps,
  conversation: BotConversation,
  ctx: Context,
  asked: Note<T>,
): Promise<Reply | undefined> {
  const { message } = ctx
  if (!message) return undefined
  const isReply = await conversation.external(() => isAnswer(deps, message, asked))
  return isReply ? { ctx, message } : undefined
}
