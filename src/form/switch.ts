// Moves a draft to another model. Answers that the other model accepts are kept; pictures stay the frames that they are; quality, shape and
// length are kept as nearly as possible; all other answers are dropped.

import type { Attachment } from '../catalog/attachment.ts'
import {
  type Answer,
  type Answers,
  type Aspect,
  type ChoiceField,
  type Field,
  isUserField,
  type Label,
} from '../catalog/field.ts'
import type { Model } from '../catalog/model.ts'
import { type Read, readAnswer, readExact } from './answer.ts'
import { attach } from './attach.ts'
import { fitAnswers } from './fit.ts'
import { isChanged } from './page.ts'
import { framesFor, keyFramesOf, lostFrames, takesFrames } from './place.ts'

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
