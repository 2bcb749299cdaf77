// The log of a run: events by subject, printed with the violations, and counters for the report.

import type { Happening } from './model/balances.ts'

export interface Journal {
  /** @param about the subject: an order's mark, a person or the processes */
  note(about: string, what: string): void
  count(what: string, times?: number): void
  /** The sum of all counters whose name matches. */
  sum(what: RegExp): number
  counted(): Readonly<Record<string, number>>
  /** The events of the processes, the database and the machine. */
  times(): readonly Happening[]
  /** The newest events of the subject, with the events of all processes in the same period. @param most lines */
  history(about: string, most?: number): readonly string[]
}

interface Entry {
  readonly ms: number
  readonly about: string
  readonly what: string
}

/** The subject of events that belong to every history. */
export const everybody = 'processes'

export function createJournal(): Journal {
  const began = performance.now()
  const entries: Entry[] = []
  const counts = new Map<string, number>()
  return {
    note(about, what) {
      entries.push({ ms: performance.now() - began, about, what })
    },
    count: (what, times = 1) => void counts.set(what, (counts.get(what) ?? 0) + times),
    sum: (what) => [...counts].filter(([name]) => what.test(name)).reduce((sum, [, times]) => sum + times, 0),
    counted: () => Object.fromEntries(counts),
    times: () =>
      entries
        .filter(({ about }) => about === everybody)
        .map(({ ms, what }) => ({ at: performance.timeOrigin + began + ms, what })),
    history(about, most = 25) {
      const own = entries.filter((entry) => entry.about === about)
      const [first, last] = [own[0]?.ms ?? 0, own.at(-1)?.ms ?? 0]
      const around = entries.filter(
        (entry) =>
          entry.about === about || (entry.about === everybody && entry.ms >= first && entry.ms <= last),
      )
      return around.slice(-most).map(({ ms, what }) => `${(ms / 1000).toFixed(2).padStart(7)} s  ${what}`)
    },
  }
}
