// When to look again, and when to give up: pure timing rules, in milliseconds.

const minute = 60_000

/** How long a generation may wait for a gateway that takes no orders. */
export const submitDeadlineMs = 10 * minute
/** How long a lost answer to a submit may still be resolved by a callback. */
export const unknownGraceMs = 10 * minute
/** How long a task may run. */
export const runDeadlineMs = 30 * minute
export const maxDeliveryAttempts = 12

/** A worker that has not finished by then is taken for dead; a synchronous answer may take three minutes. */
export const leaseMs = { work: 4 * minute, delivery: 5 * minute }

/** Looks come often at first, then every sixth of the elapsed time, at most 20 times the shortest pause; ±20 % apart. */
export function nextLookMs(elapsedMs: number, shortestMs: number, random: number): number {
  const steady = Math.min(Math.max(elapsedMs / 6, shortestMs), shortestMs * 20)
  return Math.round(steady * (0.8 + 0.4 * random))
}

/** 1, 2, 4 … pauses, at most 64, ±20 % apart; what the other side asked for comes first. */
export function backoffMs(attempts: number, shortestMs: number, random: number, askedMs = 0): number {
  const pause = shortestMs * 2 ** Math.min(attempts, 6)
  return Math.max(askedMs, Math.round(pause * (0.8 + 0.4 * random)))
}
