// What a run looked like, without who and when: how often each trait was there. A trait is a line of text, like
// `table generations succeeded: delivery = delivered`. Traits of two runs are comparable, however different their people and faults were.

export type Traits = ReadonlyMap<string, number>

export interface Counter {
  readonly counts: Traits
  /** @param traits of one thing, each of which counts once */
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

/** A name that the code gives, like a state, and not the name or the words of a person. */
const isName = (text: string): boolean => /^[a-z][a-z_: -]{0,30}$/i.test(text)

/** The number of a person, an order or a message tells nothing. */
const isId = (name: string): boolean => /(^|[_.])id$|Id$/.test(name)

/** Larger whole numbers tell only that they are large. */
const largest = 4

/** How deep a value is looked into. */
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
