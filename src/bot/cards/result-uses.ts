// A produced file as a part of the next order: a picture becomes a frame of a video or a texture, a video is extended, speech is the
// voice of a video.

import type { MaybeInaccessibleMessage } from 'grammy/types'
import { type Attachment, type Medium, mediumOf } from '../../catalog/attachment.ts'
import type { Answers, Field, MediaField } from '../../catalog/field.ts'
import type { Command, Delivers, Model } from '../../catalog/model.ts'
import { attach } from '../../form/attach.ts'
import { fitAnswers } from '../../form/fit.ts'
import type { Artifact, Generation } from '../../orders/generation.ts'
import type { ResultUse } from '../../telegram/taps.ts'
import { type OnSale, readOnSale } from '../commands.ts'
import type { BotDeps, Ctx } from '../context.ts'
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
  const file = artifact.fileId === null ? message && attachmentOf(message) : attachmentFrom(kind, artifact)
  if (!file) return []
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
  const field = model.fields
    .filter((one) => one.kind === 'media')
    .find((one) => takes(one) && (one.via === 'data' || media.link !== undefined))
  if (!field) return undefined
  const read = attach(field, undefined, file, note)
  return read.ok ? { [field.name]: read.answer } : undefined
}

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
export const isVaried = (model: Model, { request }: Generation): boolean =>
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
