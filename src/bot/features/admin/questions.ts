// Commands of operators, and the same asked for: a question ends with the command it stands for, and a reply to it says the
// rest. Nothing is remembered in between.

import { Composer } from 'grammy'
import type { Message } from 'grammy/types'
import type { Ctx } from '../../context.ts'

export const verbs = [
  'user',
  'grant',
  'debit',
  'ban',
  'unban',
  'refund',
  'refund_payment',
  'promo_add',
] as const
export type Verb = (typeof verbs)[number]

export type Handlers = Readonly<Record<Verb, (ctx: Ctx, words: string) => Promise<void>>>

const mark = '✏️'

export function commands(handlers: Handlers): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  for (const verb of verbs) composer.command(verb, (ctx) => handlers[verb](ctx, ctx.match.trim()))
  composer.on('message:text', async (ctx, next) => {
    const asked = ctx.msg.text.startsWith('/') ? undefined : askedIn(ctx)
    if (!asked) return next()
    await handlers[asked.verb](ctx, `${asked.words} ${ctx.msg.text}`.trim())
  })
  return composer
}

/** @param words the beginning of what the command is given */
export async function ask(ctx: Ctx, verb: Verb, words: string, question: string): Promise<void> {
  const command = [`/${verb}`, words].filter(Boolean).join(' ')
  await ctx.reply(`${mark} ${question}\n<code>${command}</code>`, {
    parse_mode: 'HTML',
    reply_markup: { force_reply: true },
  })
}

/** Foreign words in our messages are never code, so nobody but us can have written that last line. */
function askedIn(ctx: Ctx): { verb: Verb; words: string } | undefined {
  const question: Message | undefined = ctx.msg?.reply_to_message
  if (question?.from?.id !== ctx.me.id || !question.text?.startsWith(mark)) return undefined
  const code = question.entities?.findLast(({ type }) => type === 'code')
  if (!code || code.offset + code.length !== question.text.length) return undefined
  const [, name, words = ''] = /^\/(\w+) ?(.*)$/.exec(question.text.slice(code.offset)) ?? []
  const verb = verbs.find((one) => one === name)
  return verb && { verb, words }
}
