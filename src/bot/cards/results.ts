// Orders that follow a result or a failure. All open a card with the answers filled in, except the button that shows a price: it
// orders at once.

import type { Answers } from '../../catalog/field.ts'
import { continuationField, type Model } from '../../catalog/model.ts'
import { finalOf } from '../../catalog/trial.ts'
import type { Kopecks } from '../../money.ts'
import { findGeneration, findRepeatable, isRepeatedNow } from '../../orders/confirm.ts'
import { artifactsOf } from '../../orders/deliver/job.ts'
import { resend, sendOriginals } from '../../orders/deliver/resend.ts'
import { findDraft } from '../../orders/drafts.ts'
import { type Generation, hasResults, isByWallet } from '../../orders/generation.ts'
import { markOrder } from '../../orders/history.ts'
import { cancelHeld } from '../../orders/settle.ts'
import { type ResultUse, taps } from '../../telegram/taps.ts'
import { alert, alertForeign, answerTap, type BotDeps, type Ctx, locationOf, reply } from '../context.ts'
import { onTap, type Routes } from '../routes.ts'
import { orderAtOnce } from './card.ts'
import { startDraft } from './cards.ts'
import { continueDraft } from './models.ts'
import {
  continuable,
  messageOf,
  onlyWith,
  repeatableSeed,
  seedField,
  sharedAnswers,
  usesOf,
  variationsOf,
} from './result-uses.ts'
import { withFreshSpeech } from './speech.ts'
import { isOnSale, withModelOnSale } from './switch-model.ts'
import { beginTalking } from './talk.ts'

export const results = (deps: BotDeps): Routes => ({
  taps: [
    onTap(taps.orderAgain, (ctx, { generationId }) => again(deps, ctx, generationId)),
    onTap(taps.orderAtOnce, (ctx, { generationId, amount }) => atOnce(deps, ctx, generationId, amount)),
    onTap(taps.orderChanged, (ctx, { generationId }) => again(deps, ctx, generationId)),
    onTap(taps.orderExactly, (ctx, { generationId }) => exactly(deps, ctx, generationId)),
    onTap(taps.orderPickExactly, (ctx, { generationId, position }) =>
      exactly(deps, ctx, generationId, position),
    ),
    onTap(taps.orderVariations, (ctx, { generationId }) =>
      again(deps, ctx, generationId, async ({ model, answers }) => variationsOf(model, answers)),
    ),
    onTap(taps.orderFull, (ctx, { generationId }) =>
      again(deps, ctx, generationId, async ({ answers }) => ({ ...answers, mode: 'full' })),
    ),
    onTap(taps.orderFinal, (ctx, { generationId }) => final(deps, ctx, generationId)),
    onTap(taps.continueVideo, (ctx, { generationId }) => continueVideo(deps, ctx, generationId)),
    onTap(taps.useResult, (ctx, { generationId, position, next }) =>
      useResult(deps, ctx, generationId, position, next),
    ),
    onTap(taps.sendOriginals, (ctx, { generationId }) => originals(deps, ctx, generationId)),
    onTap(taps.shareResult, (ctx, { generationId }) => share(deps, ctx, generationId)),
    onTap(taps.cancelOrder, (ctx, { generationId }) => withdraw(deps, ctx, generationId)),
  ],
})

/** An order that can be repeated, with the answers that this user may give. */
interface Repeatable {
  readonly generation: Generation
  readonly model: Model
  readonly answers: Answers
}

/** @returns undefined after an alert */
async function repeatable(deps: BotDeps, ctx: Ctx, generationId: string): Promise<Repeatable | undefined> {
  const generation = await findRepeatable(deps, generationId, ctx.user.id, ctx.chat?.id)
  const before = generation && (await findDraft(deps.db, generation.draftId, generation.userId))
  const model = generation && deps.catalog.find(generation.modelId)
  if (!before || !model) {
    await alert(ctx, ctx.say.plain('stale-result'))
    return undefined
  }
  const isOwn = generation.userId === ctx.user.id
  const answers = await withFreshSpeech(deps, before.answers)
  return { generation, model, answers: isOwn ? answers : sharedAnswers(model, answers) }
}

async function again(
  deps: BotDeps,
  ctx: Ctx,
  generationId: string,
  changed: (order: Repeatable) => Promise<Answers> = async ({ answers }) => answers,
): Promise<void> {
  const order = await repeatable(deps, ctx, generationId)
  if (!order) return
  await answerTap(ctx)
  await openCard(deps, ctx, order.model, await changed(order))
}

export async function openCard(deps: BotDeps, ctx: Ctx, model: Model, answers: Answers): Promise<void> {
  const begun = await startDraft(deps, ctx, model, answers)
  if (begun) await continueDraft(deps, ctx, await withModelOnSale(deps, ctx, begun))
}

/**
 * Only the user who paid orders at once: others have a price and a balance of their own. When the model is off, a card shows another model.
 * A second tap a moment later is ignored.
 */
