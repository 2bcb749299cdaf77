// Keeps the key out of everything that this room returns: gateways repeat it in messages, and undici's errors can contain raw data
// of the connection (`HTTPParserError.data`).

import { withExactIntegers } from '../runtime/text.ts'

export interface Secret {
  readonly key: string
  /** The text with the key replaced by `***`. */
  hide(text: string): string
  /**
   * The JSON value with the key replaced by `***`; undefined when the text is not JSON. NUL characters are removed: PostgreSQL does not
   * store them, so an order with one in its error message could not be ended. Integers that a number would round become strings: they
   * are ids.
   */
  parse(text: string): unknown
  /** A new error with the masked message only. */
  causeOf(error: unknown): Error
}

export function createSecret(key: string): Secret {
  const hide = (text: string) => text.replaceAll(key, '***')
  // Masked after parsing, because JSON can escape the same string in many ways. A reviver would take a minute for a hostile text.
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return hide(value).replaceAll('\0', '')
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return cleanItems(value)
    const entries = Object.entries(value)
    const cleaned = entries.map(([name, one]) => [hide(name), clean(one)] as const)
    const isSame = cleaned.every(([name, one], at) => name === entries[at]?.[0] && one === entries[at]?.[1])
    return isSame ? value : Object.fromEntries(cleaned)
  }
  const cleanItems = (items: unknown[]): unknown[] => {
    for (const [at, one] of items.entries()) items[at] = clean(one)
    return items
  }
  const isClean = (text: string) => isPlainKey(key) && !text.includes(key) && !suspicious.test(text)
  return {
    key,
    hide,
    parse(text) {
      try {
        return isClean(text) ? JSON.parse(text) : clean(JSON.parse(withExactIntegers(text)))
      } catch {
        return undefined
      }
    },
    causeOf: (error) => new Error(hide(wordsOf(error))),
  }
}

/** Whether JSON can write the key only unchanged, or with an escape that `suspicious` finds. */
const isPlainKey = (key: string): boolean => /^[!-~]+$/.test(key) && !/["\\]/.test(key)
/** Escapes of ASCII characters, NUL among them, and integers that a number could round. */
const suspicious = /\\u00|\\[^nrtu"\\]|\d{16}/

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? ` ${error.code}` : ''
  const inner = error instanceof AggregateError ? ` (${error.errors.map(wordsOf).join('; ')})` : ''
  return `${error.name}${code}: ${error.message}${inner}`
}
