// What all questions have in common: the button that leaves one, and what is said to replies that none of them waits for.

import { Composer } from 'grammy'
import { emailQuestion } from '../account/receipt-email.ts'
import { reportQuestion } from '../account/report.ts'
import { commandQuestion } from '../admin/questions.ts'
import { fieldQuestion } from '../cards/ask.ts'
import { styleQuestion } from '../cards/style-maker.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { noteAt, refuseTap, repliedTo } from '../notes.ts'
import { stopTap } from '../question.ts'

const conversationQuestions = [fieldQuestion, styleQuestion, reportQuestion, emailQuestion]
const allQuestions = [...conversationQuestions, commandQuestion]

/** Installed after what takes answers and before what answers plain talk, which costs money. */
export function asking(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  composer.callbackQuery(stopTap, (ctx) => stopAsking(deps, ctx))
  composer.on('message', async (ctx, next) => {
    const words = ctx.msg.text ?? ctx.msg.caption ?? ''
    const replied = words.startsWith('/') ? undefined : repliedTo(ctx.msg)
    const note = replied && (await noteAt(deps, replied))
    if (!allQuestions.some(({ name }) => name === note?.kind)) return next()
    await ctx.reply(ctx.say.html('question-closed'), { parse_mode: 'HTML' })
  })
  return composer
}

/** Whoever taps anything has left the conversation before this runs. */
async function stopAsking(deps: BotDeps, ctx: Ctx): Promise<void> {
  const note = await noteAt(deps, ctx.callbackQuery?.message)
  const isTheirs = note?.userId === ctx.user.id
  if (!isTheirs || !conversationQuestions.some(({ name }) => name === note.kind)) {
    return void (await refuseTap(ctx))
  }
  await ctx.answerCallbackQuery(ctx.say.plain('asking-stopped'))
  await ctx.deleteMessage().catch(() => undefined)
}
