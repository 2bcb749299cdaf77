// Texts: cuts at a number of characters, long integers in JSON, and the name that somebody meant by a misspelled one.

// A cut inside of an emoji would leave half of it, and Telegram refuses such a text: texts are cut at code points.

/** Each code point has one or two UTF-16 units, so only the beginning of a long text has to be split. */
export const cutTo = (text: string, most: number): string =>
  text.length <= most ? text : [...text.slice(0, 2 * most)].slice(0, most).join('')

export function cutWithEllipsis(text: string, most: number): string {
  const cut = cutTo(text, most)
  return cut === text ? text : `${cut}…`
}

// Integers in JSON that a JavaScript number would round, such as ids, become strings. The time is linear in the length of the text.

/** Positive integers of many digits that are not part of another number. */
const longDigits = /(?<![\d.eE+-])\d{16,}(?![\d.eE])/g

export function withExactIntegers(json: string): string {
  let isInString = false
  let quote = json.indexOf('"')
  /** Whether a place is inside a string. Places must be passed in ascending order. */
  const isQuoted = (place: number): boolean => {
    while (quote >= 0 && quote < place) {
      if (!isInString || !isEscaped(json, quote)) isInString = !isInString
      quote = json.indexOf('"', quote + 1)
    }
    return isInString
  }
  return json.replaceAll(longDigits, (digits, place: number) =>
    isQuoted(place) || Number.isSafeInteger(Number(digits)) ? digits : `"${digits}"`,
  )
}

function isEscaped(json: string, place: number): boolean {
  let first = place
  while (json[first - 1] === '\\') first -= 1
  return (place - first) % 2 === 1
}

// The name that somebody meant by an unknown one: a misspelling (`vidoe`) or an abbreviation (`img`).

/** Shorter words resemble too many names. */
const shortest = 3

/** @returns undefined when no name resembles it, or several do equally */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  if (typed.length < shortest) return undefined
  const ranked = names
    .map((name) => ({ name, rank: rankOf(typed, name) }))
    .filter(({ rank }) => rank < Number.POSITIVE_INFINITY)
    .toSorted((a, b) => a.rank - b.rank)
  const [best, second] = ranked
  return best?.rank === second?.rank ? undefined : best?.name
}

function rankOf(typed: string, name: string): number {
  if (name.startsWith(typed) || typed.startsWith(name)) return 0
  if (isAbbreviation(typed, name)) return 1
  const edits = editsBetween(typed, name)
  return edits <= (typed.length < 5 ? 1 : 2) ? 1 + edits : Number.POSITIVE_INFINITY
}

/** Whether a name can be abbreviated like this: its first letter, and others in their order, as in `img`. */
function isAbbreviation(typed: string, name: string): boolean {
  let at = 0
  for (const letter of name) if (letter === typed[at]) at += 1
  return typed[0] === name[0] && at === typed.length
}

/** Counts letters that are missing, too many or different (Levenshtein). */
export function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
