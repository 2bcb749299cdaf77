// A clock that a test advances manually.

import type { Clock } from '../../../src/runtime/clock.ts'

export interface HandClock extends Clock {
  advance(ms: number): void
  /** Whether a wait ends exactly `ms` after now. */
  isWaitedFor(ms: number): boolean
}

export function handClock(start = new Date('2026-11-21T12:00:00Z')): HandClock {
  let now = start.getTime()
  let sleepers: { at: number; wake: () => void }[] = []
  return {
    now: () => new Date(now),
    wait: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const sleeper = { at: now + ms, wake: resolve }
        sleepers.push(sleeper)
        const leave = () => {
          sleepers = sleepers.filter((one) => one !== sleeper)
          resolve()
        }
        signal?.addEventListener('abort', leave, { once: true })
      }),
    advance(ms) {
      now += ms
      const due = sleepers.filter((sleeper) => sleeper.at <= now)
      sleepers = sleepers.filter((sleeper) => sleeper.at > now)
      for (const { wake } of due) wake()
    },
    isWaitedFor: (ms) => sleepers.some(({ at }) => at === now + ms),
  }
}
