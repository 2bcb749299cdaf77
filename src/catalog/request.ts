// Request bodies: nested as the gateway needs them, flat by path inside the app; the rules across their fields, and the strict schema
// made of fields and rules.

import { z } from 'zod'
import type { Field, Flat, Json, Shape } from './field.ts'
import { sizeOf } from './fields.ts'
import { wordsSaidIn } from './media.ts'

/** Accepted values by path, or whether there is a value (`'present'`, `'absent'`). A missing value counts as its default. */
type Condition = Readonly<Record<string, readonly Json[] | 'present' | 'absent'>>

export type Rule =
  /** A path of `left` must not occur together with a path of `right`. */
  | { readonly kind: 'excludes'; readonly left: readonly string[]; readonly right: readonly string[] }
  /** The paths are allowed only under the condition. */
  | { readonly kind: 'only'; readonly when: Condition; readonly paths: readonly string[] }
  /** Either all of the paths must be present or none. */
  | { readonly kind: 'together'; readonly paths: readonly string[] }
  /** If all paths are present, their values must be one of these rows. */
  | { readonly kind: 'rows'; readonly paths: readonly string[]; readonly rows: readonly (readonly Json[])[] }
  /** Under the condition, at least one of the paths is required. */
  | { readonly kind: 'requires'; readonly when: Condition; readonly anyOf: readonly string[] }
  /** Under the condition, the value must be one of these. */
  | {
      readonly kind: 'values'
      readonly when: Condition
      readonly path: string
      readonly values: readonly Json[]
    }
  /** Under the condition, the maximum of a number, or of the length of a text or a list. */
  | { readonly kind: 'limit'; readonly when: Condition; readonly path: string; readonly max: number }
  /** Each `key` of the items at `path` must be the `key` of an item at `among`. */
  | { readonly kind: 'listed'; readonly path: string; readonly among: string; readonly key: string }

interface Violation {
  readonly path: string
  readonly message: string
  /** A value is missing; otherwise the present values contradict each other. */
  readonly missing: boolean
  /** A limit is exceeded. */
  readonly excess: boolean
}

const present = (flat: Flat, paths: readonly string[]) => paths.filter((path) => flat[path] !== undefined)

const clash = (path: string, message: string): Violation => ({ path, message, missing: false, excess: false })
const lack = (path: string, message: string): Violation => ({ path, message, missing: true, excess: false })

function holds(when: Condition, flat: Flat, defaultValues: Flat): boolean {
  return Object.entries(when).every(([path, wanted]) => {
    const value = flat[path]
    if (wanted === 'present' || wanted === 'absent') return (value === undefined) === (wanted === 'absent')
    return wanted.some((one) => one === (value ?? defaultValues[path]))
  })
}

interface Given {
  readonly flat: Flat
  readonly defaultValues: Flat
}
type Check<K extends Rule['kind']> = (rule: Extract<Rule, { kind: K }>, given: Given) => Violation | undefined

const excludes: Check<'excludes'> = (rule, { flat }) => {
  const [left] = present(flat, rule.left)
  const [right] = present(flat, rule.right)
  return left && right ? clash(left, `${left} is incompatible with ${right}`) : undefined
}

const only: Check<'only'> = ({ when, paths }, { flat, defaultValues }) => {
  const [some] = present(flat, paths)
  return some && !holds(when, flat, defaultValues)
    ? clash(some, `${some} is only for ${shown(when)}`)
    : undefined
}

const together: Check<'together'> = ({ paths }, { flat }) => {
  const [some] = present(flat, paths)
  const missing = paths.find((path) => flat[path] === undefined)
  return some && missing ? lack(missing, `${missing} is required with ${some}`) : undefined
}

const rows: Check<'rows'> = ({ paths, rows }, { flat }) => {
  if (present(flat, paths).length < paths.length) return undefined
  const fits = rows.some((row) => paths.every((path, i) => flat[path] === row[i]))
  const got = paths.map((path) => flat[path]).join('x')
  return fits ? undefined : clash(paths[0] ?? '', `${paths.join(' x ')} cannot be ${got}`)
}

