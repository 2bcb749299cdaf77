// Operators' commands, and the questions for their missing words: the answer completes the command whose beginning is stored in the note of
// the question's message. A reply answers the question, and for a few minutes the next message too, which would otherwise be a paid
// question to a text model.

import { Composer, type Filter } from 'grammy'
import type { Chat, Message } from 'grammy/types'
import { z } from 'zod'
import {
  answerOnce,
  newestNote,
  noteAt,
  readNote,
  releaseNote,
  takeNote,
  writeNote,
} from '../../telegram/message-notes.ts'
import { wordsIn } from '../../telegram/words.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { commandQuestionName, noteKind, questionSuffix } from '../notes.ts'
import { reply } from '../responses.ts'
import { type Given, isOwnMessage } from './operator.ts'

const typed = [
  'user',
  'grant',
  'debit',
  'ban',
  'unban',
  'refund',
  'refund_payment',
  'promo_add',
  'promo_end',
] as const
/** The verbs that questions ask for: also `broadcast`, whose message is always asked for. */
const verbs = [...typed, 'broadcast'] as const
type Verb = (typeof verbs)[number]

/** @returns an error text about the words, in HTML; undefined when they were understood and answered */
type Handler = (ctx: Ctx, given: Given) => Promise<string | undefined>
type Handlers = Readonly<Record<Verb, Handler>>

const commandQuestion = noteKind(
  commandQuestionName,
  z.strictObject({
    verb: z.enum(verbs),
    /** The beginning of the command's words. */
    words: z.string(),
    /** The id of the first question, in a question that repeats it: the first and its repetitions are answered once. */
    first: z.int().exactOptional(),
  }),
)
type Asked = z.output<typeof commandQuestion.about>

export function commands(deps: BotDeps, handlers: Handlers): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  for (const verb of typed) {
    composer.command(verb, async (ctx) => {
      const given = { words: ctx.match.trim(), as: 'command', from: ctx.msgId } as const
      const wrong = await handlers[verb](ctx, given)
      if (wrong !== undefined) await reply(ctx, wrong)
    })
  }
  composer.command('cancel', async (ctx, next) => {
    const open = await openQuestion(deps, ctx)
    if (!open || !(await takeNote(deps, messageRef(ctx, open.first), ctx.update.update_id))) return next()
    await reply(ctx, ctx.say.html('cancel-question', { what: commandOf(open) }))
  })
  return composer
}

/**
 * The answers to the questions. A message of another author answers only the question for the message to broadcast, which is shown and
 * not read: its words are no command, whatever they begin with.
 */
export function answers(deps: BotDeps, handlers: Handlers): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  composer.on('message', async (ctx, next) => {
    const words = wordsIn(ctx.msg)
    const isOwn = isOwnMessage(ctx)
    const asked = isOwn && words.startsWith('/') ? undefined : await askedBy(deps, ctx)
    if (!asked || !(isOwn || asked.verb === 'broadcast')) return next()
    await takeAnswer(deps, ctx, asked, words, handlers)
  })
  return composer
}

type Open = Required<Asked>
type MessageCtx = Filter<Ctx, 'message'>
type InChat = Pick<Ctx, 'user' | 'update'> & { readonly chat: Chat }

const messageRef = ({ chat }: InChat, message_id: number) => ({ chat, message_id })

/** The question that a message answers. */
async function askedBy(deps: BotDeps, ctx: MessageCtx): Promise<Open | undefined> {
  const replied: Message['reply_to_message'] = ctx.msg.reply_to_message
  if (!replied) return ctx.msg.external_reply ? undefined : openQuestion(deps, ctx)
  const asked = await readNote(deps, replied, ctx.user.id, commandQuestion)
  return asked && { ...asked, first: asked.first ?? replied.message_id }
}

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
export const ask = (deps: BotDeps, ctx: Ctx, verb: Verb, words: string, html: string): Promise<void> =>
  put(deps, ctx, { verb, words }, html)

async function put(deps: BotDeps, ctx: Ctx, about: Asked, html: string): Promise<void> {
  const sent = await ctx.reply(`✏️ ${html}\n<code>${commandOf(about)}</code>`, {
    parse_mode: 'HTML',
    reply_markup: { force_reply: true },
  })
  await writeNote(deps, sent, { kind: commandQuestion, userId: ctx.user.id, about })
}
