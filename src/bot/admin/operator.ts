// Tells whether a user is an operator, reads the words of commands, and finds the user of a tapped button.

import { type Context, type Filter, InlineKeyboard, type MiddlewareFn } from 'grammy'
import type { Chat, Message } from 'grammy/types'
import { z } from 'zod'
import { formatRoubles, type Kopecks, parseRoubles } from '../../money.ts'
import { findPerson, type Person } from '../../operator/people.ts'
import {
  answerOnce,
  newestNote,
  noteAt,
  readNote,
  releaseNote,
  takeNote,
  writeNote,
} from '../../telegram/message-notes.ts'
import { replyTo } from '../../telegram/send.ts'
import { taps } from '../../telegram/taps.ts'
import { wordsIn } from '../../telegram/words.ts'
import type { Say } from '../../texts.ts'
import {
  alert,
  alertForeign,
  alertStale,
  answerTap,
  type BotDeps,
  type Ctx,
  redraw,
  reply,
} from '../context.ts'
import { commandQuestionName, noteKind, questionSuffix, supportNote, tappedNote } from '../notes.ts'
import { type CommandCtx, onTap, type Routes } from '../routes.ts'
import { mayCommand, refuse, roleOf } from './rights.ts'

/** Whether a user is an operator without limits. */
export const isOperator = ({ operator }: Pick<BotDeps, 'operator'>, { from }: Context): boolean =>
  roleOf(operator, from?.id) === 'admin'

/** Whether a user has the desk, with or without limits. */
export const isStaff = ({ operator }: Pick<BotDeps, 'operator'>, { from }: Context): boolean =>
  roleOf(operator, from?.id) !== undefined

/** A message that was forwarded, or written by an inline bot, is not a command of the operator. */
export const isOwnMessage = ({ message }: Context): boolean => !message?.forward_origin && !message?.via_bot

/** Commands about a user. */
const aboutUserVerbs = ['grant', 'debit', 'ban', 'unban', 'message'] as const
export type AboutUser = (typeof aboutUserVerbs)[number]

/** Commands that change or send something: they act only after a Yes. */
const changingVerbs = [...aboutUserVerbs, 'refund', 'refund_payment', 'promo_add', 'promo_end'] as const
const confirmedVerbs = [...changingVerbs, 'refund_report', 'decline_report', 'switch_off'] as const
/** What an operator types, and what questions ask for: also `broadcast`, whose message is always asked for. */
const typedVerbs = ['user', ...changingVerbs, 'broadcast_set', 'answer_report'] as const
const askedVerbs = [...typedVerbs, 'broadcast'] as const
type Confirmed = (typeof confirmedVerbs)[number]
type Asking = (typeof askedVerbs)[number]

/** The words of a command. */
export interface Given {
  readonly words: string
  readonly as: 'command' | 'answer' | 'confirmed'
  /** The message of the command or of the answer, or the one whose button was tapped. It identifies the action, which is done once. */
  readonly from: number
}

/** An amount above zero, and a reason. */
export interface Change {
  readonly amount: Kopecks
  readonly reason: string
}

/** The amount may contain no-break spaces, as the bot's own amounts do, and the rouble sign after a space. */
const amountAndReason = /^([^ \t\r\n]+(?: (?:₽|руб\p{L}*\.?|roubles?)(?=\s))?)[ \t\r\n]+(\S.*)$/isu
/** Whether the amount is ambiguous: `1 000 for the video` means 1000 ₽, or 1 ₽ for "000 for the video". */
const isUnclear = (typed: string, reason: string): boolean =>
  /^\d{1,3}$/.test(typed) && /^\d{3}\b/.test(reason)

export function readChange(words: string): Change | undefined {
  const [, typed = '', reason = ''] = amountAndReason.exec(words) ?? []
  const amount = isUnclear(typed, reason) ? undefined : parseRoubles(typed)
  return amount ? { amount, reason } : undefined
}

/** A refund of an order or of a payment. */
export interface RefundWords {
  readonly id: string
  /** Undefined for all that was not refunded before. */
  readonly part?: { readonly amount: Kopecks; readonly before?: Kopecks } | undefined
  /** Empty if it is missing, or if the words begin with a number that is no clear sum. */
  readonly reason: string
}