async function atOnce(deps: BotDeps, ctx: Ctx, generationId: string, shown: Kopecks): Promise<void> {
  const order = await repeatable(deps, ctx, generationId)
  if (!order) return
  const { generation, model, answers } = order
  const isOwn = generation.userId === ctx.user.id
  if (!isOwn || !(await isOnSale(deps, model))) return again(deps, ctx, generationId)
  if (await isRepeatedNow(deps, generation.id, ctx.user.id))
    return answerTap(ctx, ctx.say.plain('ordered-already'))
  await orderAtOnce(deps, ctx, {
    model,
    answers,
    shown,
    byGroup: isByWallet(generation),
    repeats: generation,
  })
}

/** @param position which of several results is made again */
const exactly = (deps: BotDeps, ctx: Ctx, generationId: string, position?: number): Promise<void> =>
  again(deps, ctx, generationId, async ({ generation, model, answers }) => {
    const artifacts = await artifactsOf(deps, generation.id)
    const those = artifacts.filter((one) => position === undefined || one.position === position)
    const seed = repeatableSeed(
      model,
      generation,
      those,
      position === undefined ? 'only result' : 'any count',
    )
    if (seed === undefined) return answers
    return position === undefined ? { ...answers, [seedField]: seed } : onlyWith(model, answers, seed)
  })

/** Opens the card of the final version of a trial, with the seed of its result. */
const final = (deps: BotDeps, ctx: Ctx, generationId: string): Promise<void> =>
  again(deps, ctx, generationId, async ({ generation, model, answers }) => {
    const seed = repeatableSeed(model, generation, await artifactsOf(deps, generation.id))
    const seeded = seed === undefined ? answers : { ...answers, [seedField]: seed }
    return { ...seeded, ...finalOf(model, generation.request)?.answers }
  })

async function continueVideo(deps: BotDeps, ctx: Ctx, generationId: string): Promise<void> {
  const generation = await findGeneration(deps, generationId, ctx.user.id)
  const model = generation && deps.catalog.find(generation.modelId)
  const field = model && continuationField(model)
  const [video] = generation ? await continuable(deps, generation) : []
  if (!video || !field || !deps.catalog.isOffered(model)) {
    return alert(ctx, ctx.say.plain('stale-result'))
  }
  await answerTap(ctx)
  await openCard(deps, ctx, model, { [field.name]: video.continuedBy })
}

async function useResult(
  deps: BotDeps,
  ctx: Ctx,
  generationId: string,
  position: number,
  use: ResultUse,
): Promise<void> {
  const generation = await findGeneration(deps, generationId, ctx.user.id)
  const kind = generation && deps.catalog.find(generation.modelId)?.delivers(generation.request).kind
  const artifacts = generation ? await artifactsOf(deps, generation.id) : []
  const artifact = artifacts.find((one) => one.position === position)
  const next =
    kind &&
    artifact &&
    (await usesOf(deps, kind, artifact, messageOf(ctx, artifacts))).find((one) => one.use === use)
  if (!next) return alert(ctx, ctx.say.plain('stale-result'))
  await answerTap(ctx)
  if (use === 'talk') await beginTalking(deps, ctx, next)
  else await openCard(deps, ctx, next.model, next.answers)
}

// Sends the files of a result again: the originals of pictures, and a copy without price and buttons to forward.

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
  await markOrder(deps, generationId, ctx.user.id, 'share')
  await answerTap(ctx, ctx.say.plain('share-hint'))
  const link = `https://t.me/${ctx.me.username}?start=p_${generationId}`
  const caption = ctx.say.html('share-caption', { bot: `@${ctx.me.username}`, link })
  const { sent, away } = await resend({ ...deps, api: ctx.api }, generation, location, ctx.say, { caption })
  if (sent === 0)
    await reply(ctx, ctx.say.html(away > 0 ? 'history-away' : 'history-gone', { away, gone: 1 }))
}

// The button that cancels an order before its submit.

async function withdraw(deps: BotDeps, ctx: Ctx, generationId: string): Promise<void> {
  const generation = await findGeneration(deps, generationId, ctx.user.id)
  if (!generation) return alertForeign(ctx)
  if (generation.reason === 'withdrawn') return answerTap(ctx, ctx.say.plain('order-withdrawn'))
  const canceled = await cancelHeld(deps, generation)
  if (!canceled) return alert(ctx, ctx.say.plain(generation.settledAt ? 'stale-button' : 'order-committed'))
  deps.log.info({ generation: generationId, user: ctx.user.id.toString() }, 'withdrawn')
  const waitedMs = deps.clock.now().getTime() - canceled.createdAt.getTime()
  deps.metrics.orders.settled(canceled.modelId, 'withdrawn', waitedMs)
  await answerTap(ctx, ctx.say.plain('order-withdrawn'))
  deps.tracker.nudge()
}
