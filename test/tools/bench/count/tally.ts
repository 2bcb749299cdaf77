// Counts of calls: statements by their text, requests by their method.

export type Calls = ReadonlyMap<string, number>

export interface Tally {
  add(name: string): void
  /** Returns and clears the counts since the last call. */
  take(): Calls
}

export function createTally(): Tally {
  let calls = new Map<string, number>()
  return {
    add: (name) => void calls.set(name, (calls.get(name) ?? 0) + 1),
    take() {
      const taken = calls
      calls = new Map()
      return taken
    },
  }
}

export const sumOf = (calls: Calls): number => [...calls.values()].reduce((sum, count) => sum + count, 0)

/** Divides the counts by the number of units of work. */
export const per = (units: number, calls: Calls): Calls =>
  new Map([...calls].map(([name, count]) => [name, count / units]))

/**
 * Subtracts the calls that an idle process makes in the same time, rounded up, since a rare call occurs as a whole.
 * @param idle the calls of an idle process per second
 */
export const without = (idle: Calls, seconds: number, calls: Calls): Calls =>
  new Map(
    [...calls].map(([name, count]) => [
      name,
      Math.max(0, count - Math.ceil((idle.get(name) ?? 0) * seconds)),
    ]),
  )

/** One line for each call, the most frequent first, without calls whose number rounds to zero. */
export function linesOf(calls: Calls): string[] {
  const named = new Map<string, number>()
  for (const [name, count] of calls) named.set(shortened(name), (named.get(shortened(name)) ?? 0) + count)
  return [...named]
    .filter(([, count]) => count >= 0.005)
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, count]) => `  ${count.toFixed(2).padStart(6)}  ${cut(name)}`)
}

const maxShown = 170
const cut = (text: string): string => (text.length > maxShown ? `${text.slice(0, maxShown)}…` : text)

/** Removes the lists of columns and parameters; tables and conditions are enough to distinguish statements. */
export const shortened = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll('"', '')
    .replaceAll(/\$\d+/g, '$')
    .replaceAll(/::\w+/g, '')
    .replaceAll(/\$(, \$)+/g, '$')
    .replaceAll(/([\w.]+ = \$, )+[\w.]+ = \$/g, '… = $')
    .replaceAll(/([\w.]+, ){3,}[\w.]+/g, '…')
    .replaceAll(/\b\w+\.(\w+)\b/g, '$1')
    .trim()
