// Pure timing rules, in milliseconds: when the tracker looks again and when it gives up.

import { dayMs, hourMs, minuteMs } from '../runtime/clock.ts'

/** How long a generation may wait for a gateway that accepts no orders. */
export const submitDeadlineMs = 10 * minuteMs
/** How long after a lost answer to a submit a callback may still reveal the task. */
export const unknownGraceMs = 10 * minuteMs
/** The shortest such time, when the loss is found late: the submitting process may be alive and have the answer. */
export const shortestGraceMs = minuteMs
/**
 * How long a task may run; the next look after that decides. It is twice the slowest of the model's last tasks, within these limits
 * (run-limits.ts).
 */
export const runLimit = { shortestMs: 30 * minuteMs, longestMs: 4 * hourMs, slowestTimes: 2 }
/** How much longer a task waits for that last look while the gateway cannot be reached. */
export const lastLookMs = 10 * minuteMs
/** For how long, and how often, the task of a refunded order is still asked about. Its result is delivered free. */
export const lateLooks = { forMs: dayMs, pauseMs: 10 * minuteMs }

/** A task is lost when the gateway does not know it in this many looks in a row, each at least this long after the previous. */
export const missingTaskLooks = { looks: 5, apartMs: minuteMs / 2 }

/** The pause between two polls of the ids that callbacks named for an order without a task. The gateway may know one a little later. */
export const candidatesApartMs = minuteMs / 2

/**
 * The pause before the next look: a sixth of the elapsed time, at least the shortest pause and at most 20 times that, with ±20 % jitter.
 */
export function nextLookMs(elapsedMs: number, shortestMs: number, random: number): number {
  const steady = Math.min(Math.max(elapsedMs / 6, shortestMs), shortestMs * 20)
  return Math.round(steady * (0.8 + 0.4 * random))
}