export function refundIn({ words }: Given): RefundWords {
  const [, id = '', before, rest = ''] = /^(\S+?)(?:@(\d+))?\s+(\S.*)$/s.exec(words) ?? []
  const change = readChange(rest)
  if (!change) return { id, reason: /^[-+]?\d[\d.,]*\s*(?:₽|$|\s)/.test(rest) ? '' : rest }
  const { amount, reason } = change
  return { id, reason, part: before === undefined ? { amount } : { amount, before: BigInt(before) } }
}

/** The words of a refund that an operator has to confirm. A part carries the sum of the earlier refunds, so that it is made once. */
export const refundWords = ({ id, part, reason }: RefundWords, before: Kopecks): string =>
  part ? `${id}@${before} ${formatRoubles(part.amount)} ${reason}` : `${id} ${reason}`

/** Asks for the missing reason, in HTML: for the reason alone after a question, which has named the id; otherwise for the whole command. */
export const reasonWanted = (say: Say, verb: 'refund' | 'refund_payment', { as }: Given): string =>
  as === 'answer' ? say.html('admin-refund-reason') : say.html('admin-refund-usage', { verb })

/** Finds the user whose button was tapped, and answers the tap. */
export async function tappedPerson(deps: BotDeps, ctx: Ctx, userId: bigint): Promise<Person | undefined> {
  const person = await findPerson(deps.db, userId)
  await (person ? answerTap(ctx) : alertStale(ctx))
  return person
}

const alwaysAllowed = /^\/(paysupport|support|delete_me)\b/

/** @returns true when the user is banned and the update is handled no further */
export async function answerIfBanned(deps: BotDeps, ctx: Ctx): Promise<boolean> {
  if (!ctx.user.bannedAt || isStaff(deps, ctx)) return false
  const words = ctx.message ? wordsIn(ctx.message) : ''
  if (ctx.msg?.successful_payment || alwaysAllowed.test(words)) return false
  // A reply that is a command is no message to support.
  const replied = words.startsWith('/') ? undefined : ctx.message?.reply_to_message
  if (await readNote(deps, replied, ctx.user.id, supportNote)) return false
  const { contact } = deps.operator
  if (ctx.callbackQuery) {
    await alert(ctx, ctx.say.plain('banned-alert'))
  } else if (ctx.message && ctx.chat?.type === 'private') {
    await reply(ctx, contact ? ctx.say.html('banned', { contact }) : ctx.say.html('banned-for-good'))
  }
  return true
}

// Operators' commands, and the questions for their missing words: the answer completes the command whose beginning is stored in the note
// of the question's message. A reply answers the question, and for a few minutes the next message too, which would otherwise be a paid
// question to a text model.

/** @returns an error text about the words, in HTML; undefined when they were understood and answered */
type Handler = (ctx: Ctx, given: Given) => Promise<string | undefined>
export type Handlers = Readonly<Record<Confirmed | Asking, Handler>>

const commandQuestion = noteKind(
  commandQuestionName,
  z.strictObject({
    verb: z.enum(askedVerbs),
    /** The beginning of the command's words. */
    words: z.string(),
    /** The id of the first question, in a question that repeats it: the first and its repetitions are answered once. */
    first: z.int().exactOptional(),
  }),
)
type Asked = z.output<typeof commandQuestion.about>

export const commands = (deps: BotDeps, handlers: Handlers): Routes => ({
  commands: {
    ...Object.fromEntries(typedVerbs.map((verb) => [verb, (ctx: CommandCtx) => obey(ctx, handlers[verb])])),
    async cancel(ctx, next) {
      if (!(await cancelConfirmation(deps, ctx)) && !(await cancelQuestion(deps, ctx))) await next()
    },
  },
})

async function obey(ctx: CommandCtx, handle: Handler): Promise<void> {
  const given = { words: ctx.match.trim(), as: 'command', from: ctx.msgId } as const
  const wrong = await handle(ctx, given)
  if (wrong !== undefined) await reply(ctx, wrong)
}

async function cancelQuestion(deps: BotDeps, ctx: CommandCtx): Promise<boolean> {
  const open = await openQuestion(deps, ctx)
  if (!open || !(await takeNote(deps, messageRef(ctx, open.first), ctx.update.update_id))) return false
  await reply(ctx, ctx.say.html('cancel-question', { what: commandOf(open) }))
  return true
}

/**
 * The answers to the questions. A message of another author answers only the question for the message to broadcast, which is shown and
 * not read: its words are no command, whatever they begin with.
 */
