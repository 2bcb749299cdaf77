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
 * Subtracts the calls that an idle process makes in the same time.
 * @param idle the calls of an idle process per second
 */
export const without = (idle: Calls, seconds: number, calls: Calls): Calls =>
  new Map(
    [...calls].map(([name, count]) => {
      // Rounded up, since a rare call occurs as a whole.
      const idleCount = Math.ceil((idle.get(name) ?? 0) * seconds)
      return [name, Math.max(0, count - idleCount)]
    }),
  )
