// The quality and the shape of a picture or a video, carried from the choices of one model to those of another.

import { type Answers, type Aspect, type ChoiceField, isUserField } from '../catalog/field.ts'
import type { Model } from '../catalog/model.ts'

/** A quality like `720p` or `4k`, and a shape like `16:9`. */
type Frame = Readonly<Partial<Record<Aspect, string>>>

const choicesOf = ({ fields }: Model): ChoiceField[] =>
  fields.filter(isUserField).filter((field) => field.kind === 'choice')

export const decidesFrame = ({ aspect, axes }: ChoiceField): boolean =>
  aspect !== undefined || axes !== undefined

const atOf = ({ options }: ChoiceField, value: unknown): Frame =>
  options.find((one) => one.value === value)?.at ?? {}

/** The frame that the user has chosen; on an axis only values that differ from its default count. */
export function frameOf(model: Model, answers: Answers): Frame {
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
export function answerInFrame(field: ChoiceField, frame: Frame): string | undefined {
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
