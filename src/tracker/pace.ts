// When to look again, and when to give up: pure timing rules, in milliseconds.

const minute = 60_000

/** How long a generation may wait for a gateway that takes no orders. */
export const submitDeadlineMs = 10 * minute
/** How long a lost answer to a submit may still be resolved by a callback. */
export const unknownGraceMs = 10 * minute
/** At least so long when the loss is found late: the process that asked may live, and have the answer. */
export const shortestGraceMs = minute
/** How long a task may run; the look that comes then decides. */
export const runDeadlineMs = 30 * minute
/** How much longer that look is waited for while the gateway can not be asked. */
export const lastLookMs = 10 * minute
export const maxDeliveryAttempts = 12
/** With pauses of 3 s the attempts last for an hour and a half: Telegram may be away for that long. */
export const deliveryDoublings = 9

/** A task that the gateway does not know in so many looks in a row, each so long after the one before, is lost. */
export const missing = { looks: 5, apartMs: minute / 2 }

/** The same for a task id that a callback named for an order without one. */
export const unfitting = { looks: 5, apartMs: minute / 2 }

/** Looks come often at first, then every sixth of the elapsed time, at most 20 times the shortest pause; ±20 % apart. */
export function nextLookMs(elapsedMs: number, shortestMs: number, random: number): number {
  const steady = Math.min(Math.max(elapsedMs / 6, shortestMs), shortestMs * 20)
  return Math.round(steady * (0.8 + 0.4 * random))
}

/** 1, 2, 4 … pauses, at most 64 unless told otherwise, ±20 % apart; what the other side asked for comes first. */
export function backoffMs(
  attempts: number,
  shortestMs: number,
  random: number,
  askedMs = 0,
  doublings = 6,
): number {
  const pause = shortestMs * 2 ** Math.min(attempts, doublings)
  return Math.max(askedMs, Math.round(pause * (0.8 + 0.4 * random)))
}
