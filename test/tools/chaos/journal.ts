// The log of a run: events by subject, printed with the violations, and counters for the report.

import type { Happening } from './model/balances.ts'

export type Journal = ReturnType<typeof createJournal>

/** The subject of events that belong to every history. */
export const everybody = 'processes'

export function createJournal() {
  const began = performance.now()
  const entries: { readonly ms: number; readonly about: string; readonly what: string }[] = []
  const counts = new Map<string, number>()
  return {
    /** @param about the subject: an order's mark, a person or the processes */
    note: (about: string, what: string) => void entries.push({ ms: performance.now() - began, about, what }),
    count: (what: string, times = 1) => void counts.set(what, (counts.get(what) ?? 0) + times),
    /** The sum of all counters whose name matches. */
    sum: (what: RegExp) =>
      [...counts].filter(([name]) => what.test(name)).reduce((sum, [, times]) => sum + times, 0),
    counted: (): Readonly<Record<string, number>> => Object.fromEntries(counts),
    /** The events of the processes, the database and the machine. */
    times: (): readonly Happening[] =>
      entries
        .filter(({ about }) => about === everybody)
        .map(({ ms, what }) => ({ at: performance.timeOrigin + began + ms, what })),
    /** The newest events of the subject, with the events of all processes in the same period. */
    history(of: string): readonly string[] {
      const own = entries.filter(({ about }) => about === of)
      const [first, last] = [own[0]?.ms ?? 0, own.at(-1)?.ms ?? 0]
      return entries
        .filter(({ about, ms }) => about === of || (about === everybody && ms >= first && ms <= last))
        .slice(-25)
        .map(({ ms, what }) => `${(ms / 1000).toFixed(2).padStart(7)} s  ${what}`)
    },
  }
}
