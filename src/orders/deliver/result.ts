// What stands under a result: its words, and the buttons that lead on from it.

import { InlineKeyboard } from 'grammy'
import {
  type Answers,
  type Attachment,
  type FileFacts,
  type MediaField,
  type Medium,
  mediumOf,
} from '../../catalog/field.ts'
import {
  type Command,
  continuationField,
  type Delivers,
  type Model,
  minimalAnswers,
} from '../../catalog/model.ts'
import { finalOf } from '../../catalog/trial.ts'
import { attach, lengthOfSound } from '../../form/answer.ts'
import type { Kopecks } from '../../money.ts'
import { fitted } from '../../telegram/button-rows.ts'
import { type ResultUse, taps } from '../../telegram/taps.ts'
import type { Artifact } from '../generation.ts'
import type { DeliveryDeps, DeliveryJob, Subject } from './job.ts'
import { doneText, titleOf } from './messages.ts'

type Deps = Pick<DeliveryDeps, 'catalog' | 'media' | 'results'>

interface ResultWords {
  readonly parse_mode: 'HTML'
  readonly caption?: string
  readonly reply_markup?: InlineKeyboard
}

/** The words and the buttons of a result; of several results only the last one has them. @param file the only one, while it is not recorded */
export function resultWords(deps: Deps, job: DeliveryJob, isLast: boolean, file?: Attachment): ResultWords {
  if (!isLast) return { parse_mode: 'HTML' }
  const { bare, artifacts } = job
  const caption = bare?.caption ?? captionOf(job)
  const keyboard = bare ? bare.keyboard : resultKeyboard(deps, job, artifacts, file)
  const buttons = keyboard ? { reply_markup: keyboard } : {}
  return { parse_mode: 'HTML', ...(caption === '' ? {} : { caption }), ...buttons }
}

function captionOf(job: DeliveryJob): string {
  const { say, generation, artifacts } = job
  const title = titleOf(job)
  const result = generation.arrivedLateAt
    ? say.html('result-caption-late', { title })
    : say.html('status', { title, state: { html: doneText(say, generation) } })
  return artifacts.length > 1 ? `${result}\n${say.html('result-numbers')}` : result
}

const numbersInRow = 5

/**
 * The buttons that are shown at first; the others open in their place (bot/cards/result-uses.ts). Of several files each has a button with
 * its number.
 */
export function resultKeyboard(
  deps: Deps,
  subject: Subject,
  artifacts: readonly Artifact[],
  file?: Attachment,
): InlineKeyboard {
  const { say, generation } = subject
  const { id: generationId } = generation
  const count = artifacts.length
  const keyboard = new InlineKeyboard()
  for (let position = 0; count > 1 && position < count; position += 1)
    keyboard.text(`${position + 1}`, taps.pickResult.data({ generationId, position }))
  const next = nextOf(deps, subject, artifacts, file)
  const own = new InlineKeyboard()
    .text(say.plain('button-change'), taps.orderChanged.data({ generationId }))
    .append(InlineKeyboard.from(next ? [[InlineKeyboard.text(next.text, next.data)]] : []))
    .text(...favouriteOf(subject))
    .text(say.plain('button-more'), taps.moreOfResult.data({ generationId }))
  return fitted(keyboard.toFlowed(numbersInRow).append(own.toFlowed(2)))
}

/** The label and the data of the button that marks the order as a favourite, or takes the mark away. */
function favouriteOf({ say, generation }: Subject): [string, string] {
  const { id: generationId, favouriteAt } = generation
  const to = favouriteAt ? 'off' : 'on'
  return [say.plain(`button-favourite-${to}`), taps.favourResult.data({ generationId, to })]
}

/** An order that can follow a result, and the price that its card shows. */
interface Next {
  readonly text: string
  readonly data: string
}

/**
 * The most likely order after this one. Whether its model has been switched off is only read when the button is tapped.
 * @param file the only one; given while it is not recorded
 */
export function nextOf(
  deps: Deps,
  subject: Subject,
  artifacts: readonly Artifact[],
  file = artifacts[0] && attachmentFrom(subject.ordered?.kind, artifacts[0]),
): Next | undefined {
  const { say, generation, model, ordered } = subject
  const { id: generationId } = generation
  const { catalog, results } = deps
  if (!model || !ordered || artifacts.length !== 1) return undefined
  const final = finalOf(model, generation.request)
  const price = final && catalog.price(model, final.request)?.amount
  if (final && price !== undefined && (artifacts[0]?.seed ?? null) !== null) {
    const { seconds, quality } = final
    return {
      text: say.plain('button-final', { seconds, quality, amount: say.roubles(price) }),
      data: taps.orderFinal.data({ generationId }),
    }
  }
  const full = fullPrice(deps, model, generation.request)
  if (full !== undefined)
    return {
      text: say.plain('button-full-3d', { amount: say.roubles(full) }),
      data: taps.orderFull.data({ generationId }),
    }
  const field = continuationField(model)
  const videoId = results.continued === 'task' ? generation.taskId : artifacts[0]?.resultId
  if (field && videoId != null && catalog.isOffered(model)) {
    const data = taps.continueVideo.data({ generationId })
    return priced(deps, subject, 'button-continue-video', data, model, { [field.name]: videoId })
  }
  const [first] = file ? followUpsOf(deps, catalog.offered, file) : []
  if (!first || first.use === 'voice') return undefined
  const data = taps.useResult.data({ generationId, position: 0, next: first.use })
  return priced(deps, subject, `next-${first.use}`, data, first.model, first.answers)
}