export const answers =
  (deps: BotDeps, handlers: Handlers): MiddlewareFn<Ctx> =>
  async (ctx, next) => {
    if (!ctx.has('message')) return next()
    const words = wordsIn(ctx.msg)
    const isOwn = isOwnMessage(ctx)
    const asked = isOwn && words.startsWith('/') ? undefined : await askedBy(deps, ctx)
    if (!asked || !(isOwn || asked.verb === 'broadcast')) return next()
    if (!mayCommand(deps.operator, ctx.from.id, asked.verb)) return refuse(ctx)
    await takeAnswer(deps, ctx, asked, words, handlers)
  }

type Open = Required<Asked>
type MessageCtx = Filter<Ctx, 'message'>
type InChat = Pick<Ctx, 'user' | 'update'> & { readonly chat: Chat }

const messageRef = ({ chat }: InChat, message_id: number) => ({ chat, message_id })

/** The question that a message answers. */
async function askedBy(deps: BotDeps, ctx: MessageCtx): Promise<Open | undefined> {
  const replied: Message['reply_to_message'] = ctx.msg.reply_to_message
  if (!replied) return mayReplyTo(ctx.msg) ? openQuestion(deps, ctx) : undefined
  const asked = await readNote(deps, replied, ctx.user.id, commandQuestion)
  return asked && { ...asked, first: asked.first ?? replied.message_id }
}

/** Whether a message that is no reply may answer the newest question: in a group it is rather meant for colleagues. */
const mayReplyTo = ({ chat, external_reply }: Message): boolean => chat.type === 'private' && !external_reply

/** How long a message that is no reply answers a question: after that the operator has probably turned to something else. */
const openMs = 10 * 60_000

/** The newest question in this chat, if it is an operator's, recent, and unanswered or answered by this very update. */
async function openQuestion(deps: BotDeps, ctx: InChat): Promise<Open | undefined> {
  const newest = await newestNote(deps, ctx.chat.id, ctx.user.id, questionSuffix)
  const asked = newest?.kind === commandQuestion.name && commandQuestion.about.safeParse(newest.about).data
  if (!newest || !asked || deps.clock.now().getTime() - newest.createdAt.getTime() > openMs) return undefined
  const { first = newest.messageId } = asked
  const takenBy = (await noteAt(deps, messageRef(ctx, first)))?.takenBy ?? null
  return takenBy === null || takenBy === ctx.update.update_id ? { ...asked, first } : undefined
}

async function takeAnswer(
  deps: BotDeps,
  ctx: MessageCtx,
  { verb, words: beginning, first }: Open,
  words: string,
  handlers: Handlers,
): Promise<void> {
  const question = { chat: ctx.chat, message_id: first }
  const given = { words: `${beginning} ${words}`.trim(), as: 'answer', from: ctx.msgId } as const
  const outcome = await answerOnce(deps, question, ctx.update.update_id, async () => ({
    wrong: await handlers[verb](ctx, given),
  }))
  if (outcome === 'taken') return reply(ctx, ctx.say.html('question-closed'))
  const { wrong } = outcome
  if (wrong === undefined) return
  await releaseNote(deps, question)
  await put(deps, ctx, { verb, words: beginning, first }, wrong)
}

/** `/grant 12345` */
const commandOf = ({ verb, words }: Asked): string => [`/${verb}`, words].filter(Boolean).join(' ')

/** @param words the beginning of the command's words */
export const ask = (deps: BotDeps, ctx: Ctx, verb: Asking, words: string, html: string): Promise<void> =>
  put(deps, ctx, { verb, words }, html)

async function put(deps: BotDeps, ctx: Ctx, about: Asked, html: string): Promise<void> {
  const sent = await ctx.reply(`✏️ ${html}\n<code>${commandOf(about)}</code>`, {
    parse_mode: 'HTML',
    reply_markup: { force_reply: true },
  })
  await writeNote(deps, sent, { kind: commandQuestion, userId: ctx.user.id, about })
}

// The confirmation that precedes every command and button of the desk that moves money, bans, deletes or stops sales. Two taps on Yes act
// once. A text in place of a tap is answered with the request to press a button: otherwise it would be a paid question to a text model.

const confirmation = noteKind(
  'command-confirmation',
  z.strictObject({
    verb: z.enum(confirmedVerbs),
    words: z.string(),
    html: z.string(),
    from: z.int().exactOptional(),
    /** The user whom the question names, as in the log of actions: it is deleted with the data of that user (privacy/forget.ts). */
    subject: z.string().exactOptional(),
  }),
)

