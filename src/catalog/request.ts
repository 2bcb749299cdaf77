// Request bodies: nested as the gateway needs them, flat by path inside the app, and the strict schema made of fields and rules.

import { z } from 'zod'
import type { Field, Flat, Json, Shape } from './field.ts'
import { type Rule, violations } from './rules.ts'

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

// The prompt of a request: the user's own words.

/** The request paths of the prompt in all models. */
const promptPaths = ['positivePrompt', 'prompt', 'text'] as const

/** @param limit code points; a longer text is cut */
export function promptInRequest(request: Record<string, unknown>, limit = 300): string | undefined {
  const texts = [...promptPaths.map((path) => request[path]), scriptOf(request.turns), request.title]
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
