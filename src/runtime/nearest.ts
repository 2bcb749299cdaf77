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
