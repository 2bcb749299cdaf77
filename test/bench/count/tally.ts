// How often each thing happened: a statement by its text, a request by its method.

export type Calls = ReadonlyMap<string, number>

export interface Tally {
  add(name: string): void
  /** What was counted since the last call. */
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

/** Divided by the number of units of work. */
export const per = (units: number, calls: Calls): Calls =>
  new Map([...calls].map(([name, count]) => [name, count / units]))

/**
 * Without what an idle process does in that time.
 * @param idle calls per second
 */
export const without = (idle: Calls, seconds: number, calls: Calls): Calls =>
  new Map(
    [...calls].map(([name, count]) => {
      // What happens rarely happens as a whole.
      const idleCount = Math.ceil((idle.get(name) ?? 0) * seconds)
      return [name, Math.max(0, count - idleCount)]
    }),
  )