const requires: Check<'requires'> = ({ when, anyOf }, { flat, defaultValues }) => {
  if (!holds(when, flat, defaultValues) || present(flat, anyOf).length > 0) return undefined
  return lack(anyOf[0] ?? '', `${anyOf.join(' or ')} is required with ${shown(when)}`)
}

const values: Check<'values'> = ({ when, path, values }, { flat, defaultValues }) => {
  const value = flat[path] ?? defaultValues[path]
  if (!holds(when, flat, defaultValues) || value === undefined || values.includes(value)) return undefined
  return clash(path, `${path} must be ${values.join(' or ')} with ${shown(when)}`)
}

const limit: Check<'limit'> = ({ when, path, max }, { flat, defaultValues }) => {
  if (!holds(when, flat, defaultValues) || sizeOf(flat[path]) <= max) return undefined
  return { ...clash(path, `${path} is at most ${max} with ${shown(when)}`), excess: true }
}

const listed: Check<'listed'> = ({ path, among, key }, { flat }) => {
  const known = keysOf(flat[among], key)
  const unlistedKey = keysOf(flat[path], key).find((one) => !known.includes(one))
  return unlistedKey ? clash(path, `${key} "${unlistedKey}" is not in ${among}`) : undefined
}

function check(rule: Rule, given: Given): Violation | undefined {
  switch (rule.kind) {
    case 'excludes':
      return excludes(rule, given)
    case 'only':
      return only(rule, given)
    case 'together':
      return together(rule, given)
    case 'rows':
      return rows(rule, given)
    case 'requires':
      return requires(rule, given)
    case 'values':
      return values(rule, given)
    case 'limit':
      return limit(rule, given)
    case 'listed':
      return listed(rule, given)
  }
}

const shown = (when: Condition) =>
  Object.entries(when)
    .map(([path, wanted]) => `${path} ${typeof wanted === 'string' ? wanted : `= ${wanted.join(' or ')}`}`)
    .join(' and ') || 'anything'

function keysOf(value: Json | undefined, key: string): string[] {
  const items: readonly Json[] = Array.isArray(value) ? value : []
  return items.flatMap((item) => (typeof item === 'object' && key in item ? String(Object(item)[key]) : []))
}

export function violations(rules: readonly Rule[], flat: Flat, defaultValues: Flat): Violation[] {
  return rules.flatMap((rule) => check(rule, { flat, defaultValues }) ?? [])
}

/** The lowest limit for a path under these values; undefined when no rule limits it. */
export function limitAt(
  rules: readonly Rule[],
  path: string,
  flat: Flat,
  defaultValues: Flat,
): number | undefined {
  const limits = rules.flatMap((rule) =>
    rule.kind === 'limit' && rule.path === path && holds(rule.when, flat, defaultValues) ? [rule.max] : [],
  )
  return limits.length > 0 ? Math.min(...limits) : undefined
}

/** `{ 'settings.audio': true }` -> `{ settings: { audio: true } }` */
export function nest(flat: Flat): Record<string, unknown> {
  const root: Record<string, unknown> = {}
  for (const [path, value] of Object.entries(flat)) {
    const [head = '', ...rest] = path.split('.')
    if (rest.length === 0) root[head] = isRecord(value) ? { ...value, ...asRecord(root[head]) } : value
    else root[head] = { ...asRecord(root[head]), ...nest({ [rest.join('.')]: value }) }
  }
  return root
}

export const json: z.ZodType<Json> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.array(json), z.record(z.string(), json)]),
)
const record = z.record(z.string(), z.unknown())
const asRecord = (value: unknown) => record.parse(value ?? {})

/**
 * The values at these paths. It does not use zod for each step of a path, which would take ten times as long: every price and check needs
 * it.
 */
