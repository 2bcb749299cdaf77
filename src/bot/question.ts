// One question of a conversation: it is sent, noted as a question to this user, and answered only by a message that answers it. It stays
// open until it is answered or closed by its own button (what else closes it follows below); all other taps and commands go to
// their own handlers.

import type { Conversation } from '@grammyjs/conversations'
import { type Context, InlineKeyboard, type MiddlewareFn } from 'grammy'
import type { ForceReply, InlineKeyboardMarkup, Message } from 'grammy/types'
import { z } from 'zod'
import { visible } from '../catalog/fields.ts'
import { findDraft } from '../orders/drafts.ts'
import { type Note, type NoteKind, newestNote, withSameNote, writeNote } from '../telegram/message-notes.ts'
import { replyTo } from '../telegram/send.ts'
import { type Tap, taps } from '../telegram/taps.ts'
import { wordsIn } from '../telegram/words.ts'
import type { Locale, Say } from '../texts.ts'
import type { BotDeps, Ctx } from './context.ts'
import { commandQuestionName, isAnswer, isMessageOf, mentionOf, questionSuffix } from './notes.ts'

export type BotConversation = Conversation<Ctx, Context>

/** The arguments with which every conversation is entered. The plugin stores them as JSON. */
export interface Asker {
  readonly userId: string
  readonly locale: Locale
}

interface Question {
  readonly html: string
  readonly say: Say
  /** Replaces the usual keyboard. */
  readonly keyboard?: InlineKeyboardMarkup | undefined
  /** The message that the question is about, which it replies to. */
  readonly about?: number | undefined
}

