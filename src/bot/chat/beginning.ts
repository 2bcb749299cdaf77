// Begins an answer, or explains why nothing was asked. The first plain words of a user are not asked before they know that it costs money.

import { InlineKeyboard } from 'grammy'
import { z } from 'zod'
import { attachment } from '../../catalog/attachment.ts'
import { maxInlineBytes } from '../../catalog/media.ts'
import { labelOf } from '../../catalog/text-models.ts'
import type { About, Blind } from '../../chat/begin.ts'
import { takeNote, writeNote } from '../../telegram/message-notes.ts'
import { taps } from '../../telegram/taps.ts'
import { offerTopUp } from '../cards/top-up-offer.ts'
import { type BotDeps, type Ctx, placeOf } from '../context.ts'
import { noteKind, tappedNote } from '../notes.ts'
import { alertForeign, alertStale, deleteTapped, notice, reply } from '../responses.ts'
import { type Asked, ask, type Refused } from './asking.ts'
import { namesOf } from './settings.ts'

const answerOffer = noteKind(
  'answer-offer',
  z.strictObject({ text: z.string(), files: z.array(attachment), messageId: z.int() }),
)

/** Says what the answer would cost, below the words that it would answer. */
async function offerAnswer(
  deps: BotDeps,
  ctx: Ctx,
  { text, files, messageId }: Pick<Asked, 'text' | 'files' | 'messageId'>,
  { model, amount: exact }: About,
): Promise<void> {
  const amount = ctx.say.roubles(exact)
  const keyboard = new InlineKeyboard()
    .text(ctx.say.plain('button-answer', { amount }), taps.answerOffered.data())
    .primary()
  const sent = await ctx.reply(ctx.say.html('chat-first', { amount, model: labelOf(model) }), {
    parse_mode: 'HTML',
    reply_markup: keyboard,
    reply_parameters: { message_id: messageId, allow_sending_without_reply: true },
  })
  const about = { text, files: [...files], messageId }
  await writeNote(deps, sent, { kind: answerOffer, userId: ctx.user.id, about })
}

/** The tap that goes on. Two taps ask once. */
export async function answerOffered(deps: BotDeps, ctx: Ctx): Promise<void> {
  const offer = await tappedNote(deps, ctx, answerOffer)
  const message = ctx.callbackQuery?.message
  if (!offer || !message) return alertForeign(ctx)
  if (!(await takeNote(deps, message, ctx.update.update_id))) return alertStale(ctx)
  await notice(ctx)
  await deleteTapped(ctx)
  await begin(deps, ctx, offer)
}

/** Asks, or explains why nothing was asked. */
export async function begin(
  deps: BotDeps,
  ctx: Ctx,
  question: Pick<Asked, 'text' | 'files' | 'messageId' | 'isPlain'>,
): Promise<void> {
  const location = placeOf(ctx)
  if (!location) return
  const { api, user, say } = ctx
  const isPrivate = ctx.chat?.type === 'private'
  const updateId = ctx.update.update_id
  const refused = await ask(deps, { ...question, updateId, api, user, say, location, isPrivate })
  if (refused?.reason === 'first') return offerAnswer(deps, ctx, question, refused)
  if (refused) await explain(deps, ctx, refused)
}

export async function explain(
  deps: BotDeps,
  ctx: Ctx,
  refused: Exclude<Refused, { reason: 'first' }>,
): Promise<void> {
  if (refused.reason === 'insufficient') {
    const html = ctx.say.html('chat-not-enough', { missing: ctx.say.roubles(refused.missing) })
    return offerTopUp(deps, ctx, refused.missing, html)
  }
  if (refused.reason === 'daily-cap' && ctx.chat?.type !== 'private') {
    return reply(ctx, ctx.say.html('cap-in-group', { name: ctx.from?.first_name ?? '' }))
  }
  if (refused.reason === 'daily-cap') {
    const [most, spent] = [ctx.say.roubles(refused.most), ctx.say.roubles(refused.spent)]
    return reply(ctx, ctx.say.html('chat-daily-cap', { most, spent }))
  }
  if (refused.reason === 'blind') return reply(ctx, blindText(ctx, refused))
  if (refused.reason === 'no-picture') {
    return reply(ctx, ctx.say.html('chat-no-picture', { max: maxInlineBytes / 1024 / 1024 }))
  }
  await reply(ctx, ctx.say.html(`chat-${refused.reason}`))
}

/** Which model or mode sees no pictures, and what to do about it. */
function blindText({ say }: Ctx, { model, because, others }: Blind): string {
  const name = labelOf(model)
  if (because.length > 0) return say.html('chat-blind-mode', { model: name, modes: namesOf(say, because) })
  const models = others.map(labelOf).join(', ')
  return models
    ? say.html('chat-blind', { model: name, models })
    : say.html('chat-blind-all', { model: name })
}
