// What a request means beyond the values that it has: defaults that are not sent, and values that options stand for.

import { defaultOf, type Field, type Flat } from './field.ts'

/** The request values that the defaults of fields write. */
export function defaultValuesOf(fields: readonly Field[]): Flat {
  const values = fields.map((field) => {
    const answer = defaultOf(field)
    return answer === undefined ? {} : field.write(answer, {})
  })
  return Object.assign({}, ...values)
}

/** The request values, with the default of every field that has none, and with what the chosen options stand for. */
export function meaningOf(fields: readonly Field[], flat: Flat): Flat {
  const missing = fields.filter((field) => Object.keys(field.shape).every((path) => flat[path] === undefined))
  const all = { ...defaultValuesOf(missing), ...flat }
  return { ...meantBy(fields, all), ...all }
}

/** The values that the chosen options stand for without sending them. */
export function meantBy(fields: readonly Field[], flat: Flat): Flat {
  const meant = fields.map((field) => {
    if (field.kind !== 'choice') return {}
    const own = Object.fromEntries(Object.entries(flat).filter(([path]) => field.shape[path]))
    return field.options.find(({ set }) => same(set, own))?.means ?? {}
  })
  return Object.assign({}, ...meant)
}

export const same = (one: Flat, other: Flat): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([path, value]) => other[path] === value)
