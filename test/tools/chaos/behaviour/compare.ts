// Compares the traits of a run with those of other runs, most of them of the unchanged app. People, faults and the machine differ from run
// to run, so only counts far outside the range of all other runs are reported.

import { saidByPerson } from './chats.ts'
import type { Traits } from './traits.ts'

export interface Difference {
  readonly trait: string
  readonly times: number
  /** The least and the most times that the trait would occur in a run of this length, by the other runs. */
  readonly expected: readonly [number, number]
}

interface Thresholds {
  /** The least count at which a trait that no other run has is reported. */
  readonly fewestNew: number
  /** The least expected count at which a trait that this run lacks is reported. */
  readonly fewestMissing: number
  /** The least larger count at which a trait whose counts differ by the factor `shift` is reported. */
  readonly fewestShifted: number
}

/** The factor by which the count of a trait must differ from all expected counts. */
const shift = 3

/** The more runs are known, the lower the counts from which a trait is reported. */
const thresholdsOf = (others: number): Thresholds => ({
  fewestNew: Math.max(2, Math.ceil(32 / others)),
  fewestMissing: Math.max(4, Math.ceil(48 / others)),
  fewestShifted: Math.max(20, Math.ceil(160 / others)),
})

/** From this number of other runs on, the lowest and the highest count are ignored, since one of the runs may be unusual itself. */
const manyRuns = 10

export function differencesFrom(others: readonly Traits[], run: Traits): readonly Difference[] {
  const names = new Set([run, ...others].flatMap((traits) => [...traits.keys()]))
  const thresholds = thresholdsOf(others.length)
  const left = others.length < manyRuns ? 0 : 1
  return [...names].flatMap((trait) => {
    const times = run.get(trait) ?? 0
    const counts = others
      .map((other) => ((other.get(trait) ?? 0) * sizeOf(run)) / sizeOf(other))
      .toSorted((a, b) => a - b)
    const expected = [counts[left] ?? 0, counts[counts.length - 1 - left] ?? 0] as const
    const isNew = counts.every((count) => count === 0)
    return isUnusual(times, expected, isNew, thresholds) ? [{ trait, times, expected }] : []
  })
}

/** The number of messages that people sent; the other counts are roughly proportional to it. */
const sizeOf = (run: Traits): number => Math.max(1, run.get(saidByPerson) ?? 0)

function isUnusual(
  times: number,
  [least, most]: Difference['expected'],
  isNew: boolean,
  { fewestNew, fewestMissing, fewestShifted }: Thresholds,
): boolean {
  if (isNew) return times >= fewestNew
  if (times === 0) return least >= fewestMissing
  const isMore = times >= fewestShifted && times > most * shift
  return isMore || (least >= fewestShifted && times < least / shift)
}