export function valuesAt(paths: Iterable<string>, body: Record<string, unknown>): Flat {
  const found: Record<string, Json> = {}
  for (const path of paths) {
    const value = path.split('.').reduce<unknown>(memberOf, body)
    if (value !== undefined) found[path] = jsonOf(value)
  }
  return found
}

const memberOf = (at: unknown, key: string): unknown =>
  isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @throws ZodError */
const jsonOf = (value: unknown): Json =>
  typeof value === 'string' || typeof value === 'boolean' ? value : json.parse(value)

/** A copy of the body in which the field at the path is written in another way; the path leads into the items of lists. */
export function rewritten(
  body: Record<string, unknown>,
  [head = '', ...rest]: readonly string[],
  write: (name: string, value: unknown) => Record<string, unknown>,
): Record<string, unknown> {
  if (!Object.hasOwn(body, head)) return body
  const { [head]: value, ...others } = body
  if (rest.length === 0) return { ...others, ...write(head, value) }
  const inside = (one: unknown) => (isRecord(one) ? rewritten(one, rest, write) : one)
  return { ...body, [head]: Array.isArray(value) ? value.map(inside) : inside(value) }
}

export const shapeOf = (fields: readonly Field[]): Shape =>
  Object.assign({}, ...fields.map((field) => field.shape))

export function requestSchema(fields: readonly Field[], rules: readonly Rule[], defaultValues: Flat) {
  const shape = shapeOf(fields)
  const required = new Set(
    fields.flatMap((field) => (field.required ? Object.keys(field.shape).map(requiredPath(field)) : [])),
  )
  const body = strictObject(shape, required).extend({ model: z.string().min(1) })
  return body.superRefine((value, ctx) => {
    for (const { path, message } of violations(rules, valuesAt(Object.keys(shape), value), defaultValues)) {
      ctx.addIssue({ code: 'custom', path: path.split('.'), message })
    }
  })
}

/** The path that a field requires. A path that ends in a dot stands for the object around the path. */
const requiredPath = (field: Field) => (path: string) =>
  field.required === 'object' ? path.slice(0, path.lastIndexOf('.') + 1) : path

function strictObject(shape: Shape, required: ReadonlySet<string>, prefix = '') {
  const heads = new Set(Object.keys(shape).map((path) => path.split('.')[0] ?? path))
  const entries = [...heads].map((head): [string, z.ZodType] => {
    const own = shape[head]
    if (own) return [head, required.has(prefix + head) ? own : own.optional()]
    const inner = strictObject(below(shape, head), required, `${prefix}${head}.`)
    const isRequired = [...required].some((path) => path.startsWith(`${prefix}${head}.`))
    return [head, isRequired ? inner : inner.optional()]
  })
  return z.strictObject(Object.fromEntries(entries))
}

const below = (shape: Shape, head: string): Shape =>
  Object.fromEntries(
    Object.entries(shape)
      .filter(([path]) => path.startsWith(`${head}.`))
      .map(([path, schema]) => [path.slice(head.length + 1), schema]),
  )

// The prompt of a request: the user's own words, or what a picture says.

/** The request paths of the prompt in all models. */
const promptPaths = ['positivePrompt', 'prompt', 'text'] as const

/** @param limit code points; a longer text is cut */
export function promptInRequest(request: Record<string, unknown>, limit = 300): string | undefined {
  const own = promptPaths.map((path) => request[path])
  const texts = [...own, scriptOf(request.turns), request.title, wordsSaidIn(request)]
  const prompt = texts.find((value) => typeof value === 'string' && value !== '')
  if (typeof prompt !== 'string') return undefined
  const points = [...prompt]
  return points.length > limit ? `${points.slice(0, limit).join('')}…` : prompt
}

const turns = z.array(z.object({ speaker_id: z.string(), text: z.string() }))

/**
 * The lines of a dialogue with their speakers, as they were written. All lines are used, since many dialogues begin with the same
 * greeting.
 */
function scriptOf(given: unknown): string | undefined {
  const read = turns.safeParse(given)
  return read.data?.map((turn) => `${turn.speaker_id}: ${turn.text}`).join('\n')
}
