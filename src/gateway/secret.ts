// Keeps the key out of everything that this room returns: gateways repeat it in messages, and undici's errors can contain raw data
// of the connection (`HTTPParserError.data`).

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
  // Masked after parsing, because JSON can escape the same string in many ways.
  const clean = (_: string, value: unknown, at?: { readonly source?: string }) => {
    if (typeof value === 'number') return isRounded(value, at?.source) ? at?.source : value
    if (typeof value === 'string') return hide(value).replaceAll('\0', '')
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    if (!Object.keys(value).some((name) => name.includes(key))) return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [hide(name), one]))
  }
  const isClean = (text: string) => isPlainKey(key) && !text.includes(key) && !suspicious.test(text)
  return {
    key,
    hide,
    parse(text) {
      try {
        return isClean(text) ? JSON.parse(text) : JSON.parse(text, clean)
      } catch {
        return undefined
      }
    },
    causeOf: (error) => new Error(hide(wordsOf(error))),
  }
}

/** JSON can write such a key only as it is, or with an escape that `suspicious` finds. */
const isPlainKey = (key: string): boolean => /^[!-~]+$/.test(key) && !/["\\]/.test(key)
/** Escapes of ASCII characters, NUL among them, and integers that a number could round. */
const suspicious = /\\u00|\\[^nrtu"\\]|\d{16}/

const isRounded = (value: number, source = ''): boolean =>
  !Number.isSafeInteger(value) && /^\d+$/.test(source)

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? ` ${error.code}` : ''
  const inner = error instanceof AggregateError ? ` (${error.errors.map(wordsOf).join('; ')})` : ''
  return `${error.name}${code}: ${error.message}${inner}`
}
