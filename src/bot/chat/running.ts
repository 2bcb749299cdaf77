// The answers that are being written, in this process and others: found by the person who stops one, waited for at the end.

import { interrupted } from '../../chat/answer.ts'
import type { Nudges } from '../../nudges.ts'

export interface Running {
  /** Runs beside the handlers, so that whoever asked can go on. `keys` are what it can be stopped by. */
  start(keys: readonly string[], work: (stop: AbortSignal) => Promise<void>): void
  /** Whichever process writes it. */
  stop(key: string): void
  /** Breaks all off and waits until they are settled and sent as far as they came. */
  stopAll(): Promise<void>
}

export function createRunning(nudges: Nudges): Running {
  const byKey = new Map<string, AbortController>()
  const works = new Set<Promise<void>>()
  nudges.on('stop', (key) => byKey.get(key)?.abort())
  return {
    start(keys, work) {
      const stopping = new AbortController()
      for (const key of keys) byKey.set(key, stopping)
      const running = work(stopping.signal).finally(() => {
        works.delete(running)
        for (const key of keys) if (byKey.get(key) === stopping) byKey.delete(key)
      })
      works.add(running)
    },
    stop: (key) => nudges.send('stop', key),
    async stopAll() {
      for (const stopping of byKey.values()) stopping.abort(interrupted)
      await Promise.allSettled(works)
    },
  }
}