/** @returns the id of the question's message */
export async function putQuestion<T>(
  deps: BotDeps,
  conversation: BotConversation,
  ctx: Context,
  asked: Note<T>,
  { html, say, keyboard, about }: Question,
): Promise<number> {
  const isPrivate = ctx.chat?.type === 'private'
  const replied = isPrivate ? about : ctx.message?.message_id
  const usual = isPrivate
    ? new InlineKeyboard().text(say.plain('button-stop-asking'), taps.stopAsking.data())
    : inGroup
  const sent = await ctx.reply(isPrivate ? html : named(ctx, html, say), {
    parse_mode: 'HTML',
    reply_markup: keyboard ?? usual,
    ...(replied === undefined ? {} : replyTo(replied)),
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

/** Buttons that close the question to whose message they belong; their handlers do the rest. */
const closing = [taps.stopAsking, taps.showCard, taps.keepText, taps.takeSample]

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

interface Words extends Reply {
  readonly words: string
}

/**
 * Asks for words, also below a file, until they are accepted. A message without words, such as a photo, is answered with a request for words.
 * @param refusalOf HTML that asks again; undefined for words that are accepted
 */
export async function askForWords<T>(
  deps: BotDeps,
  conversation: BotConversation,
  ctx: Context,
  asked: Note<T>,
  { html, say }: Pick<Question, 'html' | 'say'>,
  refusalOf: (reply: Words) => string | undefined | Promise<string | undefined> = () => undefined,
): Promise<Words> {
  const put = (to: Context, html: string) => putQuestion(deps, conversation, to, asked, { html, say })
  const first = await put(ctx, html)
  const start = conversation.checkpoint()
  const reply = await waitForAnswer(deps, conversation, asked, first)
  const answer = { ...reply, words: visible(wordsIn(reply.message)) }
  const refusal = answer.words === '' ? say.html('words-please') : await refusalOf(answer)
  if (refusal === undefined) return answer
  await put(reply.ctx, refusal)
  return conversation.rewind(start)
}

/**
 * Does work outside of the conversation, which would store an error with the bot's token in it. An error keeps its class, by which the update
 * is tried again or not.
 */
export async function actOutside<T>(
  conversation: BotConversation,
  work: (ctx: Ctx) => Promise<T>,
): Promise<T | null> {
  const errors: unknown[] = []
  const done = await conversation.external((outside) =>
    work(outside).catch((error: unknown) => {
      errors.push(error)
      return null
    }),
  )
  if (errors.length > 0) throw errors[0]
  return done
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

// What closes the open question of a conversation besides its answer and its own buttons: another question, a command that starts anew,
// the same answer given in another way, leaving the screen that asks, and the end of its card. The messages of the question are deleted
// with it, so that only an open question is visible.

type Deps = Pick<BotDeps, 'db'>

/**
 * Keeps at most one open question per user in each chat and topic: a new question closes the open one, and so does the end of its card. The
 * messages of a question that was answered, or closed by its own button, are deleted.
 */
export const replaceQuestions =
  (deps: Deps): MiddlewareFn<Ctx> =>
  async (ctx, next) => {
    const { conversation } = ctx
    let isReplaced = false
    ctx.conversation = {
      ...conversation,
      async enter(...given) {
        await closeQuestion(deps, ctx)
        return conversation.enter(...given)
      },
      exitAll() {
        isReplaced = true
        ctx.stored.isClosed = true
        return conversation.exitAll()
      },
    }
    const wasOpen = hasOpenQuestion(ctx)
    await next()
    if (wasOpen && !isReplaced && !hasOpenQuestion(ctx)) await deleteQuestion(deps, ctx)
    if (ctx.callbackQuery) await closeOutdated(deps, ctx)
  }

export const hasOpenQuestion = ({ conversation }: Ctx): boolean =>
  Object.values(conversation.active()).some((count) => count > 0)

/** @returns whether a question was open */
export async function closeQuestion(deps: Deps, ctx: Ctx): Promise<boolean> {
  const isOpen = hasOpenQuestion(ctx)
  await ctx.conversation.exitAll()
  if (isOpen) await deleteQuestion(deps, ctx)
  return isOpen
}

/**
 * Closes the open question if this conversation asks it.
 * @param draftId leaves a question about another draft open
 */
export async function closeQuestionOf(deps: Deps, ctx: Ctx, name: string, draftId?: string): Promise<void> {
  if (ctx.conversation.active(name) === 0) return
  const about = draftId === undefined ? undefined : await draftAskedAbout(deps, ctx)
  if (about === undefined || about === draftId) await closeQuestion(deps, ctx)
}

/** Deletes all messages of the question: a refused answer has asked again in another message. */
async function deleteQuestion(deps: Deps, ctx: Ctx): Promise<void> {
  const shown = await shownQuestion(deps, ctx)
  if (!shown) return
  const messages = await withSameNote(deps, shown)
  await ctx.api.deleteMessages(shown.chatId, messages).catch(() => undefined)
}

/** What the open question asks, if it is of this kind; undefined also in topics. */
export async function openQuestion<T>(deps: Deps, ctx: Ctx, kind: NoteKind<T>): Promise<T | undefined> {
  const shown = hasOpenQuestion(ctx) ? await shownQuestion(deps, ctx) : undefined
  return shown?.kind === kind.name ? kind.about.safeParse(shown.about).data : undefined
}

const aboutDraft = z.object({ draftId: z.string() })

/** The draft that the open question is about; undefined when no question is open, when it is about no draft, and in topics. */
async function draftAskedAbout(deps: Deps, ctx: Ctx): Promise<string | undefined> {
  const shown = hasOpenQuestion(ctx) ? await shownQuestion(deps, ctx) : undefined
  return aboutDraft.safeParse(shown?.about).data?.draftId
}

/** Closes the open question if a tap has ordered or dropped the draft that it is about. */
async function closeOutdated(deps: Deps, ctx: Ctx): Promise<void> {
  const about = await draftAskedAbout(deps, ctx)
  const draft = about === undefined ? undefined : await findDraft(deps.db, about, ctx.user.id)
  if (draft && draft.state !== 'open') await closeQuestion(deps, ctx)
}

/** The last message of the open question. Undefined in topics: a note does not say in which topic its message is. */
async function shownQuestion(deps: Deps, { chatId, msg, user }: Ctx) {
  if (chatId === undefined || msg?.is_topic_message) return undefined
  return newestNote(deps, chatId, user.id, questionSuffix, commandQuestionName)
}
