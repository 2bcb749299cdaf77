// What no feature handled: replies to questions that are closed, outdated buttons, unknown commands, plain text.

import { Composer } from 'grammy'
import { noteAt } from '../../telegram/message-notes.ts'
import { taps } from '../../telegram/taps.ts'
import { emailQuestion } from '../account/receipt-email.ts'
import { reportQuestion } from '../account/report.ts'
import { commandQuestion } from '../admin/questions.ts'
import { fieldQuestion } from '../cards/ask.ts'
import { presetQuestion } from '../cards/preset-naming.ts'
import { styleQuestion } from '../cards/style-maker.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { repliedTo } from '../notes.ts'
import { onTap } from '../on-tap.ts'
import { alertForeign, alertStale, deleteTapped, notice, reply } from '../responses.ts'

const conversationQuestions = [fieldQuestion, styleQuestion, presetQuestion, reportQuestion, emailQuestion]
const allQuestions = [...conversationQuestions, commandQuestion]

/** Installed after all handlers that take answers, and before text models: an answer from them costs money. */
export function closedQuestions(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  onTap(composer, taps.stopAsking, (ctx) => stopAsking(deps, ctx))
  composer.on('message', async (ctx, next) => {
    const words = ctx.msg.text ?? ctx.msg.caption ?? ''
    const replied = words.startsWith('/') ? undefined : repliedTo(ctx.msg)
    const note = replied && (await noteAt(deps, replied))
    if (!allQuestions.some(({ name }) => name === note?.kind)) return next()
    await reply(ctx, ctx.say.html('question-closed'))
  })
  return composer
}

/** The tap itself has already left the conversation. */
async function stopAsking(deps: BotDeps, ctx: Ctx): Promise<void> {
  const note = await noteAt(deps, ctx.callbackQuery?.message)
  const isOwn = note?.userId === ctx.user.id
  if (!isOwn || !conversationQuestions.some(({ name }) => name === note.kind)) return alertForeign(ctx)
  await notice(ctx, ctx.say.plain('asking-stopped'))
  await deleteTapped(ctx)
}

export const fallback = new Composer<Ctx>()

fallback.on('callback_query', alertStale)

/** Only in private chats: in groups the bot answers nothing that is not addressed to it. */
fallback.chatType('private').on(['message:text', 'message:file'], (ctx) => {
  const isCommand = ctx.message.text?.startsWith('/')
  return reply(ctx, isCommand ? ctx.say.html('unknown-command') : ctx.say.html('plain-talk'))
})
