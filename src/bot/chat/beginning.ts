// Begins an answer, or explains why nothing was asked.

import { maxInlineBytes } from '../../catalog/media.ts'
import { labelOf } from '../../catalog/text-models.ts'
import type { Blind } from '../../chat/begin.ts'
import { offerTopUp } from '../cards/top-up-offer.ts'
import { type BotDeps, type Ctx, placeOf } from '../context.ts'
import { reply } from '../responses.ts'
import { type Asked, ask, type Refused } from './asking.ts'
import { namesOf } from './settings.ts'

/** Asks, or explains why nothing was asked. */
export async function begin(
  deps: BotDeps,
  ctx: Ctx,
  question: Pick<Asked, 'text' | 'files' | 'messageId'>,
): Promise<void> {
  const location = placeOf(ctx)
  if (!location) return
  const { api, user, say } = ctx
  const isPrivate = ctx.chat?.type === 'private'
  const updateId = ctx.update.update_id
  const refused = await ask(deps, { ...question, updateId, api, user, say, location, isPrivate })
  if (refused) await explain(deps, ctx, refused)
}

export async function explain(deps: BotDeps, ctx: Ctx, refused: Refused): Promise<void> {
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
