// Moves a draft to another model. Answers that the other model accepts are kept; pictures stay the frames that they are; quality, shape and
// length are kept as nearly as possible; all other answers are dropped.

import {
  type Answer,
  type Answers,
  type Aspect,
  type Attachment,
  type ChoiceField,
  type Field,
  isUserField,
  type Label,
  type MediaField,
} from '../catalog/field.ts'
import type { Model } from '../catalog/model.ts'
import { attach, type Read, type Refusal, readAnswer, readExact } from './answer.ts'
import { isChanged } from './card.ts'
import { fitAnswers, isPossible } from './fit.ts'

export function carryAnswers(from: Model, to: Model, answers: Answers): Answers {
  const carried: Record<string, Answer> = {}
  const frame = frameOf(from, answers)
  const keyFrames = keyFramesOf(from, answers)
  const answerTo = (field: Field) => {
    if (takesFrames(field)) return framesFor(field, keyFrames)
    if (field.kind === 'choice' && decidesFrame(field)) return answerInFrame(field, frame)
    if (field.name === lengthField) return lengthIn(field, answers)
    return answers[counterpartIn(from, field)?.name ?? '']
  }
  for (const field of to.fields.filter(isUserField)) {
    const answer = answerTo(field)
    const read = answer === undefined ? undefined : reread(to, field, carried, answer)
    if (read?.ok) carried[field.name] = read.answer
  }
  return fitAnswers(to, carried)
}

export interface Dropped {
  readonly label: Label
}

/** Names the answers that were not carried. The prompt is none of them: it is kept until it fits. */
export function droppedBy(from: Model, to: Model, answers: Answers, carried: Answers): Dropped[] {
  const isCarried = (field: Field) => carried[counterpartIn(to, field)?.name ?? ''] !== undefined
  const others = from.fields
    .filter(isUserField)
    .filter((field) => field.audience !== 'asked' && !takesFrames(field) && !isNearlyKept(field))
    .filter((field) => isChanged(field, answers) && !isCarried(field))
  return [...lostFrames(from, to, answers, carried), ...others]
}

const isNearlyKept = (field: Field): boolean =>
  field.name === lengthField || (field.kind === 'choice' && decidesFrame(field))

/** The field with the length in seconds, with or without a unit. Some models accept any number of seconds, others offer a few lengths. */
const lengthField = 'duration'

function lengthIn(field: Field, { [lengthField]: length }: Answers): Answer | undefined {
  const seconds = Number.parseFloat(String(length))
  if (Number.isNaN(seconds)) return undefined
  if (field.kind === 'number') {
    const taken = field.integer ? Math.round(seconds) : seconds
    return Math.min(Math.max(taken, field.min), field.max)
  }
  const options = field.kind === 'choice' ? field.options.map(({ value }) => value) : []
  const distanceOf = (value: string) => Math.abs(Number.parseFloat(value) - seconds)
  return options.toSorted((a, b) => distanceOf(a) - distanceOf(b))[0]
}

function reread(to: Model, field: Field, taken: Answers, answer: Answer): Read {
  if (typeof answer === 'boolean') return readAnswer(to, field, taken, answer ? 'on' : 'off')
  if (typeof answer === 'number' && field.kind === 'number') return readExact(to, field, taken, answer)
  if (typeof answer !== 'object') return readAnswer(to, field, taken, String(answer))
  if (field.kind !== 'media') return { ok: false, refusal: { reason: 'not-an-option' } }
  return attachAll(field, answer)
}

/** Attaches as many of the files as the field accepts; a refusal if it accepts none of them. */
function attachAll(field: Extract<Field, { kind: 'media' }>, files: readonly Attachment[]): Read {
  return files.slice(0, field.max).reduce<Read>(
    (before, { note, ...file }) => {
      const read = attach(field, before.ok ? before.answer : undefined, file, note)
      return read.ok ? read : before
    },
    { ok: false, refusal: { reason: 'files-do-not-fit' } },
  )
}

/**
 * The field of a model for the same answer as a field of another model: the one of the same name. The prompt is the `asked` field, whatever
 * each model calls it, and files on the card belong to a field of the other card that accepts such files.
 */
export function counterpartIn({ fields }: Model, field: Field): Field | undefined {
  const own = fields.filter(isUserField)
  if (field.audience === 'asked') return own.find((one) => one.audience === 'asked')
  const same = own.find((one) => one.name === field.name && one.kind === field.kind)
  if (same || field.kind !== 'media' || field.audience !== 'card') return same
  const takes = (one: Field) => one.kind === 'media' && one.media.some((kind) => field.media.includes(kind))
  return own.find((one) => one.audience === 'card' && takes(one))
}

