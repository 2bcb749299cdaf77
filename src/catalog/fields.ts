// Constructors of fields. Each keeps the types of the request values it writes, so that `cost` of a model is typed.

import { z } from 'zod'
import type { BareKey } from '../text-keys.ts'
import {
  type ChoiceField,
  type Flat,
  type Json,
  type Label,
  type NumberField,
  type Option,
  type Shape,
  sameInAll,
  type TextField,
  type ToggleField,
} from './field.ts'

type Without<T, K extends string = never> = Omit<T, K | 'kind' | 'name' | 'shape' | 'write'>
type At<P extends string, T extends Json> = Readonly<Record<P, z.ZodType<T>>>
/** A field that writes one request path, which is its name. */
type Own<P extends string> = { readonly name: P }
/** The properties that make a value always present. They are part of the field's type, so that `cost` of a model can rely on them. */
type Sure<T> = { readonly default?: T; readonly required?: boolean | 'object' }
type Kept<D> = Pick<D, keyof D & keyof Sure<unknown>>

/** The length of a text in Unicode code points, which gateway-api.md calls characters. */
export const codePoints = (text: string): number => [...text].length

/** The length of a message of Telegram, and of a prompt whose greatest length gateway-api.md does not give. */
export const telegramMessage = 4096
export const longestPrompt = 20_000

export const lengthBetween = (min: number, max: number) =>
  z.string().refine((text) => codePoints(text) >= min && codePoints(text) <= max, {
    error: `length must be ${min}..${max} characters`,
  })

/** A shape with a path from a variable; an object literal would lose the literal type of the path. */
export const at = <P extends string, T extends Json>(path: P, schema: z.ZodType<T>): At<P, T> =>
  ({ [path]: schema }) as At<P, T>

type TextSpec = Without<TextField, 'min' | 'fits'> & { min?: number }

/** @param spec.schema restricts the text more than its length does: a UUID, an address */
export function text<P extends string, D extends Sure<string>>(
  path: P,
  spec: TextSpec & { schema?: z.ZodType<string> } & D,
): TextField<At<P, string>> & Own<P> & Kept<D> {
  const { min = 1, schema = z.string() } = spec
  const value = lengthBetween(min, spec.max).and(schema)
  return {
    kind: 'text',
    name: path,
    ...spec,
    min,
    shape: at(path, value),
    fits: (typed) => value.safeParse(typed).success,
    write: (answer) => ({ [path]: String(answer) }),
  }
}

/** A text that is parsed before it is sent: a script, lines of `key = value`. */
export function parsedText<P extends string, S extends Shape>(
  name: P,
  shape: S,
  spec: TextSpec & {
    fits: (text: string) => boolean
    put: (text: string, all: Parameters<TextField['write']>[1]) => Flat
  },
): TextField<S> & Own<P> {
  const { min = 1, put, ...rest } = spec
  return { kind: 'text', name, ...rest, min, shape, write: (answer, all) => put(String(answer), all) }
}

export function number<P extends string, D extends Sure<number>>(
  path: P,
  spec: Without<NumberField, 'integer' | 'suggestions'> & { integer?: boolean; suggestions?: number[] } & D,
): NumberField<At<P, number>> & Own<P> & Kept<D> {
  const { integer = false, suggestions = [] } = spec
  const base = integer ? z.int() : z.number()
  return {
    kind: 'number',
    name: path,
    ...spec,
    integer,
    suggestions,
    shape: at(path, base.min(spec.min).max(spec.max)),
    write: (answer) => ({ [path]: Number(answer) }),
  }
}

export function toggle<P extends string>(
  path: P,
  spec: Without<ToggleField>,
): ToggleField<At<P, boolean>> & Own<P> {
  return {
    kind: 'toggle',
    name: path,
    ...spec,
    shape: at(path, z.boolean()),
    write: (answer) => ({ [path]: answer === true }),
  }
}

/** A structured value from the operator's settings; it cannot be typed. */
export function operatorObject<P extends string, T extends Json>(
  path: P,
  schema: z.ZodType<T>,
  label: Label,
): TextField<At<P, T>> & Own<P> {
  const shape = at(path, schema)
  return {
    kind: 'text',
    name: path,
    label,
    audience: 'operator',
    min: 1,
    max: 4096,
    shape,
    fits: () => false,
    write: () => ({}),
  }
}

type ChoiceSpec = Without<ChoiceField, 'options' | 'columns' | 'default'> & { columns?: number }

const optionOf = (options: readonly Option[], value: unknown): Flat =>
  options.find((option) => option.value === value)?.set ?? {}

/** A plain enumeration; labels default to the values themselves. */
export function choice<
  P extends string,
  const V extends string | number,
  D extends { readonly default?: NoInfer<V> },
>(
  path: P,
  spec: ChoiceSpec & { values: readonly V[]; labels?: Partial<Record<V, Label>> } & D,
): ChoiceField<At<P, V>> & Own<P> & (D extends { default: V } ? { readonly default: string } : unknown) {
  const { values, labels, columns = 3, default: usual, ...rest } = spec
  const options = values.map((value) => ({
    value: String(value),
    label: labels?.[value] ?? sameInAll(String(value)),
    set: { [path]: value },
  }))
  const field = {
    kind: 'choice' as const,
    name: path,
    ...rest,
    columns,
    options,
    ...(usual === undefined ? {} : { default: String(usual) }),
    shape: at(path, z.literal(values)),
    write: (answer: unknown) => optionOf(options, answer),
  }
  // Only the caller's type tells whether there is a default.
  return field as ReturnType<typeof choice<P, V, D>>
}

/** A choice whose options write several request fields (a frame size is a preset, or a width with a height). */
export function compoundChoice<S extends Shape>(
  name: string,
  shape: S,
  spec: ChoiceSpec & { options: readonly Option[]; default?: string },
): ChoiceField<S> {
  const { columns = 3, ...rest } = spec
  return { kind: 'choice', name, ...rest, columns, shape, write: (answer) => optionOf(spec.options, answer) }
}

/** Where gateway-api.md gives no range, every whole number that JSON can carry exactly is accepted. */
export const seed = ({ min, max } = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }) =>
  number('seed', {
    label: 'field-seed',
    hint: 'hint-seed',
    audience: 'advanced',
    min,
    max,
    integer: true,
    isCopied: true,
  })

/** "`async: true` in the body forces the asynchronous mode." */
export const asTask = toggle('async', {
  label: 'field-answer-with-a-task',
  audience: 'system',
  default: false,
})

/** How many pictures one request makes; each is charged. */
export const pictures = <P extends string, H extends BareKey>(path: P, max: number, usual: number, hint: H) =>
  number(path, {
    label: 'field-pictures',
    hint,
    audience: 'card',
    min: 1,
    max,
    integer: true,
    default: usual,
    suggestions: Array.from({ length: max }, (_, i) => i + 1),
  })

// Whether a text has visible characters: spaces of any width, marks without a letter, fillers and direction marks are invisible.

const seen = /[^\p{Z}\p{Cc}\p{Cf}\p{Cn}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u

/** The text without white space around it; empty if no character of it is visible. */
export const visible = (text: string): string => (seen.test(text) ? text.trim() : '')

/** A number, or a length. The size of a missing value is zero. */
export function sizeOf(value: Json | undefined): number {
  if (typeof value === 'number') return value
  if (typeof value === 'string') return codePoints(value)
  return Array.isArray(value) ? value.length : 0
}
