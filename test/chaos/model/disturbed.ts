// When a process ended or was held up, or the database was later than a lease. Work that was under way at such a time may end in more
// than one way; all other work may not.

export interface Happening {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly what: string
}

const ends = /^process .* (killed|ended|asked to end)/
const pauses = /^process .* paused$/
const resumes = /^process .* resumed/
const late = /^database: (answers later than a lease|connections)/
/** The longest delay of an answer of the database. */
const lateMs = 2600

interface Span {
  readonly from: number
  readonly to: number
}

export function disturbedBy(happenings: readonly Happening[]): (from: number, to: number) => boolean {
  const spans = happenings.flatMap(({ at, what }): Span[] => {
    if (ends.test(what) || pauses.test(what) || resumes.test(what)) return [{ from: at, to: at }]
    return late.test(what) ? [{ from: at, to: at + lateMs }] : []
  })
  return (from, to) => spans.some((span) => span.from <= to && span.to >= from)
}
