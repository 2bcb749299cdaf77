// The log of a run: events by subject, printed with the violations, and counters for the report.

export type Journal = ReturnType<typeof createJournal>

/** The subject of events that belong to every history. */
export const everybody = 'processes'

/** An event of the processes, the database or the machine, at a time in milliseconds since 1970. */
interface Happening {
  readonly at: number
  readonly what: string
}

/** Milliseconds since 1970 by real time, like the times of the gateway's books. */
export const realNow = () => performance.timeOrigin + performance.now()

export function createJournal() {
  const began = realNow()
  const entries: (Happening & { readonly about: string })[] = []
  const counts = new Map<string, number>()
  return {
    /** @param about the subject: an order's mark, a person or the processes */
    note: (about: string, what: string) => void entries.push({ at: realNow(), about, what }),
    count: (what: string, times = 1) => void counts.set(what, (counts.get(what) ?? 0) + times),
    counted: (): Readonly<Record<string, number>> => Object.fromEntries(counts),
    /** The events of the processes, the database and the machine. */
    times: (): readonly Happening[] => entries.filter(({ about }) => about === everybody),
    /** The newest events of the subject, with the events of all processes in the same period and shortly after it. */
    history(of: string): readonly string[] {
      const own = entries.filter(({ about }) => about === of)
      const [first, last] = [own[0]?.at ?? 0, (own.at(-1)?.at ?? 0) + afterMs]
      return entries
        .filter(({ about, at }) => about === of || (about === everybody && at >= first && at <= last))
        .slice(-25)
        .map(({ at, what }) => `${((at - began) / 1000).toFixed(2).padStart(7)} s  ${what}`)
    },
  }
}

/** How long after the last event of a subject its history goes on. */
const afterMs = 10_000

/** The time until all cut connections have been opened again. */
const cutMs = 2600
/** A disturbance that is noted at its end, with its duration. */
const lasted = /^(?:database: answers were later than a lease|machine: was too slow) for (\d+) ms$/

/**
 * Finds the times at which a process ended or was paused, database connections were cut, the database answered later than a lease, or the
 * machine was much slower than usual. Only work that was under way at such a time may end in more than one way.
 */
export function disturbedBy(happenings: readonly Happening[]): (from: number, to: number) => boolean {
  const spans = happenings.flatMap(({ at, what }): { from: number; to: number }[] => {
    const paused = /^(process .*) paused$/.exec(what)?.[1]
    if (paused !== undefined) return [{ from: at, to: endOfPause(happenings, paused, at) }]
    if (/^process .* (killed|ended|asked to end)/.test(what)) return [{ from: at, to: at }]
    if (what.startsWith('database: connections')) return [{ from: at, to: at + cutMs }]
    const ms = lasted.exec(what)?.[1]
    return ms === undefined ? [] : [{ from: at - Number(ms), to: at }]
  })
  return (from, to) => spans.some((span) => span.from <= to && span.to >= from)
}

function endOfPause(happenings: readonly Happening[], process: string, from: number): number {
  const isOver = ({ at, what }: Happening) =>
    at >= from && (what.startsWith(`${process} resumed`) || what.startsWith(`${process} ended`))
  return happenings.find(isOver)?.at ?? Infinity
}
