// Commands of operators, typed or asked for: a question stands for the beginning of a command, and the reply to it is the rest. The
// note of the question's message stores that beginning; its text is only shown.

import { Composer, type Filter } from 'grammy'
import { z } from 'zod'
import { readNote, releaseNote, takeNote, writeNote } from '../../telegram/message-notes.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { commandQuestionName, noteKind } from '../notes.ts'
import { reply } from '../responses.ts'

const verbs = ['user', 'grant', 'debit', 'ban', 'unban', 'refund', 'refund_payment', 'promo_add'] as const
type Verb = (typeof verbs)[number]

/** @returns what is wrong with the words, in HTML; undefined when they were understood and answered */
type Handler = (ctx: Ctx, words: string) => Promise<string | undefined>
type Handlers = Readonly<Record<Verb, Handler>>

const commandQuestion = noteKind(
  commandQuestionName,
  z.strictObject({
    verb: z.enum(verbs),
    /** The beginning of the command's words. */
    words: z.string(),
    /** The message that asked first, when this one asks again: both are answered once. */
    first: z.int().exactOptional(),
  }),
)
type Asked = z.output<typeof commandQuestion.about>

export function commands(deps: BotDeps, handlers: Handlers): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  for (const verb of verbs) {
    composer.command(verb, async (ctx) => {
      const wrong = await handlers[verb](ctx, ctx.match.trim())
      if (wrong !== undefined) await reply(ctx, wrong)
    })
  }
  composer.on('message', async (ctx, next) => {
    const { reply_to_message: replied, text, caption = '' } = ctx.msg
    const words = text ?? caption
    const asked = words.startsWith('/')
      ? undefined
      : await readNote(deps, replied, ctx.user.id, commandQuestion)
    if (!asked || !replied) return next()
    await takeAnswer(deps, ctx, { ...asked, first: asked.first ?? replied.message_id }, words, handlers)
  })
  return composer
}

async function takeAnswer(
  deps: BotDeps,
  ctx: Filter<Ctx, 'message'>,
  { verb, words: beginning, first }: Required<Asked>,
  words: string,
  handlers: Handlers,
): Promise<void> {
  const question = { chat: ctx.chat, message_id: first }
  if (!(await takeNote(deps, question, ctx.update.update_id))) {
    return reply(ctx, ctx.say.html('question-closed'))
  }
  const wrong = await handlers[verb](ctx, `${beginning} ${words}`.trim())
  if (wrong === undefined) return
  await releaseNote(deps, question)
  await put(deps, ctx, { verb, words: beginning, first }, wrong)
}

/** @param words the beginning of the command's words */
export const ask = (deps: BotDeps, ctx: Ctx, verb: Verb, words: string, html: string): Promise<void> =>
  put(deps, ctx, { verb, words }, html)

async function put(deps: BotDeps, ctx: Ctx, about: Asked, html: string): Promise<void> {
  const command = [`/${about.verb}`, about.words].filter(Boolean).join(' ')
  const sent = await ctx.reply(`✏️ ${html}\n<code>${command}</code>`, {
    parse_mode: 'HTML',
    reply_markup: { force_reply: true },
  })
  await writeNote(deps, sent, { kind: commandQuestion, userId: ctx.user.id, about })
}
