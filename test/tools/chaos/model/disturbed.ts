// Finds the times at which a process ended or was paused, database connections were cut, the database answered later than a lease, or the
// machine was much slower than usual. Only work that was under way at such a time may end in more than one way.

export interface Happening {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly what: string
}

const ends = /^process .* (killed|ended|asked to end)/
const pauses = /^(process .*) paused$/
const cut = /^database: connections/
/** The time until all cut connections have been opened again. */
const cutMs = 2600
/** A disturbance that is noted at its end, with its duration. */
const lasted = /^(?:database: answers were later than a lease|machine: was too slow) for (\d+) ms$/

interface Span {
  readonly from: number
  readonly to: number
}

export function disturbedBy(happenings: readonly Happening[]): (from: number, to: number) => boolean {
  const spans = happenings.flatMap(({ at, what }): Span[] => {
    const paused = pauses.exec(what)?.[1]
    if (paused !== undefined) return [{ from: at, to: endOfPause(happenings, paused, at) }]
    if (ends.test(what)) return [{ from: at, to: at }]
    if (cut.test(what)) return [{ from: at, to: at + cutMs }]
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
