// Limits per second of a process: token buckets in memory.

import type { Clock } from './clock.ts'

interface Allowance {
  readonly perSecond: number
  readonly most: number
}

/** @returns a function that takes one token, and returns false when the bucket is empty */
export function createAllowance(clock: Clock, { perSecond, most }: Allowance): () => boolean {
  let left = most
  let filledAt = clock.now().getTime()
  return () => {
    const now = clock.now().getTime()
    left = Math.min(most, left + (Math.max(0, now - filledAt) * perSecond) / 1000)
    filledAt = now
    if (left < 1) return false
    left -= 1
    return true
  }
}

/**
 * A limit for work that may wait.
 * @returns a function that takes one token and returns 0, or returns in how many milliseconds to ask again: after those that wait already
 */
export function createTurns(clock: Clock, perSecond: number): () => number {
  const take = createAllowance(clock, { perSecond, most: Math.max(1, perSecond) })
  let lastTurnAt = 0
  return () => {
    if (take()) return 0
    const now = clock.now().getTime()
    lastTurnAt = Math.max(lastTurnAt, now) + 1000 / perSecond
    return Math.ceil(lastTurnAt - now)
  }
}
