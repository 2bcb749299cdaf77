// A model: typed by its fields where it is defined, without generics where it is used. See `defineModel`.

import type { z } from 'zod'
import { decimal, type Fraction, times } from '../money.ts'
import {
  type Answer,
  type Answers,
  defaultValuesOf,
  type Field,
  type Flat,
  isUserField,
  type Label,
  meaningOf,
  usualOf,
} from './field.ts'
import { limitAt, type Rule, requestSchema, shapeOf, valuesAt } from './request.ts'

export type Modality = 'image' | 'video' | 'audio' | 'object3d'

/** The commands that order a model; a model can have several. */
export const commands = ['image', 'video', 'speech', 'dialogue', 'music', 'model3d'] as const
export type Command = (typeof commands)[number]

/** Shapes of pictures and videos that a user can make usual. */
export const shapes = ['1x1', '16x9', '9x16', '4x3', '3x4'] as const

/** An entry of the gateway's price list: roubles per number of units. */
export interface Rate {
  readonly roubles: string
  readonly per: number
}

/** The gateway's price of one request: `count` results of `quantity` units at the named rate. */
interface Cost<R extends string = string> {
  readonly unit: 'second' | 'character' | 'image' | 'request'
  readonly quantity: number
  /** `quantity` is the minimum that the gateway charges; the request has less. */
  readonly isMinimum?: boolean
  readonly rate: R
  readonly count: number
}

export interface Delivers {
  readonly kind: 'video' | 'image' | 'voice' | 'audio' | 'model3d'
  /** The number of results that are charged. */
  readonly count: number
  /** The usual number of files, if one charged result has several. Any number of files is delivered. */
  readonly files?: number
  /** Whether sound is sent as the file that it is, not as a voice message. */
  readonly asFile?: boolean
}

/** What a model's file says of it. */
interface Declared {
  readonly id: string
  readonly label: Label
  readonly modality: Modality
  readonly commands: readonly [Command, ...Command[]]
  readonly capabilities: readonly string[]
  /** By the operator's settings: gateway-api.md names none. */
  readonly vendor?: string
  readonly status: 'active' | 'deprecated'
  readonly endpoint: string
  /** The real id, if gateway-api.md gives one; the operator's settings override it. */
  readonly gatewayId?: string
  readonly mode: 'sync' | 'async' | 'either'
  readonly fields: readonly Field[]
  readonly rules: readonly Rule[]
  readonly rates: Readonly<Record<string, Rate>>
  /** Limits of ours where gateway-api.md gives none, by field; the operator's `limits` replace them. */
  readonly ownLimits?: Readonly<Record<string, number>>
  /** Request values that follow from others, and that an operator's own value replaces. */
  readonly implied?: (flat: Flat) => Flat
  /** The request path of the callback address. */
  readonly callbackPath: string | undefined
}

export interface Model extends Declared {
  /** The strict request body of gateway-api.md; defaults are not filled in. */
  readonly request: z.ZodType<Record<string, unknown>>
  readonly defaultValues: Flat
  /** The operator's values that no field writes, by path. See operator-values.ts. */
  readonly fixed: Flat
  /** Whether a field is shown and sent together with these answers. */
  applies(field: Field, answers: Answers): boolean
  /** The answers with defaults, without fields that do not apply. */
  complete(answers: Answers): Answers
  /** The request values of the complete answers, by path. */
  write(answers: Answers): Flat
  /** The values of a body, by path. */
  values(body: Record<string, unknown>): Flat
  /** The values of a valid body, by path, with defaults that it leaves out and with what its options stand for. */
  meaning(body: Record<string, unknown>): Flat
  /** The maximum of a number, or of the length of a text, given the other answers. */
  limit(field: Field, answers: Answers): number | undefined
  /** @param meaning see `meaning` */
  costOf(meaning: Flat): Cost
  deliveredBy(meaning: Flat): Delivers
  cost(body: Record<string, unknown>): Cost
  delivers(body: Record<string, unknown>): Delivers
}

type ToIntersection<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void
  ? I
  : never
type Values<S> = { readonly [P in keyof S]: S[P] extends z.ZodType<infer T> ? T : never }
type ValuesOf<F extends Field> = F extends
  | { readonly name: keyof F['shape']; readonly default: unknown }
  | { readonly required: true }
  ? Values<F['shape']>
  : Partial<Values<F['shape']>>
/** Typed request values by path; fields with a default are always present. */
type FlatOf<F extends Field> = ToIntersection<F extends Field ? ValuesOf<F> : never>

interface Spec<F extends Field, R extends string> extends Omit<Declared, 'fields' | 'rates'> {
  readonly fields: readonly F[]
  readonly rates: Readonly<Record<R, Rate>>
  cost(request: FlatOf<F>): Cost<R>
  delivers(request: FlatOf<F>): Delivers
}

/** To sell a model, add it to `catalog/index.ts`. */
export function defineModel<const F extends Field, R extends string>(spec: Spec<F, R>): Model {
  // The cast is safe: the values are those of a body that was parsed with the schemas of the same fields.
  const typed = (meaning: Flat) => meaning as FlatOf<F>
  return modelOf({
    ...spec,
    costOf: (meaning) => spec.cost(typed(meaning)),
    deliveredBy: (meaning) => spec.delivers(typed(meaning)),
  })
}

