// One attempt of the delivery of a claimed generation: the limits of telegram/delivery-attempts.ts, and the care that it takes after
// attempts during which processes ended.

import { claimedAt } from '../../runtime/queue-worker.ts'
import { type Attempt, isLast } from '../../telegram/delivery-attempts.ts'
import type { Generation } from '../generation.ts'
import { endedProcesses } from '../queue.ts'

/** The time since which there is something to deliver. */
export const sinceOf = ({ arrivedLateAt, settledAt, createdAt }: Generation): Date =>
  arrivedLateAt ?? settledAt ?? createdAt

/**
 * It depends on the claimed row alone, so that the end of the attempt applies the same limits as its beginning. An attempt during which its
 * process ended counts as failed.
 */
export const attemptOf = (generation: Generation): Attempt => ({
  earlier: generation.attempts + endedProcesses(generation),
  since: sinceOf(generation),
  startedAt: claimedAt(generation),
})

/** Whether no other attempt follows if this one fails. */
export const isLastAttempt = (generation: Generation): boolean => isLast(attemptOf(generation))

/**
 * How many processes in a row must have ended during a delivery before the next one takes more care. A deploy releases its deliveries, and
 * an ordinary crash or kill affects a delivery once or twice. Four in a row, each at least half a minute after the previous one, are hardly
 * chance. Failed attempts before them do not count, so that each care is tried. The care ends with an attempt that has an outcome.
 */
const careAfter = { document: 4, link: 8, never: 12 }

/**
 * `document`: the file is sent without looking into it, since a decoder may have ended the processes. `link`: it is not even downloaded.
 * `never`: the delivery is given up, so that it does not end every process for ever. The result stays in the history.
 */
type Care = 'usual' | 'document' | 'link' | 'never'

export function careOf(generation: Generation): Care {
  const ended = endedProcesses(generation)
  if (ended >= careAfter.never) return 'never'
  if (ended >= careAfter.link) return 'link'
  return ended >= careAfter.document ? 'document' : 'usual'
}
