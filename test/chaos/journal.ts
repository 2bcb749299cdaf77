// What happened, in order and by subject: printed with the violations, and counted in the report.

export interface Journal {
  /** @param about whom or what: an order's mark, a process, a part of the machine */
  note(about: string, what: string): void
  count(what: string, times?: number): void
  /** Of all counts whose name matches. */
  sum(what: RegExp): number
  counted(): Readonly<Record<string, number>>
  /** Everything about it, and what struck the processes meanwhile; at most so many lines, the newest. */
  history(about: string, most?: number): readonly string[]
}

interface Entry {
  readonly ms: number
  readonly about: string
  readonly what: string
}

/** Entries about it belong to everybody's history. */
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
