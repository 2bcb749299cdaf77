// What can follow a result: the pages of buttons under it, and the answers of an order that repeats or varies it.

import { InlineKeyboard } from 'grammy'
import type { MaybeInaccessibleMessage } from 'grammy/types'
import { z } from 'zod'
import type { Answers, Field } from '../../catalog/field.ts'
import { continuationField, type Delivers, type Model } from '../../catalog/model.ts'
import { fitAnswers } from '../../form/fit.ts'
import { findGeneration } from '../../orders/confirm.ts'
import { artifactsOf, describe, type Subject } from '../../orders/deliver/job.ts'
import { againButton } from '../../orders/deliver/messages.ts'
import {
  attachmentFrom,
  type FollowUp,
  followUpsOf,
  fullPrice,
  resultKeyboard,
} from '../../orders/deliver/result.ts'
import { type Artifact, type Generation, hasResults, mayReport } from '../../orders/generation.ts'
import { markOrder, videosOf } from '../../orders/history.ts'
import { fitted } from '../../telegram/button-rows.ts'
import { taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import { isOperator } from '../admin/operator.ts'
import { readOnSale } from '../commands.ts'
import { alertForeign, answerTap, type BotDeps, type Ctx, withoutButtons } from '../context.ts'
import { closeMenu, openMenu } from '../notes.ts'
import { onTap, type Routes } from '../routes.ts'
import { attachmentOf } from './attachment.ts'

type Tapped = MaybeInaccessibleMessage | undefined

/** The file of a result; that of the tapped message until it is recorded, a moment after it was sent. @param kind what was ordered */
const sentFile = (kind: Delivers['kind'] | undefined, artifact: Artifact, message: Tapped) =>
  artifact.fileId === null ? message && attachmentOf(message) : attachmentFrom(kind, artifact)

/** The orders that can be made with the file now. @param kind what was ordered */
export async function usesOf(
  deps: BotDeps,
  kind: Delivers['kind'],
  artifact: Artifact,
  message: Tapped,
): Promise<readonly FollowUp[]> {
  const sent = sentFile(kind, artifact, message)
  if (!sent) return []
  const id = deps.results.chained ? await ownId(deps, artifact) : undefined
  const file = id === undefined ? sent : { ...sent, id }
  return followUpsOf(deps, (await readOnSale(deps)).models, file)
}

const uuid = z.uuid()

/** The gateway's id of a file. One that several results share names the task, and none of its files. */
async function ownId(deps: BotDeps, { generationId, resultId }: Artifact): Promise<string | undefined> {
  if (resultId === null || !uuid.safeParse(resultId).success) return undefined
  const same = (await artifactsOf(deps, generationId)).filter((one) => one.resultId === resultId)
  return same.length === 1 ? resultId : undefined
}

/** The order as one that the gateway can continue; empty when it cannot. */
export const continuable = (deps: BotDeps, { id, userId }: Generation) =>
  videosOf(deps.db, userId, { id }, deps.results.continued, 1)

/** The tapped message if it shows the only file of the result; several files may be in other messages. */
export const messageOf = (ctx: Ctx, artifacts: readonly Artifact[]): Tapped =>
  artifacts.length === 1 ? ctx.callbackQuery?.message : undefined

// The answers of an order that repeats or varies an earlier one.

/** The name of the field in all models that take a seed. */
export const seedField = 'seed'

/** Request paths that contain the number of results. */
const countPaths = ['n', 'numberResults', 'numberOfImages']
const usualVariations = 4

const countField = ({ fields }: Model) =>
  fields
    .filter((field) => field.kind === 'number')
    .find(({ shape }) => countPaths.some((path) => path in shape))

/** Whether variations of the order would differ from repeating it. */
const isVaried = (model: Model, { request }: Generation): boolean =>
  countField(model) !== undefined || request[seedField] !== undefined

/** Other results of the same request: without its seed, and several at once where the model makes several. */
export function variationsOf(model: Model, answers: Answers): Answers {
  const { [seedField]: _, ...others } = answers
  const field = countField(model)
  if (!field) return others
  const most = model.limit(field, others) ?? field.max ?? usualVariations
  return fitAnswers(model, { ...others, [field.name]: Math.min(usualVariations, most) }, field.name)
}

/** The answers that make one of several results again. */
export function onlyWith(model: Model, answers: Answers, seed: number): Answers {
  const field = countField(model)
  return { ...answers, [seedField]: seed, ...(field ? { [field.name]: 1 } : {}) }
}

/** The answers without another user's styles and videos, which only their owner may use. @param isLeftOut further fields */
export function sharedAnswers(
  model: Model,
  answers: Answers,
  isLeftOut: (field: Field) => boolean = () => false,
): Answers {
  const left = model.fields.filter((field) => isOfOwner(field) || isLeftOut(field))
  const own = new Set(left.map(({ name }) => name))
  return fitAnswers(model, Object.fromEntries(Object.entries(answers).filter(([name]) => !own.has(name))))
}

const isOfOwner = (field: Field): boolean =>
  field.kind === 'text' && (field.source === 'styles' || field.source === 'videos')

/**
 * The seed that repeats the first of these results; undefined if the model does not take it, or the order named it already.
 * @param among `only result`: undefined also when the order has several
 */
export function repeatableSeed(
  model: Model | undefined,
  { request }: Generation,
  artifacts: readonly Artifact[],
  among: 'only result' | 'any count' = 'only result',
): number | undefined {
  const schema = model?.fields.find(({ name }) => name === seedField)?.shape[seedField]
  if (!schema || request[seedField] !== undefined) return undefined
  if (among === 'only result' && model?.delivers(request).count !== 1) return undefined
  const seed = artifacts[0]?.seed ?? undefined
  return schema.safeParse(seed).success ? seed : undefined
}

// Buttons for everything that can follow a result: they open in place of the few buttons under it. Each of several files has its own page.

export const followUps = (deps: BotDeps): Routes => ({
  taps: [
    onTap(taps.moreOfResult, (ctx, { generationId }) =>
      showMenu(deps, ctx, generationId, (result) => morePage(deps, ctx, result)),
    ),
    onTap(taps.pickResult, (ctx, { generationId, position }) =>
      showMenu(deps, ctx, generationId, (result) => pickPage(deps, ctx, result, position)),
    ),
    onTap(taps.lessOfResult, (ctx, { generationId }) => showFirst(deps, ctx, generationId)),
    onTap(taps.favourResult, async (ctx, { generationId, to }) => {
      await markOrder(deps, generationId, ctx.user.id, to === 'on' ? 'favourite' : 'ordinary')
      await showFirst(deps, ctx, generationId, ctx.say.plain(`favourite-now-${to}`))
    }),
  ],
})

/** Shows the few buttons that stand under a result at first. */
async function showFirst(deps: BotDeps, ctx: Ctx, generationId: string, told?: string): Promise<void> {
  await show(
    deps,
    ctx,
    generationId,
    async (result) => firstPage(deps, result, messageOf(ctx, result.artifacts)),
    told,
  )
  await closeMenu(deps, ctx)
}

function firstPage(deps: BotDeps, result: Result, message?: Tapped): InlineKeyboard {
  const { ordered, artifacts } = result
  const [artifact] = artifacts
  return resultKeyboard(deps, result, artifacts, artifact && sentFile(ordered?.kind, artifact, message))
}

/** The buttons that stand under a result at first. */
export const firstButtons = async (
  deps: BotDeps,
  say: Say,
  generation: Generation,
): Promise<InlineKeyboard> => firstPage(deps, await resultOf(deps, say, generation))

interface Result extends Subject {
  readonly artifacts: readonly Artifact[]
}

const resultOf = async (deps: BotDeps, say: Say, generation: Generation): Promise<Result> => ({
  ...describe(deps.catalog, generation, say),
  artifacts: await artifactsOf(deps, generation.id),
})

/** Replaces the buttons of a result that belongs to the user. */
async function show(
  deps: BotDeps,
  ctx: Ctx,
  generationId: string,
  page: (result: Result) => Promise<InlineKeyboard>,
  told?: string,
): Promise<void> {
  const generation = await findGeneration(deps, generationId, ctx.user.id)
  if (!generation || !hasResults(generation)) return alertForeign(ctx)
  await answerTap(ctx, told)
  const keyboard = await page(await resultOf(deps, ctx.say, generation))
  await ctx.editMessageReplyMarkup({ reply_markup: keyboard }).catch(() => undefined)
}

async function showMenu(...[deps, ctx, ...what]: Parameters<typeof show>): Promise<void> {
  await show(deps, ctx, ...what)
  await openMenu(deps, ctx, { at: 'result' })
}

async function morePage(deps: BotDeps, ctx: Ctx, result: Result): Promise<InlineKeyboard> {
  const { say } = ctx
  const { generation, model, ordered, artifacts } = result
  const { id: generationId } = generation
  const keyboard = new InlineKeyboard()
  if (artifacts.length === 1) await addUses(deps, ctx, keyboard, result, 0)
  if (model && continuationField(model) && (await continuable(deps, generation)).length > 0)
    keyboard.text(say.plain('button-continue-video'), taps.continueVideo.data({ generationId })).row()
  const full = model && ordered && fullPrice(deps, model, generation.request)
  if (full !== undefined) {
    const text = say.plain('button-full-3d', { amount: say.roubles(full) })
    keyboard.text(text, taps.orderFull.data({ generationId })).row()
  }
  keyboard.append(againButton(result))
  if (model && isVaried(model, generation))
    keyboard.text(say.plain('button-variations'), taps.orderVariations.data({ generationId }))
  keyboard.row()
  if (ordered && repeatableSeed(model, generation, artifacts) !== undefined)
    keyboard.text(say.plain('button-again-exactly'), taps.orderExactly.data({ generationId })).row()
  // Telegram shows a photo smaller than it was made.
  if (ordered?.kind === 'image')
    keyboard.text(say.plain('button-originals'), taps.sendOriginals.data({ generationId }))
  keyboard.text(say.plain('button-share-result'), taps.shareResult.data({ generationId })).row()
  if (isOperator(deps, ctx)) {
    const to = generation.ideaAt ? 'off' : 'on'
    keyboard.text(say.plain(`button-idea-${to}`), taps.setIdea.data({ generationId, to })).row()
  }
  if (mayReport(generation)) keyboard.text(say.plain('button-problem'), taps.problemOf.data({ generationId }))
  keyboard.text(say.plain('button-less'), taps.lessOfResult.data({ generationId }))
  // The most likely order stands on the first page, with its price.
  return fitted(withoutButtons(keyboard, firstPage(deps, result, messageOf(ctx, artifacts))))
}

async function addUses(
  deps: BotDeps,
  ctx: Ctx,
  keyboard: InlineKeyboard,
  { generation, ordered, artifacts }: Result,
  position: number,
): Promise<void> {
  const artifact = artifacts.find((one) => one.position === position)
  if (!artifact || !ordered) return
  const { id: generationId } = generation
  for (const { use } of await usesOf(deps, ordered.kind, artifact, messageOf(ctx, artifacts))) {
    keyboard
      .text(ctx.say.plain(`next-${use}`), taps.useResult.data({ generationId, position, next: use }))
      .row()
  }
}

async function pickPage(deps: BotDeps, ctx: Ctx, result: Result, position: number): Promise<InlineKeyboard> {
  const { say } = ctx
  const { generation, model, ordered } = result
  const { id: generationId } = generation
  const keyboard = new InlineKeyboard()
  await addUses(deps, ctx, keyboard, result, position)
  const artifact = result.artifacts.find((one) => one.position === position)
  if (artifact && ordered && repeatableSeed(model, generation, [artifact], 'any count') !== undefined) {
    const label = say.plain('button-pick-exactly', { number: position + 1 })
    keyboard.text(label, taps.orderPickExactly.data({ generationId, position })).row()
  }
  return keyboard.text(say.plain('button-less'), taps.lessOfResult.data({ generationId }))
}