// The quality and the shape of a picture or a video, carried from the choices of one model to those of another.

/** A quality like `720p` or `4k`, and a shape like `16:9`. */
type Frame = Readonly<Partial<Record<Aspect, string>>>

const choicesOf = ({ fields }: Model): ChoiceField[] =>
  fields.filter(isUserField).filter((field) => field.kind === 'choice')

const decidesFrame = ({ aspect, axes }: ChoiceField): boolean => aspect !== undefined || axes !== undefined

const atOf = ({ options }: ChoiceField, value: unknown): Frame =>
  options.find((one) => one.value === value)?.at ?? {}

/** The frame that the user has chosen; on an axis only values that differ from its default count. */
function frameOf(model: Model, answers: Answers): Frame {
  const chosen = choicesOf(model).flatMap((field): [string, string][] => {
    const answer = answers[field.name]
    if (answer === undefined) return []
    if (field.aspect) return [[field.aspect, String(answer)]]
    const usual: Readonly<Record<string, string>> = atOf(field, field.default)
    return Object.entries(atOf(field, answer)).filter(([axis, value]) => value !== usual[axis])
  })
  return Object.fromEntries(chosen)
}

/**
 * The option nearest to a frame. Its quality is not above the default, since that could cost more. Undefined if the frame has no such
 * value.
 */
function answerInFrame(field: ChoiceField, frame: Frame): string | undefined {
  if (field.aspect) {
    const values = field.options.map(({ value }) => value)
    return nearest(field.aspect, values, frame[field.aspect], field.default)
  }
  const usual = atOf(field, field.default)
  const found = (field.axes ?? []).flatMap(({ name }): [Aspect, string][] => {
    const values = field.options.flatMap(({ at }) => at?.[name] ?? [])
    const value = nearest(name, values, frame[name], usual[name])
    return value === undefined ? [] : [[name, value]]
  })
  if (found.length === 0) return undefined
  const wanted = Object.entries({ ...usual, ...Object.fromEntries(found) })
  return field.options.find(({ at = {} }) => wanted.every(([axis, value]) => at[axis] === value))?.value
}

function nearest(
  aspect: Aspect,
  values: readonly string[],
  wanted: string | undefined,
  usual: string | undefined,
): string | undefined {
  const size = sizeOf(wanted)
  if (size === undefined) return undefined
  const most = (aspect === 'quality' ? sizeOf(usual) : undefined) ?? Number.POSITIVE_INFINITY
  const sized = values.flatMap((value) => {
    const own = sizeOf(value)
    return own === undefined || own > most ? [] : [{ value, distance: Math.abs(Math.log(own / size)) }]
  })
  return sized.toSorted((a, b) => a.distance - b.distance)[0]?.value
}

const linesPerK = 540

/** The lines of a quality, or the ratio of a shape; undefined for `auto`. */
function sizeOf(value = ''): number | undefined {
  const [, first, mark, second] = /^(\d+)(p|k|:(\d+))$/i.exec(value) ?? []
  if (first === undefined || mark === undefined) return undefined
  if (second !== undefined) return Number(first) / Number(second)
  return Number(first) * (mark.toLowerCase() === 'k' ? linesPerK : 1)
}

// Files that came with a command, or whose use was chosen, as answers of a model.

/** What files become: one file goes into the first field that takes it; pictures become the frames of a video in their order, or references. */
export type FileUse = 'one' | 'frames' | 'references'

export type Placed =
  | { readonly ok: true; readonly answers: Answers }
  /** Without a reason, no field takes such files. */
  | { readonly ok: false; readonly because?: { readonly refusal: Refusal; readonly field: MediaField } }

/** @param canLink whether the gateway can fetch files from our server */
export function placeFiles(
  model: Model,
  files: readonly Attachment[],
  as: FileUse,
  canLink: boolean,
): Placed {
  const fields = model.fields
    .filter((field) => field.kind === 'media')
    .filter(({ via }) => via === 'data' || canLink)
  const [file] = files
  if (!file) return { ok: true, answers: {} }
  if (as === 'one') return placeOne(model, fields, file)
  const answers = as === 'frames' ? frames(fields, files) : references(fields, files)
  const isWhole = Object.values(answers).reduce((sum, { length }) => sum + length, 0) === files.length
  const isFit = Object.keys(fitAnswers(model, answers)).length === Object.keys(answers).length
  return isWhole && isFit ? { ok: true, answers } : { ok: false }
}

