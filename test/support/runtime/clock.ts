// A clock that a test advances manually, and that tells the test when a wait begins.

import type { Clock } from '../../../src/runtime/clock.ts'

export interface HandClock extends Clock {
  advance(ms: number): void
  /** Whether a wait ends exactly `ms` after now. */
  isWaitedFor(ms: number): boolean
  /** Resolves once for each wait of exactly this length. */
  asked(ms: number): Promise<void>
}

export function handClock(start = new Date('2026-11-21T12:00:00Z')): HandClock {
  let now = start.getTime()
  let sleepers: { at: number; wake: () => void }[] = []
  /** The lengths of waits, and the watchers of those to come. */
  const asks: number[] = []
  let watchers: { ms: number; seen: () => void }[] = []

  const note = (ms: number) => {
    const watcher = watchers.find((one) => one.ms === ms)
    watchers = watchers.filter((one) => one !== watcher)
    if (watcher) watcher.seen()
    else asks.push(ms)
  }
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
        note(ms)
      }),
    advance(ms) {
      now += ms
      const due = sleepers.filter((sleeper) => sleeper.at <= now)
      sleepers = sleepers.filter((sleeper) => sleeper.at > now)
      for (const { wake } of due) wake()
    },
    isWaitedFor: (ms) => sleepers.some(({ at }) => at === now + ms),
    asked(ms) {
      const index = asks.indexOf(ms)
      if (index < 0) return new Promise((seen) => void watchers.push({ ms, seen }))
      asks.splice(index, 1)
      return Promise.resolve()
    },
  }
}
