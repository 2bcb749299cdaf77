// Answers what no feature handled: replies to questions that are closed, outdated buttons, unknown commands, plain text.

import type { Composer, FilterQuery } from 'grammy'
import { noteAt } from '../../telegram/message-notes.ts'
import { taps } from '../../telegram/taps.ts'
import { menuOf } from '../commands.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { asksInConversation, questionSuffix, repliedTo } from '../notes.ts'
import { onTap } from '../on-tap.ts'
import { hasOpenQuestion } from '../open-question.ts'
import { alertForeign, alertStale, answerTap, deleteTapped, reply } from '../responses.ts'
import { Routes } from '../routes.ts'
import { similarCommand } from './similar.ts'

/** Installed after all handlers that take answers, and before text models: an answer from them costs money. */
export function closedQuestions(deps: BotDeps): Composer<Ctx> {
  const composer = new Routes<Ctx>()
  onTap(composer, taps.stopAsking, (ctx) => stopAsking(deps, ctx))
  composer.on('message', async (ctx, next) => {
    const words = ctx.msg.text ?? ctx.msg.caption ?? ''
    const replied = words.startsWith('/') ? undefined : repliedTo(ctx.msg)
    const note = replied && (await noteAt(deps, replied))
    if (!note?.kind.endsWith(questionSuffix)) return next()
    await reply(ctx, ctx.say.html('question-closed'))
  })
  return composer
}

/** Answers a tap on the Stop button of a question. If that question was open, the tap has already closed it; another one stays open. */
async function stopAsking(deps: BotDeps, ctx: Ctx): Promise<void> {
  const note = await noteAt(deps, ctx.callbackQuery?.message)
  if (note?.userId !== ctx.user.id || !asksInConversation(note.kind)) return alertForeign(ctx)
  await answerTap(ctx, ctx.say.plain(hasOpenQuestion(ctx) ? 'question-closed-before' : 'asking-stopped'))
  await deleteTapped(ctx)
}

export function fallback(deps: BotDeps): Composer<Ctx> {
  const composer = new Routes<Ctx>()
  composer.on('callback_query', alertStale)
  // Only in private chats: in groups the bot answers nothing that is not addressed to it.
  composer.chatType('private').on(['message:text', 'message:file'], (ctx) => {
    if (ctx.message.voice) return reply(ctx, ctx.say.html('voice-unheard'))
    const [, typed] = /^\/(\w*)/.exec(ctx.message.text ?? '') ?? []
    if (typed === undefined) return reply(ctx, ctx.say.html('plain-talk'))
    const command = similarCommand(typed.toLowerCase(), namesOf(menuOf(deps, ctx.say)))
    return reply(
      ctx,
      command ? ctx.say.html('similar-command', { command }) : ctx.say.html('unknown-command'),
    )
  })
  composer.chatType('private').on(unusable, (ctx) => reply(ctx, ctx.say.html('other-content')))
  return composer
}

/** Contents that no model accepts. */
const unusable: FilterQuery[] = [
  'message:contact',
  'message:location',
  'message:poll',
  'message:dice',
  'message:story',
  'message:game',
  'message:checklist',
]

const namesOf = (menu: readonly { readonly command: string }[]): string[] =>
  menu.map(({ command }) => command)
