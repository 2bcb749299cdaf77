// Waiting with an end.

import type { Clock } from './clock.ts'

/** Waits until all have ended, well or badly. @returns false when `ms` passed before that */
export async function allSettledWithin(
  works: readonly Promise<unknown>[],
  clock: Clock,
  ms: number,
): Promise<boolean> {
  const over = new AbortController()
  const all = Promise.allSettled(works).then(() => true)
  const late = clock.wait(ms, over.signal).then(() => false)
  const inTime = await Promise.race([all, late])
  // The reason that it would have by itself, an error with its stack, takes longer than all the rest.
  over.abort(inTime)
  return inTime
}
