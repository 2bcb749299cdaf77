// What the gateway answered to a submit is known to this process alone until the database has it. It is kept in memory and
// written again and again until the database takes it, also after the step that asked has run out of time.

import { maySucceedLater } from '../db/outage.ts'
import type { GenerationDeps } from '../generations/generation.ts'
import { backoffMs } from './pace.ts'

export interface Keeper {
  /**
   * Runs `write` until it succeeds. It must not matter if an earlier run was done without our hearing of it.
   * @param facts what an operator needs to find the task, should the process die before that
   * @throws when the database refuses it for good, or `stop` was called
   */
  keep(facts: Kept, write: () => Promise<void>): Promise<void>
  /** Resolves when nothing is kept. */
  idle(): Promise<void>
  /** What is still not written is given up, and logged. */
  stop(): void
}

interface Kept {
  readonly generation: string
  readonly task?: string
}

/** Pauses of 0.5 s to 16 s: many that wait for one database must not storm it when it comes back. */
const pause = { shortestMs: 500, doublings: 5 }

export function createKeeper({
  clock,
  log,
  random,
}: Pick<GenerationDeps, 'clock' | 'log' | 'random'>): Keeper {
  const kept = new Set<Promise<void>>()
  const stopping = new AbortController()

  const insist = async (facts: Kept, write: () => Promise<void>) => {
    for (let failures = 0; ; failures += 1) {
      const error = await failureOf(write)
      if (error === undefined) return
      if (!maySucceedLater(error)) {
        log.error({ ...facts, error }, 'an answer to a submit is refused by the database')
        throw error
      }
      if (failures === 0) log.error({ ...facts, error }, 'an answer to a submit cannot be written yet: kept')
      const waitMs = backoffMs(failures, pause.shortestMs, random(), 0, pause.doublings)
      await clock.wait(waitMs, stopping.signal)
      if (!stopping.signal.aborted) continue
      log.error(facts, 'an answer to a submit was not written before the stop')
      throw error
    }
  }

  return {
    async keep(facts, write) {
      const work = insist(facts, write)
      kept.add(work)
      await work.finally(() => kept.delete(work))
    },
    async idle() {
      while (kept.size > 0) await Promise.allSettled(kept)
    },
    stop: () => stopping.abort('stopped'),
  }
}

async function failureOf(work: () => Promise<void>): Promise<unknown> {
  try {
    await work()
    return undefined
  } catch (error) {
    return error ?? new Error('failed without an error')
  }
}