interface Wanted {
  readonly verb: Confirmed
  readonly words: string
  readonly subject?: string
}

/**
 * Asks for the Yes. After a tap the question replies to the tapped message, since the desk shows several messages with the same buttons.
 */
export async function confirmFirst(deps: BotDeps, ctx: Ctx, wanted: Wanted, html: string): Promise<void> {
  const keyboard = new InlineKeyboard()
    .text(ctx.say.plain('admin-button-yes'), taps.decideCommand.data({ decision: 'yes' }))
    .primary()
    .text(ctx.say.plain('admin-button-no'), taps.decideCommand.data({ decision: 'no' }))
  const from = ctx.msgId ?? 0
  const below = ctx.callbackQuery ? replyTo(from) : {}
  const sent = await ctx.reply(html, { parse_mode: 'HTML', reply_markup: keyboard, ...below })
  await writeNote(deps, sent, { kind: confirmation, userId: ctx.user.id, about: { ...wanted, html, from } })
}

export const confirmations = (deps: BotDeps, handlers: Handlers): Routes => ({
  taps: [onTap(taps.decideCommand, (ctx, { decision }) => decide(deps, ctx, decision, handlers))],
})

async function decide(deps: BotDeps, ctx: Ctx, decision: 'yes' | 'no', handlers: Handlers): Promise<void> {
  const asked = await tappedNote(deps, ctx, confirmation)
  const message = ctx.callbackQuery?.message
  if (!asked || !message) return alertForeign(ctx)
  const { verb, words, from = message.message_id } = asked
  if (!mayCommand(deps.operator, ctx.from?.id, verb)) return refuse(ctx)
  const given = { words, as: 'confirmed', from } as const
  const outcome = await answerOnce(deps, message, ctx.update.update_id, async () => {
    await answerTap(ctx)
    const wrong = decision === 'yes' ? await handlers[verb](ctx, given) : undefined
    // The buttons stay until the action is done, so that an operator can press Yes again after a failure.
    const end = ctx.say.plain(decision === 'yes' ? 'admin-button-yes' : 'admin-button-no')
    await redraw(ctx, `${asked.html}\n\n${end}`, new InlineKeyboard())
    if (wrong !== undefined) await reply(ctx, wrong)
  })
  if (outcome === 'taken') await alertStale(ctx)
}

async function cancelConfirmation(deps: BotDeps, ctx: CommandCtx): Promise<boolean> {
  const open = await openConfirmation(deps, ctx)
  if (!open || !(await takeNote(deps, open, ctx.update.update_id))) return false
  await ctx.api.editMessageReplyMarkup(open.chat.id, open.message_id).catch(() => undefined)
  await reply(ctx, ctx.say.html('cancel-question-unnamed'))
  return true
}

/** Answers a text in place of a tap. */
export const textsInPlaceOfTaps =
  (deps: BotDeps): MiddlewareFn<Ctx> =>
  async (ctx, next) => {
    const { message } = ctx
    if (!message?.text || message.text.startsWith('/') || !(await isAnswered(deps, ctx, message)))
      return next()
    await reply(ctx, ctx.say.html('admin-press-a-button'))
  }

/** Whether a text replies to an open confirmation, or is the next message after it. */
async function isAnswered(deps: BotDeps, ctx: Ctx, message: Message): Promise<boolean> {
  const replied = message.reply_to_message
  if (!replied) return mayReplyTo(message) && (await openConfirmation(deps, ctx)) !== undefined
  const note = await noteAt(deps, replied)
  return note?.kind === confirmation.name && note.userId === ctx.user.id && note.takenBy === null
}

/** The newest question in this chat, if it is a confirmation, recent and unanswered. */
async function openConfirmation(deps: BotDeps, { chatId, user, update }: Ctx) {
  const newest = chatId && (await newestNote(deps, chatId, user.id, confirmation.name))
  if (!newest || deps.clock.now().getTime() - newest.createdAt.getTime() > openMs) return undefined
  const question = await newestNote(deps, chatId, user.id, questionSuffix)
  const isLast = question === undefined || question.messageId < newest.messageId
  const isOpen = newest.takenBy === null || newest.takenBy === update.update_id
  return isLast && isOpen ? { chat: { id: chatId }, message_id: newest.messageId } : undefined
}
