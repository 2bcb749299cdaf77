// The key stays inside: gateways repeat it in what they say, and undici's errors can hold what went over the wire
// (`HTTPParserError.data`). Everything that leaves this room has passed here.

export interface Secret {
  readonly key: string
  /** The text with `***` for the key. */
  hide(text: string): string
  /**
   * The JSON value with `***` for the key, or undefined when the text is no JSON. Without NUL characters, which PostgreSQL does not
   * take: an order could not even be ended by an error message with one.
   */
  parse(text: string): unknown
  /** What an error says, as an error that holds nothing else. */
  causeOf(error: unknown): Error
}

export function createSecret(key: string): Secret {
  const hide = (text: string) => text.replaceAll(key, '***')
  // After parsing, since JSON has many ways to write one string.
  const clean = (_: string, value: unknown) => {
    if (typeof value === 'string') return hide(value).replaceAll('\0', '')
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    if (!Object.keys(value).some((name) => name.includes(key))) return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [hide(name), one]))
  }
  return {
    key,
    hide,
    parse(text) {
      try {
        return JSON.parse(text, clean)
      } catch {
        return undefined
      }
    },
    causeOf: (error) => new Error(hide(wordsOf(error))),
  }
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? ` ${error.code}` : ''
  const inner = error instanceof AggregateError ? ` (${error.errors.map(wordsOf).join('; ')})` : ''
  return `${error.name}${code}: ${error.message}${inner}`
}