function placeOne(model: Model, fields: readonly MediaField[], file: Attachment): Placed {
  const { note = '', ...plain } = file
  const isEnd = ({ frame }: MediaField) => !frame || notesOf[frame].includes(note || 'first')
  const field = fields.find((one) => one.media[0] === file.medium && isEnd(one) && isPossible(model, one, {}))
  if (!field) return { ok: false }
  const read = attach(field, undefined, plain, note)
  return read.ok
    ? { ok: true, answers: { [field.name]: read.answer } }
    : { ok: false, because: { refusal: read.refusal, field } }
}

type Files = Readonly<Record<string, readonly Attachment[]>>

function frames(fields: readonly MediaField[], files: readonly Attachment[]): Files {
  const ends = { first: files[0], between: files.slice(1, -1), last: files.at(-1) }
  const taken = fields.filter(takesFrames).map((field) => [field.name, framesFor(field, ends)] as const)
  return Object.fromEntries(taken.filter(([, pictures]) => pictures.length > 0))
}

function references(fields: readonly MediaField[], files: readonly Attachment[]): Files {
  for (const field of fields.filter(({ max, caption }) => max > 1 && caption !== 'frame')) {
    const taken = files.every((file) => attach(field, undefined, file).ok) && files.length <= field.max
    if (taken && field.fits(files)) return { [field.name]: files }
  }
  return {}
}

// Pictures as frames of a video. Models take them differently: as a list, in which a note or the order says which frame a picture is, or
// in one field each for the first and the last frame.

interface KeyFrames {
  readonly first: Attachment | undefined
  readonly between: readonly Attachment[]
  readonly last: Attachment | undefined
}

/** The notes that name the first and the last frame. */
const notesOf: Readonly<Record<'first' | 'last', readonly string[]>> = {
  first: ['first', '0'],
  last: ['last', '-1'],
}

const takesFrames = (field: Field): field is MediaField =>
  field.kind === 'media' && (field.caption === 'frame' || field.frame !== undefined)

const frameFields = ({ fields }: Model): MediaField[] => fields.filter(isUserField).filter(takesFrames)

const filesIn = (answer: Answer | undefined): readonly Attachment[] => (Array.isArray(answer) ? answer : [])

/** Pictures without a note are the first and the last frame, as far as no note names these, and the frames in between. */
function keyFramesOf(model: Model, answers: Answers): KeyFrames {
  const files = frameFields(model).flatMap(({ name, frame }) =>
    filesIn(answers[name]).map((file) => (frame ? { ...file, note: frame } : file)),
  )
  const noted = (notes: readonly string[]) => files.find(({ note = '' }) => notes.includes(note))
  const free = files.filter(({ note }) => note === undefined)
  const first = noted(notesOf.first) ?? free[0]
  const last = noted(notesOf.last) ?? free.filter((one) => one !== first).at(-1)
  return { first, last, between: files.filter((one) => one !== first && one !== last) }
}

/** The pictures as the answer to this field; only the last frame needs a note, if there is no first one before it. */
function framesFor(field: MediaField, { first, between, last }: KeyFrames): readonly Attachment[] {
  const [start, end] = [accepted(field, first), accepted(field, last)]
  if (field.frame) return field.frame === 'first' ? start : end
  const room = field.max - start.length - end.length
  const noted = start.length > 0 ? end : end.map((one) => ({ ...one, note: 'last' }))
  return [...start, ...between.slice(0, room), ...noted]
}

/** The file without its note, if the field takes it. */
function accepted(field: MediaField, file: Attachment | undefined): readonly Attachment[] {
  if (!file) return []
  const { note: _, ...plain } = file
  return attach(field, undefined, plain).ok ? [plain] : []
}

/** Names the pictures that are no longer frames: by their fields, or as those in between if there are no others. */
function lostFrames(from: Model, to: Model, answers: Answers, carried: Answers): { readonly label: Label }[] {
  const before = keyFramesOf(from, answers)
  const kept = new Set(frameFields(to).flatMap(({ name }) => filesIn(carried[name]).map(({ file }) => file)))
  const isLost = (one: Attachment | undefined) => one !== undefined && !kept.has(one.file)
  if (isLost(before.first) || isLost(before.last)) {
    return frameFields(from).filter(({ name }) => filesIn(answers[name]).some(isLost))
  }
  return before.between.some(isLost) ? [{ label: 'field-frames-between' }] : []
}
