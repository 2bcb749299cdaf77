// Sends the files of a result again: the originals of pictures, and a copy without price and buttons to forward.

import type { Composer } from 'grammy'
import { sendOriginals } from '../../delivery/originals.ts'
import { resend } from '../../delivery/resend.ts'
import { hasResults } from '../../generations/generation.ts'
import { findGeneration } from '../../generations/order.ts'
import { taps } from '../../telegram/taps.ts'
import { type BotDeps, type Ctx, locationOf } from '../context.ts'
import { alert, answerTap, reply } from '../responses.ts'
import { onTap, Routes } from '../routes.ts'

export function resultFiles(deps: BotDeps): Composer<Ctx> {
  const composer = new Routes<Ctx>()
  onTap(composer, taps.sendOriginals, (ctx, { generationId }) => originals(deps, ctx, generationId))
  onTap(composer, taps.shareResult, (ctx, { generationId }) => share(deps, ctx, generationId))
  return composer
}

async function originals(deps: BotDeps, ctx: Ctx, generationId: string): Promise<void> {
  const generation = await findGeneration(deps, generationId, ctx.user.id)
  const location = locationOf(ctx)
  if (!generation || !hasResults(generation) || !location) return alert(ctx, ctx.say.plain('stale-result'))
  await answerTap(ctx, ctx.say.plain('originals-coming'))
  const { gone, away } = await sendOriginals({ ...deps, api: ctx.api }, generation, location)
  if (gone > 0) await reply(ctx, ctx.say.html('originals-gone', { gone }))
  if (away > 0) await reply(ctx, ctx.say.html('originals-away', { away }))
}

async function share(deps: BotDeps, ctx: Ctx, generationId: string): Promise<void> {
  const generation = await findGeneration(deps, generationId, ctx.user.id)
  const location = locationOf(ctx)
  if (!generation || !hasResults(generation) || !location) return alert(ctx, ctx.say.plain('stale-result'))
  await answerTap(ctx, ctx.say.plain('share-hint'))
  const caption = ctx.say.html('share-caption', { bot: `@${ctx.me.username}` })
  const { sent, away } = await resend({ ...deps, api: ctx.api }, generation, location, ctx.say, { caption })
  if (sent === 0)
    await reply(ctx, ctx.say.html(away > 0 ? 'history-away' : 'history-gone', { away, gone: 1 }))
}
