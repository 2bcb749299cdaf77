// The button that cancels an order before its submit.

import type { Composer } from 'grammy'
import { findGeneration } from '../../generations/order.ts'
import { cancelHeld } from '../../generations/waiting.ts'
import { taps } from '../../telegram/taps.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { alert, alertForeign, answerTap } from '../responses.ts'
import { onTap, Routes } from '../routes.ts'

export function withdraw(deps: BotDeps): Composer<Ctx> {
  const composer = new Routes<Ctx>()
  onTap(composer, taps.cancelOrder, async (ctx, { generationId }) => {
    const generation = await findGeneration(deps, generationId, ctx.user.id)
    if (!generation) return alertForeign(ctx)
    if (generation.reason === 'withdrawn') return answerTap(ctx, ctx.say.plain('order-withdrawn'))
    const canceled = await cancelHeld(deps, generation)
    if (!canceled) return alert(ctx, ctx.say.plain(generation.settledAt ? 'stale-button' : 'order-committed'))
    deps.log.info({ generation: generationId, user: ctx.user.id.toString() }, 'withdrawn')
    const waitedMs = deps.clock.now().getTime() - canceled.createdAt.getTime()
    deps.metrics.orders.settled(canceled.modelId, 'withdrawn', waitedMs)
    await answerTap(ctx, ctx.say.plain('order-withdrawn'))
    deps.tracker.nudge('deliver')
  })
  return composer
}
