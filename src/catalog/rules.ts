// Rules across fields, as data over request paths: the request schema is checked with them and the form hides by them.

import type { Flat, Json } from './field.ts'

export type Rule =
  /** Nothing of `left` may stand beside anything of `right`. */
  | { readonly kind: 'excludes'; readonly left: readonly string[]; readonly right: readonly string[] }
  /** All of them or none. */
  | { readonly kind: 'together'; readonly paths: readonly string[] }
  /** Present together, the values must be one of these rows. */
  | { readonly kind: 'rows'; readonly paths: readonly string[]; readonly rows: readonly (readonly Json[])[] }

export interface Violation {
  readonly path: string
  readonly message: string
}

const present = (flat: Flat, paths: readonly string[]) => paths.filter((path) => flat[path] !== undefined)

function check(rule: Rule, flat: Flat): Violation | undefined {
  switch (rule.kind) {
    case 'excludes': {
      const [left] = present(flat, rule.left)
      const [right] = present(flat, rule.right)
      if (!left || !right) return undefined
      return { path: left, message: `${left} is incompatible with ${right}` }
    }
    case 'together': {
      const [some] = present(flat, rule.paths)
      const missing = rule.paths.find((path) => flat[path] === undefined)
      if (!some || !missing) return undefined
      return { path: missing, message: `${missing} is required with ${some}` }
    }
    case 'rows': {
      if (present(flat, rule.paths).length < rule.paths.length) return undefined
      const fits = rule.rows.some((row) => rule.paths.every((path, i) => flat[path] === row[i]))
      if (fits) return undefined
      const got = rule.paths.map((path) => flat[path]).join('x')
      return { path: rule.paths[0] ?? '', message: `${rule.paths.join(' x ')} can not be ${got}` }
    }
  }
}

export function violations(rules: readonly Rule[], flat: Flat): Violation[] {
  return rules.flatMap((rule) => check(rule, flat) ?? [])
}
