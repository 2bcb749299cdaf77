// Rules across fields, as data over request paths. The request schema checks them and the form hides fields by them.

import type { Flat, Json } from './field.ts'
import { sizeOf } from './fields.ts'

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
