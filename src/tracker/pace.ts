// Pure timing rules, in milliseconds: when the tracker looks again and when it gives up.

const minute = 60_000

/** How long a generation may wait for a gateway that accepts no orders. */
export const submitDeadlineMs = 10 * minute
/** How long after a lost answer to a submit a callback may still reveal the task. */
export const unknownGraceMs = 10 * minute
/** The shortest such time, when the loss is found late: the submitting process may be alive and have the answer. */
export const shortestGraceMs = minute
/**
 * How long a task may run; the next look after that decides. It is twice the slowest of the model's last tasks, within these limits
 * (run-limits.ts).
 */
export const runLimit = { shortestMs: 30 * minute, longestMs: 4 * 60 * minute, slowestTimes: 2 }
/** How much longer a task waits for that last look while the gateway cannot be reached. */
export const lastLookMs = 10 * minute
/**
 * How often the pause between delivery attempts doubles. From a shortest pause of 3 s the attempts span an hour and a half, as long as an
 * outage of Telegram may last.
 */
export const late = { forMs: 24 * 60 * minute, pauseMs: 10 * minute }

/** A task is lost when the gateway does not know it in this many looks in a row, each at least this long after the previous. */
export const missing = { looks: 5, apartMs: minute / 2 }

/**
 * A candidate (a task id that a callback named for an order without a task) gets at most this many looks, each at least this long after
 * the previous, unless a callback names it again.
 */
export const unfitting = { looks: 5, apartMs: minute / 2 }

/**
 * The pause before the next look: a sixth of the elapsed time, at least the shortest pause and at most 20 times that, with ±20 % jitter.
 */
export function nextLookMs(elapsedMs: number, shortestMs: number, random: number): number {
  const steady = Math.min(Math.max(elapsedMs / 6, shortestMs), shortestMs * 20)
  return Math.round(steady * (0.8 + 0.4 * random))
}
