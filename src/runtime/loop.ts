// A background loop: repeated passes, with a sleep after a pass that found nothing to do.

import { allSettledWithin, type Clock } from './clock.ts'
import type { Log } from './log.ts'

export interface Loop {
  start(): void
  /** Ends the current sleep; during a pass, skips the sleep that follows it. */
  nudge(): void
  /** Starts no further pass and waits for the current one. */
  stop(): Promise<void>
}

interface Deps {
  readonly clock: Clock
  readonly log: Log
}

interface Work {
  /**
   * When it throws, the error is logged and the loop sleeps.
   * @returns true to run the next pass at once; a number of milliseconds to sleep instead of `idleMs`
   */
  pass(stopping: AbortSignal): Promise<boolean | number>
  readonly idleMs: number
  /** Time limit of a pass. The loop continues after it, although the hung pass is still running; undefined means no limit. */
  readonly limitMs?: number
  readonly failed: string
}

export function createLoop({ clock, log }: Deps, { pass, idleMs, limitMs, failed }: Work): Loop {
  const stopping = new AbortController()
  let sleep = new AbortController()
  let running: Promise<void> | undefined

  const inTime = async (passing: Promise<boolean | number>) => {
    if (limitMs !== undefined && !(await allSettledWithin([passing], clock, limitMs)))
      throw new Error(`the pass takes more than ${limitMs} ms`)
    return passing
  }

  const run = async () => {
    while (!stopping.signal.aborted) {
      const asleep = new AbortController()
      sleep = asleep
      const next = await inTime(pass(stopping.signal)).catch((error: unknown) => {
        log.error({ error }, failed)
        return false
      })
      const sleepMs = typeof next === 'number' ? next : idleMs
      if (next !== true && !stopping.signal.aborted) await clock.wait(sleepMs, asleep.signal)
    }
  }

  return {
    start() {
      running ??= run()
    },
    // An explicit reason: the default one is an Error, and capturing its stack is slow for frequent nudges.
    nudge: () => sleep.abort('nudged'),
    async stop() {
      stopping.abort()
      sleep.abort()
      await running
    },
  }
}