function modelOf(given: Declared & Pick<Model, 'costOf' | 'deliveredBy'>): Model {
  const { fields, rules } = given
  const userFields = fields.filter(isUserField)
  const defaultValues = defaultValuesOf(fields)
  const request = requestSchema(fields, rules, defaultValues)
  const paths = Object.keys(shapeOf(fields))
  const values = (body: Record<string, unknown>) => valuesAt(paths, body)
  const meaning = (body: Record<string, unknown>) => meaningOf(fields, values(request.parse(body)))
  const complete = (answers: Answers) => completed(userFields, rules, defaultValues, answers)
  const write = (answers: Answers) => written(fields, complete(answers))
  return {
    ...given,
    request,
    defaultValues,
    fixed: {},
    applies: (field, answers) => field.when?.(withDefaults(userFields, answers)) ?? true,
    complete,
    write,
    values,
    meaning,
    limit: (field, answers) => limitAt(rules, field.name, write(answers), defaultValues),
    cost: (body) => given.costOf(meaning(body)),
    delivers: (body) => given.deliveredBy(meaning(body)),
  }
}

const variant = /^([^.]+)\.[\w-]{1,16}$/

/**
 * The id of the model of which a key of the settings names a variant; undefined when it names none. A variant (`MODEL-IMAGE-PHOTO.fast`) is
 * offered as a model of its own, with its own id at the gateway, label, rates and limits.
 */
export const variantOf = (key: string): string | undefined => variant.exec(key)?.[1]

/** What an operator says of an id at the gateway: lengths of texts and greatest numbers, by field, and the fields that it does not take. */
interface Restrictions {
  readonly limits: Readonly<Record<string, number>>
  readonly without: readonly string[]
}

/** The fields whose length or number an operator may limit. */
export const limitable = ({ fields }: Pick<Model, 'fields'>): string[] =>
  fields
    .filter((field) => isUserField(field) && (field.kind === 'text' || field.kind === 'number'))
    .flatMap(({ name, shape }) => (name in shape ? [name] : []))

/** The fields that an operator may leave out. */
export const omissible = ({ fields }: Pick<Model, 'fields'>): string[] =>
  fields
    .filter((field) => isUserField(field) && field.audience !== 'asked' && !field.required)
    .map(({ name }) => name)

export function restricted(model: Model, { limits, without }: Restrictions): Model {
  const max = Object.entries({ ...model.ownLimits, ...limits }).map(
    ([path, max]): Rule => ({ kind: 'limit', when: {}, path, max }),
  )
  if (max.length + without.length === 0) return model
  const fields = model.fields.map((field) =>
    without.includes(field.name) ? { ...field, audience: 'operator' as const } : field,
  )
  return modelOf({ ...model, fields, rules: [...model.rules, ...max] })
}

/** The model with other fields. */
export const withFields = (model: Model, fields: readonly Field[]): Model => modelOf({ ...model, fields })

/** The request values of these answers, without completing them. */
function written(fields: readonly Field[], answers: Answers): Flat {
  const flat = {}
  for (const field of fields) {
    const answer = answers[field.name]
    if (answer !== undefined) Object.assign(flat, field.write(answer, answers))
  }
  return flat
}

function completed(
  userFields: readonly Field[],
  rules: readonly Rule[],
  defaultValues: Flat,
  answers: Answers,
): Answers {
  const all = withDefaults(userFields, answers)
  const applying = userFields.filter((field) => field.when?.(all) ?? true)
  const flat = written(
    applying,
    answersOf(applying, ({ name }) => all[name]),
  )
  return answersOf(applying, (field) => {
    if (field.kind !== 'number' || answers[field.name] !== undefined) return all[field.name]
    const limit = limitAt(rules, field.name, flat, defaultValues)
    return limit !== undefined && field.default !== undefined
      ? Math.min(limit, field.default)
      : all[field.name]
  })
}

const withDefaults = (userFields: readonly Field[], answers: Answers): Answers =>
  answersOf(userFields, (field) => answers[field.name] ?? usualOf(field, answers))

/**
 * This is the hot path of every card and of the check of the operator's settings: a loop takes a third of the time of
 * building the object from pairs.
 */
function answersOf(fields: readonly Field[], answerTo: (field: Field) => Answer | undefined): Answers {
  const answers: Record<string, Answer> = {}
  for (const field of fields) {
    const answer = answerTo(field)
    if (answer !== undefined) answers[field.name] = answer
  }
  return answers
}

/** The field that takes the task of an earlier video of the same model, to continue it. */
export const continuationField = ({ fields }: Model): Field | undefined =>
  fields.find((field) => field.kind === 'text' && field.source === 'videos')

/** The exact gateway price of a cost, in roubles. */
export function exactPrice(cost: Cost, rate: Rate): Fraction {
  const perUnit = { num: 1n, den: BigInt(rate.per) }
  return times(decimal(rate.roubles), perUnit, decimal(cost.quantity), decimal(cost.count))
}

export function minimalAnswers({ fields }: Pick<Model, 'fields'>): Answers {
  const asked = fields.find(({ audience }) => audience === 'asked')
  return asked ? { [asked.name]: '-' } : {}
}
