// Pauses between attempts. Each is twice as long as the previous one.

/** @param times how often the first pause was doubled */
export const doubledMs = (firstMs: number, times: number, longestMs = Number.POSITIVE_INFINITY): number =>
  Math.min(firstMs * 2 ** times, longestMs)

/** 1, 2, 4 … times the shortest pause, at most 64 times by default, ±20 % jitter; at least the pause that was asked for. */
export function backoffMs(
  attempts: number,
  shortestMs: number,
  random: number,
  askedMs = 0,
  doublings = 6,
): number {
  const pause = doubledMs(shortestMs, Math.min(attempts, doublings))
  return Math.max(askedMs, Math.round(pause * (0.8 + 0.4 * random)))
}
