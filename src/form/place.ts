// Files that came with a command, or whose use was chosen, as answers of a model.

import type { Attachment } from '../catalog/attachment.ts'
import {
  type Answer,
  type Answers,
  type Field,
  isUserField,
  type Label,
  type MediaField,
} from '../catalog/field.ts'
import type { Model } from '../catalog/model.ts'
import type { Refusal } from './answer.ts'
import { attach } from './attach.ts'
import { fitAnswers, isPossible } from './fit.ts'

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
  const field = fields.find((one) => one.media[0] === file.medium && isPossible(model, one, {}))
  if (!field) return { ok: false }
  const read = attach(field, undefined, file)
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

export const takesFrames = (field: Field): field is MediaField =>
  field.kind === 'media' && (field.caption === 'frame' || field.frame !== undefined)

const frameFields = ({ fields }: Model): MediaField[] => fields.filter(isUserField).filter(takesFrames)

const filesIn = (answer: Answer | undefined): readonly Attachment[] => (Array.isArray(answer) ? answer : [])

/** Pictures without a note are the first and the last frame, as far as no note names these, and the frames in between. */
export function keyFramesOf(model: Model, answers: Answers): KeyFrames {
  const files = frameFields(model).flatMap(({ name, frame }) =>
    filesIn(answers[name]).map((file) => (frame ? { ...file, note: frame } : file)),
  )
  const noted = (...notes: string[]) => files.find(({ note = '' }) => notes.includes(note))
  const free = files.filter(({ note }) => note === undefined)
  const first = noted('first', '0') ?? free[0]
  const last = noted('last', '-1') ?? free.filter((one) => one !== first).at(-1)
  return { first, last, between: files.filter((one) => one !== first && one !== last) }
}

/** The pictures as the answer to this field; only the last frame needs a note, if there is no first one before it. */
export function framesFor(field: MediaField, { first, between, last }: KeyFrames): readonly Attachment[] {
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
export function lostFrames(
  from: Model,
  to: Model,
  answers: Answers,
  carried: Answers,
): { readonly label: Label }[] {
  const before = keyFramesOf(from, answers)
  const kept = new Set(frameFields(to).flatMap(({ name }) => filesIn(carried[name]).map(({ file }) => file)))
  const isLost = (one: Attachment | undefined) => one !== undefined && !kept.has(one.file)
  if (isLost(before.first) || isLost(before.last)) {
    return frameFields(from).filter(({ name }) => filesIn(answers[name]).some(isLost))
  }
  return before.between.some(isLost) ? [{ label: 'field-frames-between' }] : []
}
