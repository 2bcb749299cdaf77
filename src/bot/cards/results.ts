// Buttons under a result or a failure: the same again (with the same seed), the same with changes, a continuation of the video, the original
// files. All but the last open a new card: every order needs a shown price and a tap on it.

import { Composer } from 'grammy'
import type { Answers, Field } from '../../catalog/field.ts'
import { continuationField, type Model } from '../../catalog/model.ts'
import { sendOriginals } from '../../delivery/originals.ts'
import { repeatableSeed, seedField } from '../../delivery/seeds.ts'
import { artifactsOf } from '../../delivery/sent-artifacts.ts'
import { fitAnswers } from '../../form/fit.ts'
import { findDraft } from '../../generations/drafts.ts'
import { type Generation, hasResults } from '../../generations/generation.ts'
import { findGeneration, findRepeatable } from '../../generations/order.ts'
import { taps } from '../../telegram/taps.ts'
import { type BotDeps, type Ctx, placeOf } from '../context.ts'
import { onTap } from '../on-tap.ts'
import { alert, notice, reply } from '../responses.ts'
import { startDraft } from './cards.ts'
import { askField, continueDraft } from './models.ts'

export function results(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  onTap(composer, taps.orderAgain, (ctx, { generationId }) => again(deps, ctx, generationId))
  onTap(composer, taps.orderChanged, (ctx, { generationId }) => again(deps, ctx, generationId, 'change'))
  onTap(composer, taps.orderExactly, (ctx, { generationId }) => again(deps, ctx, generationId, 'same seed'))
  onTap(composer, taps.continueVideo, (ctx, { generationId }) => continueVideo(deps, ctx, generationId))
  onTap(composer, taps.sendOriginals, (ctx, { generationId }) => originals(deps, ctx, generationId))
  return composer
}

async function originals(deps: BotDeps, ctx: Ctx, generationId: string): Promise<void> {
  const generation = await findGeneration(deps, generationId, ctx.user.id)
  if (!generation || !hasResults(generation)) return alert(ctx, ctx.say.plain('stale-result'))
  await notice(ctx, ctx.say.plain('originals-coming'))
  const { gone, away } = await sendOriginals({ ...deps, api: ctx.api }, generation)
  if (gone > 0) await reply(ctx, ctx.say.html('originals-gone', { gone }))
  if (away > 0) await reply(ctx, ctx.say.html('originals-away', { away }))
}

async function again(
  deps: BotDeps,
  ctx: Ctx,
  generationId: string,
  how?: 'change' | 'same seed',
): Promise<void> {
  const generation = await findRepeatable(deps, generationId, ctx.user.id, ctx.chat?.id)
  const before = generation && (await findDraft(deps.db, generation.draftId, generation.userId))
  const model = generation && deps.catalog.find(generation.modelId)
  const place = placeOf(ctx)
  if (!before || !model || !place || !deps.catalog.isOffered(model)) {
    return alert(ctx, ctx.say.plain('stale-result'))
  }
  await notice(ctx)
  const seed = how === 'same seed' ? await seedOf(deps, generation, model) : {}
  const isOwn = generation.userId === ctx.user.id
  const answers = { ...(isOwn ? before.answers : sharedAnswers(model, before.answers)), ...seed }
  const draft = await startDraft(deps, ctx.user, place, model, answers, ctx.update.update_id)
  const asked = model.fields.find((field) => field.audience === 'asked')
  if (how === 'change' && asked) return askField(ctx, draft, asked.name)
  await continueDraft(deps, ctx, draft, model)
}

/** Without another user's styles and videos, which only their owner may use. */
function sharedAnswers(model: Model, answers: Answers): Answers {
  const own = new Set(model.fields.filter(isOfOwner).map(({ name }) => name))
  return fitAnswers(model, Object.fromEntries(Object.entries(answers).filter(([name]) => !own.has(name))))
}

const isOfOwner = (field: Field): boolean =>
  field.kind === 'text' && (field.source === 'styles' || field.source === 'videos')

async function seedOf(deps: BotDeps, generation: Generation, model: Model): Promise<Answers> {
  const seed = repeatableSeed(model, generation, await artifactsOf(deps, generation.id))
  return seed === undefined ? {} : { [seedField]: seed }
}

async function continueVideo(deps: BotDeps, ctx: Ctx, generationId: string): Promise<void> {
  const generation = await findGeneration(deps, generationId, ctx.user.id)
  const model = generation && deps.catalog.find(generation.modelId)
  const field = model && continuationField(model)
  const place = placeOf(ctx)
  if (!generation?.taskId || !field || !place || !deps.catalog.isOffered(model)) {
    return alert(ctx, ctx.say.plain('stale-result'))
  }
  await notice(ctx)
  const answers = { [field.name]: generation.taskId }
  const draft = await startDraft(deps, ctx.user, place, model, answers, ctx.update.update_id)
  await continueDraft(deps, ctx, draft, model)
}
