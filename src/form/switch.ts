// Moves a draft to another model. Answers that the other model accepts are kept; pictures stay the frames that they are; quality, shape and
// length are kept as nearly as possible; all other answers are dropped.

import type { Attachment } from '../catalog/attachment.ts'
import { type Answer, type Answers, type Field, isUserField, type Label } from '../catalog/field.ts'
import type { Model } from '../catalog/model.ts'
import { type Read, readAnswer, readExact } from './answer.ts'
import { attach } from './attach.ts'
import { fitAnswers } from './fit.ts'
import { answerInFrame, decidesFrame, frameOf } from './frame.ts'
import { framesFor, keyFramesOf, lostFrames, takesFrames } from './keyframes.ts'
import { isChanged } from './page.ts'

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
