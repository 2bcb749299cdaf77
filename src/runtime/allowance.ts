// How many requests of strangers a process answers with work: a token bucket in memory.

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
