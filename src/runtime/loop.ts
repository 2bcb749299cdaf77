// Work that goes on by itself until it is stopped: pass after pass, with a sleep between them when there is nothing to do.

import { allSettledWithin } from './all-settled-within.ts'
import type { Clock } from './clock.ts'
import type { Log } from './log.ts'

export interface Loop {
  start(): void
  /** There may be something to do: cuts the sleep short, also the one that a pass under way would go into. */
  nudge(): void
  /** Begins no pass and waits for the one under way. */
  stop(): Promise<void>
}

interface Deps {
  readonly clock: Clock
  readonly log: Log
}

interface Work {
  /**
   * A pass that throws is logged and followed by a sleep.
   * @returns true to be called again at once
   */
  pass(stopping: AbortSignal): Promise<boolean>
  readonly idleMs: number
  /** A pass that takes longer hangs, and is left to itself; undefined waits for ever. */
  readonly limitMs?: number
  /** What the log says of a pass that threw. */
  readonly failed: string
}

export function createLoop({ clock, log }: Deps, { pass, idleMs, limitMs, failed }: Work): Loop {
  const stopping = new AbortController()
  let sleep = new AbortController()
  let running: Promise<void> | undefined

  const inTime = async (passing: Promise<boolean>) => {
    if (limitMs !== undefined && !(await allSettledWithin([passing], clock, limitMs)))
      throw new Error('it hangs')
    return passing
  }

  const run = async () => {
    while (!stopping.signal.aborted) {
      const asleep = new AbortController()
      sleep = asleep
      const hasMore = await inTime(pass(stopping.signal)).catch((error: unknown) => {
        log.error({ error }, failed)
        return false
      })
      if (!hasMore && !stopping.signal.aborted) await clock.wait(idleMs, asleep.signal)
    }
  }

  return {
    start() {
      running ??= run()
    },
    // With a reason, since the usual one is an error, made with its stack: nudges are many.
    nudge: () => sleep.abort('nudged'),
    async stop() {
      stopping.abort()
      sleep.abort()
      await running
    },
  }
}
