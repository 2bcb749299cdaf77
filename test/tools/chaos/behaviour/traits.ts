// The traits of a run: what it looked like, without persons and times. A trait is a line of text, like
// `table generations succeeded: delivery = delivered`, with the number of its occurrences. The traits of two runs can be compared even if
// their people and faults differ.

export type Traits = ReadonlyMap<string, number>

export interface Counter {
  readonly counts: Traits
  /** @param traits the traits of one thing (a message, a row, a log line); a repeated trait counts once */
  add(traits: Iterable<string>): void
}

export function createCounter(): Counter {
  const counts = new Map<string, number>()
  return {
    counts,
    add(traits) {
      for (const trait of new Set(traits)) counts.set(trait, (counts.get(trait) ?? 0) + 1)
    },
  }
}

/** Each word with a digit (a number, an amount, a time with its unit, the mark of an order) becomes `#`. */
export const shapeOf = (text: string): string =>
  text
    .replace(/\S*\d\S*( (s|min|h)\b)?/g, '#')
    .replace(/#(\s+#)+/g, '#')
    .slice(0, 160)

/** Whether a text looks like a name from the code (a state, a kind) rather than the name or the words of a person. */
const isName = (text: string): boolean => /^[a-z][a-z_: -]{0,30}$/i.test(text)

/** Whether the field holds an id (of a person, an order, a message), whose value is not a trait. */
const isId = (name: string): boolean => /(^|[_.])id$|Id$/.test(name)

/** Larger whole numbers are all counted as `many`. */
const largest = 4

/** The depth to which the parts of a value are read. */
const deepest = 3

/** The kind of each part of a value: `delivery = done`, `request.n = 2`, `error = text`. */
export function* kindsOf(value: unknown, name: string, depth = 0): Generator<string> {
  if (Array.isArray(value)) {
    yield `${name} = list of ${sizeOf(value.length)}`
    return
  }
  if (typeof value === 'object' && value !== null && depth < deepest) {
    const prefix = name === '' ? '' : `${name}.`
    for (const [key, part] of Object.entries(value))
      yield* kindsOf(part, `${prefix}${shapeOf(key)}`, depth + 1)
    return
  }
  yield `${name} = ${isId(name) && typeof value === 'number' ? 'number' : kindOf(value)}`
}

function kindOf(value: unknown): string {
  if (typeof value === 'number') return sizeOf(value)
  if (typeof value === 'string') return isName(value) ? value : value === '' ? 'empty' : 'text'
  return typeof value === 'object' && value !== null ? 'object' : String(value)
}

function sizeOf(value: number): string {
  if (value < 0) return 'negative'
  if (!Number.isInteger(value)) return 'fraction'
  return value <= largest ? String(value) : 'many'
}