function priced(
  { catalog }: Deps,
  { say }: Subject,
  label: 'button-continue-video' | `next-${ResultUse}`,
  data: string,
  model: Model,
  answers: Answers,
): Next | undefined {
  const price = catalog.priceWith(model, { ...minimalAnswers(model), ...answers })?.amount
  return price === undefined ? undefined : { text: `${say.plain(label)} · ${say.roubles(price)}`, data }
}

/** The price of the full model; undefined unless the result is a preview of a 3D model. */
export const fullPrice = (
  { catalog }: Pick<Deps, 'catalog'>,
  model: Model,
  request: Record<string, unknown>,
): Kopecks | undefined =>
  request.mode === 'preview' ? catalog.price(model, { ...request, mode: 'full' })?.amount : undefined

// A produced file as a part of the next order: a picture becomes a frame of a video or a texture, a video is extended, speech is the
// voice of a video.

/** The order that begins with this use of the file. */
export interface FollowUp {
  readonly use: ResultUse
  readonly model: Model
  /** The file as the answer to a field, if the order contains it. */
  readonly answers: Answers
}

type Uses = readonly {
  readonly use: ResultUse
  readonly command: Command
  /** Whether the model is one of those that can do it. */
  readonly by?: (model: Model, deps: Pick<Deps, 'media'>) => boolean
  /** Whether a field takes the file; undefined when the order does not contain the file. */
  readonly takes?: (field: MediaField) => boolean
  /** Text passed with the file: what the use does with it. */
  readonly note?: string
}[]

export const isFrame = ({ media, audience }: MediaField) => media[0] === 'image' && audience === 'card'
export const speaks = (field: MediaField) => field.speaks === true

/** Whether the pictures of a video can say words; their sound is passed as a link. */
const canTalk = ({ fields }: Model, { media }: Pick<Deps, 'media'>) =>
  media.link !== undefined && fields.some((field) => field.kind === 'media' && speaks(field))

/** The most likely use of each kind of file first. */
const uses: Readonly<Record<Medium, Uses>> = {
  image: [
    { use: 'animate', command: 'video', takes: isFrame },
    { use: 'last-frame', command: 'video', takes: ({ caption }) => caption === 'frame', note: 'last' },
    { use: 'talk', command: 'video', takes: isFrame, by: canTalk },
    { use: 'texture', command: 'model3d', takes: ({ media }) => media[0] === 'image' },
    { use: 'voice', command: 'speech' },
  ],
  video: [
    { use: 'extend', command: 'video', takes: ({ label }) => label === 'field-continue-a-video' },
    { use: 'voice', command: 'speech' },
  ],
  audio: [
    { use: 'talk', command: 'video', takes: speaks },
    { use: 'sound', command: 'video', takes: ({ media }) => media.includes('audio') && media.length === 1 },
  ],
}

/** The orders that can be made with the file, each with the first of the models that accepts it. */
export const followUpsOf = (
  deps: Pick<Deps, 'media'>,
  models: (command: Command) => readonly Model[],
  file: Attachment,
): readonly FollowUp[] =>
  uses[file.medium].flatMap((one) => followUp(deps, models(one.command), one, file) ?? [])

/** The video in which the picture of a file, or a picture beside its sound, talks; undefined when no model makes one. */
export const talkWith = (...of: Parameters<typeof followUpsOf>): FollowUp | undefined =>
  followUpsOf(...of).find(({ use }) => use === 'talk')

function followUp(
  deps: Pick<Deps, 'media'>,
  models: readonly Model[],
  { use, by, takes, note }: Uses[number],
  file: Attachment,
): FollowUp | undefined {
  for (const model of models) {
    if (by?.(model, deps) === false) continue
    const answers = takes ? answersWith(deps, model, takes, file, note) : {}
    if (answers) return { use, model, answers }
  }
  return undefined
}

/** The answers with the file; undefined when the model does not accept it. */
function answersWith(
  { media }: Pick<Deps, 'media'>,
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
  return read.ok ? { [field.name]: read.answer, ...lengthOfSound(model, field, read.answer) } : undefined
}

/** The attachment that a file would be if the user had sent it. @param facts undefined for a file that was sent before they were recorded */
export function attachmentWith(
  kind: Delivers['kind'] | undefined,
  file: string,
  facts: FileFacts | null | undefined,
  isOriginal = false,
): Attachment | undefined {
  const medium = facts ? mediumOf(facts.mime) : kind && usualMedium[kind]
  if (!medium) return undefined
  if (facts) return { file, medium, ...facts }
  // A picture sent as a document is unchanged, and models make PNG.
  const picture = isOriginal ? 'image/png' : 'image/jpeg'
  const sound = kind === 'voice' ? 'audio/ogg' : 'audio/mpeg'
  return { file, medium, mime: { image: picture, video: 'video/mp4', audio: sound }[medium] }
}

export const attachmentFrom = (
  kind: Delivers['kind'] | undefined,
  { fileId, originalFileId, facts }: Artifact,
): Attachment | undefined =>
  fileId === null ? undefined : attachmentWith(kind, fileId, facts, fileId === originalFileId)

const usualMedium: Readonly<Record<Delivers['kind'], Medium | undefined>> = {
  image: 'image',
  video: 'video',
  voice: 'audio',
  audio: 'audio',
  model3d: undefined,
}
