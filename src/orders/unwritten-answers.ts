// The gateway's answer to a submit is known to this process alone until it is written to the database. It is kept in memory and
// written again and again until the database accepts it, also after the step that submitted has exceeded its time limit.

import { maySucceedLater } from '../db/outage.ts'
import { backoffMs } from '../runtime/clock.ts'
import type { GenerationDeps } from './generation.ts'

export interface UnwrittenAnswers {
  /**
   * Runs `write` until it succeeds. `write` must be idempotent: an earlier run may have succeeded although it failed here.
   * @param facts what an operator needs to find the task if the process dies before the answer is written
   * @throws when the database refuses the answer permanently, or `stop` was called
   */
  write(facts: Facts, write: () => Promise<void>): Promise<void>
  /** Resolves when all answers are written. */
  idle(): Promise<void>
  /** Gives up the answers that are still unwritten, and logs them. */
  stop(): void
}

interface Facts {
  readonly generation: string
  readonly task?: string
}

/** Pauses of 0.5 s to 16 s, with jitter: many writers must not overload a database that has just come back. */
const pause = { shortestMs: 500, doublings: 5 }

export function createUnwrittenAnswers({
  clock,
  log,
  random,
}: Pick<GenerationDeps, 'clock' | 'log' | 'random'>): UnwrittenAnswers {
  const unwritten = new Set<Promise<void>>()
  const stopping = new AbortController()

  const writeUntilDone = async (facts: Facts, write: () => Promise<void>) => {
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
    async write(facts, write) {
      const writing = writeUntilDone(facts, write)
      unwritten.add(writing)
      await writing.finally(() => unwritten.delete(writing))
    },
    async idle() {
      while (unwritten.size > 0) await Promise.allSettled(unwritten)
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
