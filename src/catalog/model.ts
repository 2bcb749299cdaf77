// A model: typed where it is defined, closed (no generics) where it is used. See `defineModel`.

import { z } from 'zod'
import { decimal, type Fraction, times } from '../money.ts'
import {
  type Answers,
  defaultOf,
  type Field,
  type Flat,
  type Json,
  type Label,
  type Shape,
  write,
} from './field.ts'
import { type Rule, violations } from './rules.ts'

export type Modality = 'image' | 'video' | 'audio' | 'object3d'

/** The gateway's price list entry: so many roubles per so many units. */
export interface Rate {
  readonly roubles: string
  readonly per: number
}

/** What one request costs at the gateway: `count` results of `quantity` units at the named rate. */
export interface Cost<R extends string = string> {
  readonly unit: 'second' | 'character' | 'image' | 'request'
  readonly quantity: number
  readonly rate: R
  readonly count: number
}

export interface Delivers {
  readonly kind: 'video' | 'image' | 'voice' | 'audio' | 'model3d'
  readonly count: number
}

export interface Model {
  readonly id: string
  readonly label: Label
  readonly modality: Modality
  readonly capabilities: readonly string[]
  readonly status: 'active' | 'deprecated'
  readonly endpoint: string
  readonly mode: 'sync' | 'async' | 'either'
  readonly fields: readonly Field[]
  readonly rules: readonly Rule[]
  readonly rates: Readonly<Record<string, Rate>>
  /** The request path of the address that is called when a task is ready. */
  readonly callbackPath: string | undefined
  /** The strict request body, as `gateway-api.md` has it (defaults are not filled in). */
  readonly request: z.ZodType<Record<string, unknown>>
  /** Answers, with the defaults of what was left alone, as request values by path. */
  write(answers: Answers): Flat
  cost(body: Record<string, unknown>): Cost
  delivers(body: Record<string, unknown>): Delivers
}

type ToIntersection<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void
  ? I
  : never
type Values<S> = { readonly [P in keyof S]: S[P] extends z.ZodType<infer T> ? T : never }
type ValuesOf<F extends Field> = F extends { readonly name: keyof F['shape']; readonly default: unknown }
  ? Values<F['shape']>
  : Partial<Values<F['shape']>>
/** Request values by path with their types; what has a default is always there. */
type FlatOf<F extends Field> = ToIntersection<F extends Field ? ValuesOf<F> : never>

interface Spec<F extends Field, R extends string>
  extends Omit<Model, 'request' | 'write' | 'cost' | 'delivers' | 'fields' | 'rates'> {
  readonly fields: readonly F[]
  readonly rates: Readonly<Record<R, Rate>>
  cost(request: FlatOf<F>): Cost<R>
  delivers(request: FlatOf<F>): Delivers
}

/** Being in `catalog/index.ts` is all a defined model needs to be sold. */
export function defineModel<const F extends Field, R extends string>(spec: Spec<F, R>): Model {
  const request = requestSchema(spec.fields, spec.rules)
  // The one place where checked values get the types their fields declare: `request` has just parsed them.
  const read = (body: Record<string, unknown>) =>
    withDefaults(spec.fields, flatten(request.parse(body))) as FlatOf<F>
  return {
    ...spec,
    request,
    write: (answers) => writeAll(spec.fields, answers),
    cost: (body) => spec.cost(read(body)),
    delivers: (body) => spec.delivers(read(body)),
  }
}

function writeAll(fields: readonly Field[], answers: Answers): Flat {
  const written = fields.map((field) => {
    const answer = answers[field.name] ?? (isUserField(field) ? defaultOf(field) : undefined)
    return answer === undefined ? {} : write(field, answer)
  })
  return Object.assign({}, ...written)
}

/** Fields a user can reach; the others are the operator's or the app's. */
export const isUserField = (field: Field): boolean =>
  field.audience !== 'operator' && field.audience !== 'system'

function withDefaults(fields: readonly Field[], flat: Flat): Flat {
  const missing = fields.filter((field) => Object.keys(field.shape).every((path) => flat[path] === undefined))
  const defaults = missing.map((field) => {
    const value = defaultOf(field)
    return value === undefined ? {} : write(field, value)
  })
  return Object.assign({}, ...defaults, flat)
}

/** `{ 'settings.audio': true }` -> `{ settings: { audio: true } }` */
export function nest(flat: Flat): Record<string, unknown> {
  const root: Record<string, unknown> = {}
  for (const [path, value] of Object.entries(flat)) {
    const [head = '', ...rest] = path.split('.')
    if (rest.length === 0) root[head] = value
    else root[head] = { ...asRecord(root[head]), ...nest({ [rest.join('.')]: value }) }
  }
  return root
}

export function flatten(body: Record<string, unknown>, prefix = ''): Flat {
  const entries = Object.entries(body).map(([key, value]): Flat => {
    if (typeof value === 'object' && value !== null) return flatten(asRecord(value), `${prefix}${key}.`)
    return value === undefined ? {} : { [prefix + key]: json.parse(value) }
  })
  return Object.assign({}, ...entries)
}

const json: z.ZodType<Json> = z.union([z.string(), z.number(), z.boolean()])
const record = z.record(z.string(), z.unknown())
const asRecord = (value: unknown) => record.parse(value ?? {})

function requestSchema(fields: readonly Field[], rules: readonly Rule[]) {
  const shape: Shape = Object.assign({}, ...fields.map((field) => field.shape))
  const required = new Set(fields.filter((f) => f.kind === 'text' && f.required).map((f) => f.name))
  const body = strictObject(shape, required).extend({ model: z.string().min(1) })
  return body.superRefine((value, ctx) => {
    for (const { path, message } of violations(rules, flatten(value))) {
      ctx.addIssue({ code: 'custom', path: path.split('.'), message })
    }
  })
}

function strictObject(shape: Shape, required: ReadonlySet<string>, prefix = '') {
  const heads = new Set(Object.keys(shape).map((path) => path.split('.')[0] ?? path))
  const entries = [...heads].map((head): [string, z.ZodType] => {
    const own = shape[head]
    if (own) return [head, required.has(prefix + head) ? own : own.optional()]
    return [head, strictObject(below(shape, head), required, `${prefix}${head}.`).optional()]
  })
  return z.strictObject(Object.fromEntries(entries))
}

const below = (shape: Shape, head: string): Shape =>
  Object.fromEntries(
    Object.entries(shape)
      .filter(([path]) => path.startsWith(`${head}.`))
      .map(([path, schema]) => [path.slice(head.length + 1), schema]),
  )

/** The exact gateway price of a cost, in roubles. */
export function exactPrice(cost: Cost, rate: Rate): Fraction {
  const perUnit = { num: 1n, den: BigInt(rate.per) }
  return times(decimal(rate.roubles), perUnit, decimal(cost.quantity), decimal(cost.count))
}
