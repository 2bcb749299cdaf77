// Pictures as frames of a video. Models take them differently: as a list, in which a note or the order says which frame a picture is, or
// in one field each for the first and the last frame.

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
import { attach } from './attach.ts'

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
