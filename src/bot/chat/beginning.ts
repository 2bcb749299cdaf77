// Begins an answer, offers to begin it, or explains why nothing was asked.

import { maxInlineBytes } from '../../catalog/media.ts'
import { labelOf } from '../../catalog/text-models.ts'
import type { PicturesNotAccepted } from '../../chat/begin.ts'
import { heldForAnswers } from '../../chat/turns.ts'
import { isOperator } from '../admin/operator.ts'
import { offerTopUp } from '../cards/top-up-offer.ts'
import { type BotDeps, type Ctx, firstNameOf, locationOf } from '../context.ts'
import { reply } from '../responses.ts'
import { type Asked, ask, type Refused } from './asking.ts'
import { offerAnswer } from './first-offer.ts'
import { namesOf, offerModels } from './settings.ts'

interface ToAsk extends Pick<Asked, 'text' | 'files' | 'messageId' | 'isPlain'> {
  /** By default the id of the context's update. */
  readonly updateId?: number
}

/**
 * Asks, offers to ask, or explains why nothing was asked. @returns whether the question was asked, now or when the same update was handled
 * before
 */
export async function begin(deps: BotDeps, ctx: Ctx, question: ToAsk): Promise<boolean> {
  const location = locationOf(ctx)
  if (!location) return false
  const { api, user, say } = ctx
  const { text, files, messageId, updateId = ctx.update.update_id } = question
  const isPrivate = ctx.chat?.type === 'private'
  const asker = { user, isOperator: isOperator(deps, ctx), say, location, isPrivate }
  const refused = await ask(deps, { ...question, ...asker, updateId, api })
  if (refused?.reason === 'unknown-price') {
    await offerAnswer(deps, ctx, { text, files: [...files], messageId, updateId })
  } else if (refused) await explain(deps, ctx, refused)
  return refused === undefined
}

export async function explain(
  deps: BotDeps,
  ctx: Ctx,
  refused: Exclude<Refused, { reason: 'unknown-price' }>,
): Promise<void> {
  if (refused.reason === 'insufficient') {
    const held = await heldForAnswers(deps.db, ctx.user.id)
    if (held >= refused.missing) return reply(ctx, ctx.say.html('chat-held'))
    return offerTopUp(deps, ctx, refused.missing, 'chat-not-enough')
  }
  if (refused.reason === 'daily-cap' && ctx.chat?.type !== 'private') {
    return reply(ctx, ctx.say.html('cap-in-group', { name: firstNameOf(ctx) }))
  }
  if (refused.reason === 'daily-cap') {
    const [most, spent] = [ctx.say.roubles(refused.most), ctx.say.roubles(refused.spent)]
    return reply(ctx, ctx.say.html('chat-daily-cap', { most, spent }))
  }
  if (refused.reason === 'model-off') return offerModels(deps, ctx, refused.model)
  if (refused.reason === 'pictures-not-accepted') return reply(ctx, notAcceptedText(ctx, refused))
  if (refused.reason === 'no-picture') {
    return reply(ctx, ctx.say.html('chat-no-picture', { max: maxInlineBytes / 1024 / 1024 }))
  }
  await reply(ctx, ctx.say.html(`chat-${refused.reason}`))
}

/** Says which model or mode does not see pictures, and what the user can do. */
function notAcceptedText({ say }: Ctx, { model, because, others }: PicturesNotAccepted): string {
  const name = labelOf(model)
  if (because.length > 0) return say.html('chat-blind-mode', { model: name, modes: namesOf(say, because) })
  const models = others.map(labelOf).join(', ')
  return models
    ? say.html('chat-blind', { model: name, models })
    : say.html('chat-blind-all', { model: name })
}
