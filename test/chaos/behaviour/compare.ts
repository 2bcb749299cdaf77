// Compares the traits of a run with those of runs of the unchanged app. People, faults and the machine differ from run to run, so only what
// is far outside of all of them counts.

import { saidByPerson } from './chats.ts'
import type { Traits } from './traits.ts'

export interface Difference {
  readonly trait: string
  readonly times: number
  /** How often it would be there in a run of this length, the least and the most. */
  readonly expected: readonly [number, number]
}

/** A trait that no other run has, so often. */
const fewestNew = 8
/** A trait that the run lacks, if all others would have it so often. */
const fewestMissing = 12
/** The numbers from which the rest is compared, and by how much they differ. */
const fewestShifted = 40
const shift = 3

export function differencesFrom(others: readonly Traits[], run: Traits): readonly Difference[] {
  const names = new Set([run, ...others].flatMap((traits) => [...traits.keys()]))
  return [...names].flatMap((trait) => {
    const times = run.get(trait) ?? 0
    const counts = others.map((other) => ((other.get(trait) ?? 0) * sizeOf(run)) / sizeOf(other))
    const [least, most] = [Math.min(...counts), Math.max(...counts)]
    return isFar(times, least, most) ? [{ trait, times, expected: [least, most] as const }] : []
  })
}

/** What people said: the rest follows from it. */
const sizeOf = (run: Traits): number => Math.max(1, run.get(saidByPerson) ?? 0)

function isFar(times: number, least: number, most: number): boolean {
  if (most === 0) return times >= fewestNew
  if (times === 0) return least >= fewestMissing
  const isMore = times >= fewestShifted && times > most * shift
  return isMore || (least >= fewestShifted && times < least / shift)
}
