// Buttons under a result or a failure: the same again, or the same with changes. Both open a new card: nothing is ordered
// without a price and a tap on it.

import { Composer } from 'grammy'
import { sendOriginals } from '../../delivery/originals.ts'
import { findDraft } from '../../generations/drafts.ts'
import { findGeneration } from '../../generations/order.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { placeOf } from '../place.ts'
import { startDraft } from './cards.ts'
import { askField, continueDraft } from './models.ts'

export function results(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  composer.callbackQuery(/^([re]):([a-z0-9]{10})$/, async (ctx) => {
    const [, verb, id = ''] = ctx.match
    await again(deps, ctx, id, verb === 'e')
  })
  composer.callbackQuery(/^o:([a-z0-9]{10})$/, (ctx) => originals(deps, ctx, String(ctx.match[1])))
  return composer
}

async function originals(deps: BotDeps, ctx: Ctx, generationId: string): Promise<void> {
  const generation = await findGeneration(deps, generationId, ctx.user.id)
  if (generation?.state !== 'succeeded') {
    return void (await ctx.answerCallbackQuery({ text: ctx.say.plain('stale-result'), show_alert: true }))
  }
  await ctx.answerCallbackQuery(ctx.say.plain('originals-coming'))
  const { gone, away } = await sendOriginals({ ...deps, api: ctx.api }, generation)
  if (gone > 0) await ctx.reply(ctx.say.html('originals-gone', { gone }), { parse_mode: 'HTML' })
  if (away > 0) await ctx.reply(ctx.say.html('originals-away', { away }), { parse_mode: 'HTML' })
}

async function again(deps: BotDeps, ctx: Ctx, generationId: string, change: boolean): Promise<void> {
  const generation = await findGeneration(deps, generationId, ctx.user.id)
  const before = generation && (await findDraft(deps.db, generation.draftId, ctx.user.id))
  const model = generation && deps.catalog.find(generation.modelId)
  const place = placeOf(ctx)
  if (!before || !model || !place || !deps.catalog.isOffered(model)) {
    return void (await ctx.answerCallbackQuery({ text: ctx.say.plain('stale-result'), show_alert: true }))
  }
  await ctx.answerCallbackQuery()
  const draft = await startDraft(deps, ctx.user, place, model, before.answers, ctx.update.update_id)
  const asked = model.fields.find((field) => field.audience === 'asked')
  if (change && asked) return askField(ctx, draft, asked.name)
  await continueDraft(deps, ctx, draft, model)
}
