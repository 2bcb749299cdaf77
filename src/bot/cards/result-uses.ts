// A produced file as a part of the next order: a picture becomes a frame of a video or a texture, a video is extended, speech is the
// voice of a video.

import { InlineKeyboard } from 'grammy'
import type { MaybeInaccessibleMessage } from 'grammy/types'
import { z } from 'zod'
import {
  type Answers,
  type Attachment,
  type Field,
  type MediaField,
  type Medium,
  mediumOf,
} from '../../catalog/field.ts'
import { type Command, continuationField, type Delivers, type Model } from '../../catalog/model.ts'
import { attach } from '../../form/answer.ts'
import { fitAnswers } from '../../form/fit.ts'
import type { Kopecks } from '../../money.ts'
import { findGeneration } from '../../orders/confirm.ts'
import { artifactsOf, describe } from '../../orders/deliver/job.ts'
import { resultKeyboard } from '../../orders/deliver/messages.ts'
import { type Artifact, type Generation, hasResults } from '../../orders/generation.ts'
import { videosOf } from '../../orders/history.ts'
import { type ResultUse, taps } from '../../telegram/taps.ts'
import { isOperator } from '../admin/operator.ts'
import { type OnSale, readOnSale } from '../commands.ts'
import { alertForeign, answerTap, type BotDeps, type Ctx } from '../context.ts'
import { closeMenu, openMenu } from '../notes.ts'
import { onTap, type Routes } from '../routes.ts'
import { attachmentOf } from './attachment.ts'

/** The order that begins with this use of the file. */
interface NextOrder {
  readonly use: ResultUse
  readonly model: Model
  /** The file as the answer to a field, if the order contains it. */
  readonly answers: Answers
}

type Uses = readonly {
  readonly use: ResultUse
  readonly command: Command
  /** Whether a field takes the file; undefined when the order does not contain the file. */
  readonly takes?: (field: MediaField) => boolean
  /** Text passed with the file: what the use does with it. */
  readonly note?: string
}[]

const isFrame = ({ media, audience }: MediaField) => media[0] === 'image' && audience === 'card'

const uses: Readonly<Record<Medium, Uses>> = {
  image: [
    { use: 'animate', command: 'video', takes: isFrame },
    { use: 'last-frame', command: 'video', takes: ({ caption }) => caption === 'frame', note: 'last' },
    { use: 'texture', command: 'model3d', takes: ({ media }) => media[0] === 'image' },
    { use: 'voice', command: 'speech' },
  ],
  video: [
    { use: 'extend', command: 'video', takes: ({ label }) => label === 'field-continue-a-video' },
    { use: 'voice', command: 'speech' },
  ],
  audio: [
    { use: 'sound', command: 'video', takes: ({ media }) => media.includes('audio') && media.length === 1 },
  ],
}

const usualMedium: Readonly<Record<Delivers['kind'], Medium | undefined>> = {
  image: 'image',
  video: 'video',
  voice: 'audio',
  audio: 'audio',
  model3d: undefined,
}

/**
 * The orders that can be made with the file now, each with the first model that accepts it.
 * @param kind what was ordered
 * @param message the tapped message: its file counts until that of the result is recorded, a moment after it was sent
 */
export async function usesOf(
  deps: BotDeps,
  kind: Delivers['kind'],
  artifact: Artifact,
  message: MaybeInaccessibleMessage | undefined,
): Promise<readonly NextOrder[]> {
  const sent = artifact.fileId === null ? message && attachmentOf(message) : attachmentFrom(kind, artifact)
  if (!sent) return []
  const id = deps.results.chained ? await ownId(deps, artifact) : undefined
  const file = id === undefined ? sent : { ...sent, id }
  const onSale = await readOnSale(deps)
  return uses[file.medium].flatMap((one) => nextOrder(deps, onSale, one, file) ?? [])
}

/** The tapped message if it shows the only file of the result; several files may be in other messages. */
export const messageOf = (ctx: Ctx, artifacts: readonly Artifact[]): MaybeInaccessibleMessage | undefined =>
  artifacts.length === 1 ? ctx.callbackQuery?.message : undefined

function nextOrder(
  deps: BotDeps,
  onSale: OnSale,
  { use, command, takes, note }: Uses[number],
  file: Attachment,
): NextOrder | undefined {
  for (const model of onSale.models(command)) {
    const answers = takes ? answersWith(deps, model, takes, file, note) : {}
    if (answers) return { use, model, answers }
  }
  return undefined
}

/** The answers with the file; undefined when the model does not accept it. */
function answersWith(
  { media }: BotDeps,
  model: Model,
  takes: (field: MediaField) => boolean,
  file: Attachment,
  note?: string,
): Answers | undefined {
  const canPass = ({ via, addressesOnly }: MediaField) =>
    via === 'data' || media.link !== undefined || (file.id !== undefined && !addressesOnly)
  const field = model.fields.filter((one) => one.kind === 'media').find((one) => takes(one) && canPass(one))
  if (!field) return undefined
  const read = attach(field, undefined, file, note)
  return read.ok ? { [field.name]: read.answer } : undefined
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
  videosOf(deps.db, userId, { id }, deps.results.continued)

/** The attachment that the file would be if the user had sent it. */
function attachmentFrom(kind: Delivers['kind'], artifact: Artifact): Attachment | undefined {
  const { fileId: file, facts } = artifact
  const usual = usualMedium[kind]
  if (!usual || file === null) return undefined
  if (!facts) return { file, medium: usual, mime: usualMime(kind, usual, artifact) }
  const medium = mediumOf(facts.mime)
  return medium && { file, medium, ...facts }
}

/** The probable type of a file that was sent before its facts were recorded. */
function usualMime(
  kind: Delivers['kind'],
  medium: Medium,
  { fileId, originalFileId }: Pick<Artifact, 'fileId' | 'originalFileId'>,
): string {
  // A picture sent as a document is unchanged, and models make PNG.
  const picture = fileId === originalFileId ? 'image/png' : 'image/jpeg'
  const sound = kind === 'voice' ? 'audio/ogg' : 'audio/mpeg'
  return { image: picture, video: 'video/mp4', audio: sound }[medium]
}

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

/** The answers without another user's styles and videos, which only their owner may use. */
export function sharedAnswers(model: Model, answers: Answers): Answers {
  const own = new Set(model.fields.filter(isOfOwner).map(({ name }) => name))
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

// Buttons for what can follow a result: they open in place of the few buttons under it. Several results are picked by number, and each
// has its own page.

export const followUps = (deps: BotDeps): Routes => ({
  taps: [
    onTap(taps.moreOfResult, (ctx, { generationId }) =>
      showMenu(deps, ctx, generationId, (result) => morePage(deps, ctx, result)),
    ),
    onTap(taps.pickResult, (ctx, { generationId, position }) =>
      showMenu(deps, ctx, generationId, (result) => pickPage(deps, ctx, result, position)),
    ),
    onTap(taps.lessOfResult, async (ctx, { generationId }) => {
      await show(deps, ctx, generationId, async ({ generation }) =>
        resultKeyboard(describe(deps.catalog, generation, ctx.say)),
      )
      await closeMenu(deps, ctx)
    }),
  ],
})

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
  if (continuationField(model) && (await continuable(deps, generation)).length > 0)
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
  if (isOperator(deps, ctx)) {
    const to = generation.ideaAt ? 'off' : 'on'
    keyboard.text(say.plain(`button-idea-${to}`), taps.setIdea.data({ generationId, to })).row()
  }
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
