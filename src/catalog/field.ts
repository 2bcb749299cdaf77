// The closed set of fields a model can have. A field says what the user answers, what may stand in the request
// (`shape`, by path) and how the one becomes the other. Adding a kind means adding a case to every exhaustive switch.

import { z } from 'zod'

export type Locale = 'ru' | 'en'
export type Label = Readonly<Record<Locale, string>>
export type Json = string | number | boolean
/** Request values by path: `{ 'settings.audio': true }`. */
export type Flat = Readonly<Record<string, Json>>
export type Shape = Readonly<Record<string, z.ZodType<Json>>>

/** Who sets a field: asked until answered, on the card, under "advanced", the operator, or the app itself. */
export type Audience = 'asked' | 'card' | 'advanced' | 'operator' | 'system'

interface Common<S extends Shape> {
  readonly name: string
  readonly label: Label
  readonly hint?: Label
  readonly audience: Audience
  readonly shape: S
}

export interface TextField<S extends Shape = Shape> extends Common<S> {
  readonly kind: 'text'
  readonly required: boolean
  readonly min: number
  readonly max: number
}

export interface Option {
  readonly value: string
  readonly label: Label
  /** What choosing it writes into the request. */
  readonly set: Flat
}

export interface ChoiceField<S extends Shape = Shape> extends Common<S> {
  readonly kind: 'choice'
  readonly options: readonly Option[]
  readonly default: string
  readonly columns: number
}

export interface NumberField<S extends Shape = Shape> extends Common<S> {
  readonly kind: 'number'
  readonly min: number
  readonly max: number
  readonly integer: boolean
  readonly default?: number
  /** Offered as buttons; anything in range can be typed. */
  readonly suggestions: readonly number[]
  readonly unit?: Label
}

export interface ToggleField<S extends Shape = Shape> extends Common<S> {
  readonly kind: 'toggle'
  readonly default: boolean
}

export type Field<S extends Shape = Shape> = TextField<S> | ChoiceField<S> | NumberField<S> | ToggleField<S>

/** What a user answers; kept as JSON in the draft. */
export type Answer = string | number | boolean
export type Answers = Readonly<Record<string, Answer>>

type Without<T, K extends string> = Omit<T, K | 'kind' | 'name' | 'shape'>
type At<P extends string, T extends Json> = Readonly<Record<P, z.ZodType<T>>>
/** A field that writes exactly one request path, its own name. */
type Own<P extends string> = { readonly name: P }

/** Lengths count Unicode code points, as the gateway's document counts characters. */
export const codePoints = (text: string): number => [...text].length

const lengthBetween = (min: number, max: number) =>
  z.string().refine((text) => codePoints(text) >= min && codePoints(text) <= max, {
    error: `length must be ${min}..${max} characters`,
  })

const at = <P extends string, T extends Json>(path: P, schema: z.ZodType<T>): At<P, T> =>
  ({ [path]: schema }) as At<P, T>

export function text<P extends string>(
  path: P,
  spec: Without<TextField, 'min' | 'required'> & { min?: number; required?: boolean },
): TextField<At<P, string>> & Own<P> {
  const { min = 1, required = false } = spec
  return {
    kind: 'text',
    name: path,
    ...spec,
    min,
    required,
    shape: at(path, lengthBetween(min, spec.max)),
  }
}

/** `D` keeps whether there is a default, so that a model's `cost` knows the value is always there. */
export function number<P extends string, D extends { readonly default?: number }>(
  path: P,
  spec: Without<NumberField, 'integer' | 'suggestions'> & { integer?: boolean; suggestions?: number[] } & D,
): NumberField<At<P, number>> & Own<P> & D {
  const { integer = false, suggestions = [] } = spec
  const base = integer ? z.int() : z.number()
  return {
    kind: 'number',
    name: path,
    ...spec,
    integer,
    suggestions,
    shape: at(path, base.min(spec.min).max(spec.max)),
  }
}

export function toggle<P extends string>(
  path: P,
  spec: Without<ToggleField, never>,
): ToggleField<At<P, boolean>> & Own<P> {
  return { kind: 'toggle', name: path, ...spec, shape: at(path, z.boolean()) }
}

type ChoiceSpec = Without<ChoiceField, 'options' | 'columns' | 'default'> & { columns?: number }

/** A plain enumeration; labels default to the values themselves. */
export function choice<P extends string, const V extends string>(
  path: P,
  spec: ChoiceSpec & { values: readonly V[]; default: NoInfer<V>; labels?: Partial<Record<V, Label>> },
): ChoiceField<At<P, V>> & Own<P> {
  const { values, labels, columns = 3, ...rest } = spec
  const options = values.map((value) => ({
    value,
    label: labels?.[value] ?? { ru: value, en: value },
    set: { [path]: value },
  }))
  return { kind: 'choice', name: path, ...rest, columns, options, shape: at(path, z.enum(values)) }
}

/** A choice whose options write several request fields (a frame size is a preset, or a width with a height). */
export function compoundChoice<S extends Shape>(
  name: string,
  shape: S,
  spec: ChoiceSpec & { options: readonly Option[]; default: string },
): ChoiceField<S> {
  const { columns = 3, ...rest } = spec
  return { kind: 'choice', name, ...rest, columns, shape }
}

/** What an answer puts into the request. */
export function write(field: Field, answer: Answer): Flat {
  if (field.kind !== 'choice') return { [field.name]: answer }
  return field.options.find((option) => option.value === answer)?.set ?? {}
}

export function defaultOf(field: Field): Answer | undefined {
  return field.kind === 'text' ? undefined : field.default
}
