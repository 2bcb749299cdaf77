// Whether the process can work. Anybody who reaches the port may ask, so requests of the same second share one check.

import type { Clock } from '../runtime/clock.ts'

/** How long an answer is used. */
const freshMs = 1000

export function createReadiness(
  check: () => Promise<boolean>,
  clock: Pick<Clock, 'now'>,
): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined
  let freshUntil = 0
  return () => {
    if (answer && clock.now().getTime() < freshUntil) return answer
    freshUntil = Number.POSITIVE_INFINITY
    answer = check().finally(() => {
      freshUntil = clock.now().getTime() + freshMs
    })
    return answer
  }
}
