// Buttons for what can follow a result: they open in place of the few buttons under it. Several results are picked by number, and each has
// its own page.

import { Composer, InlineKeyboard } from 'grammy'
import { continuationField, type Model } from '../../catalog/model.ts'
import type { Kopecks } from '../../money.ts'
import { findGeneration } from '../../orders/confirm.ts'
import { describe } from '../../orders/deliver/job.ts'
import { resultKeyboard } from '../../orders/deliver/messages.ts'
import { artifactsOf } from '../../orders/deliver/sent-artifacts.ts'
import { type Artifact, type Generation, hasResults } from '../../orders/generation.ts'
import { taps } from '../../telegram/taps.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { closeMenu, openMenu } from '../menus.ts'
import { onTap } from '../on-tap.ts'
import { alertForeign, answerTap } from '../responses.ts'
import { isVaried, messageOf, repeatableSeed, usesOf } from './result-uses.ts'

export function followUps(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  onTap(composer, taps.moreOfResult, (ctx, { generationId }) =>
    showMenu(deps, ctx, generationId, (result) => morePage(deps, ctx, result)),
  )
  onTap(composer, taps.pickResult, (ctx, { generationId, position }) =>
    showMenu(deps, ctx, generationId, (result) => pickPage(deps, ctx, result, position)),
  )
  onTap(composer, taps.lessOfResult, async (ctx, { generationId }) => {
    await show(deps, ctx, generationId, async ({ generation }) =>
      resultKeyboard(describe(deps.catalog, generation, ctx.say)),
    )
    await closeMenu(deps, ctx)
  })
  return composer
}

interface Result {
  readonly generation: Generation
  readonly model: Model
  readonly artifacts: readonly Artifact[]
}

/** Replaces the buttons of a result that belongs to the user. */
async function show(
  deps: BotDeps,
  ctx: Ctx,
  generationId: string,
  page: (result: Result) => Promise<InlineKeyboard>,
): Promise<void> {
  const generation = await findGeneration(deps, generationId, ctx.user.id)
  const model = generation && deps.catalog.find(generation.modelId)
  if (!generation || !model || !hasResults(generation)) return alertForeign(ctx)
  await answerTap(ctx)
  const keyboard = await page({ generation, model, artifacts: await artifactsOf(deps, generationId) })
  await ctx.editMessageReplyMarkup({ reply_markup: keyboard }).catch(() => undefined)
}

async function showMenu(...[deps, ctx, ...what]: Parameters<typeof show>): Promise<void> {
  await show(deps, ctx, ...what)
  await openMenu(deps, ctx, { at: 'result' })
}

async function morePage(deps: BotDeps, ctx: Ctx, result: Result): Promise<InlineKeyboard> {
  const { say } = ctx
  const { generation, model, artifacts } = result
  const { id: generationId } = generation
  const keyboard = new InlineKeyboard()
  if (artifacts.length > 1 && artifacts.some(isPickable)) addPicks(keyboard, result)
  else await addUses(deps, ctx, keyboard, result, 0)
  if (continuationField(model) && generation.taskId !== null)
    keyboard.text(say.plain('button-continue-video'), taps.continueVideo.data({ generationId })).row()
  const full = fullPrice(deps, result)
  if (full !== undefined) {
    const text = say.plain('button-full-3d', { amount: say.roubles(full) })
    keyboard.text(text, taps.orderFull.data({ generationId })).row()
  }
  keyboard.text(say.plain('button-change'), taps.orderChanged.data({ generationId }))
  if (isVaried(model, generation))
    keyboard.text(say.plain('button-variations'), taps.orderVariations.data({ generationId }))
  keyboard.row()
  if (repeatableSeed(model, generation, artifacts) !== undefined)
    keyboard.text(say.plain('button-again-exactly'), taps.orderExactly.data({ generationId })).row()
  // Telegram shows a photo smaller than it was made.
  if (model.delivers(generation.request).kind === 'image')
    keyboard.text(say.plain('button-originals'), taps.sendOriginals.data({ generationId }))
  keyboard.text(say.plain('button-share-result'), taps.shareResult.data({ generationId })).row()
  return keyboard.text(say.plain('button-less'), taps.lessOfResult.data({ generationId }))
}

/** The price of the full model; undefined unless the result is a preview of a 3D model. */
const fullPrice = ({ catalog }: BotDeps, { model, generation: { request } }: Result): Kopecks | undefined =>
  request.mode === 'preview' ? catalog.price(model, { ...request, mode: 'full' })?.amount : undefined

const isPickable = ({ kind, fileId }: Artifact): boolean =>
  fileId !== null && (kind === null || kind === 'image' || kind === 'video' || kind === 'audio')

const picksInRow = 5

function addPicks(keyboard: InlineKeyboard, { generation, artifacts }: Result): void {
  const picks = artifacts.filter(isPickable)
  for (const [at, { position }] of picks.entries()) {
    keyboard.text(`${position + 1}`, taps.pickResult.data({ generationId: generation.id, position }))
    if ((at + 1) % picksInRow === 0) keyboard.row()
  }
  keyboard.row()
}

async function addUses(
  deps: BotDeps,
  ctx: Ctx,
  keyboard: InlineKeyboard,
  { generation, model, artifacts }: Result,
  position: number,
): Promise<void> {
  const artifact = artifacts.find((one) => one.position === position)
  if (!artifact) return
  const { id: generationId } = generation
  const { kind } = model.delivers(generation.request)
  for (const { use } of await usesOf(deps, kind, artifact, messageOf(ctx, artifacts))) {
    keyboard
      .text(ctx.say.plain(`next-${use}`), taps.useResult.data({ generationId, position, next: use }))
      .row()
  }
}

async function pickPage(deps: BotDeps, ctx: Ctx, result: Result, position: number): Promise<InlineKeyboard> {
  const { say } = ctx
  const { id: generationId } = result.generation
  const keyboard = new InlineKeyboard()
  await addUses(deps, ctx, keyboard, result, position)
  const artifact = result.artifacts.find((one) => one.position === position)
  if (artifact && repeatableSeed(result.model, result.generation, [artifact], 'any count') !== undefined) {
    const label = say.plain('button-pick-exactly', { number: position + 1 })
    keyboard.text(label, taps.orderPickExactly.data({ generationId, position })).row()
  }
  return keyboard.text(say.plain('button-less'), taps.moreOfResult.data({ generationId }))
}
