// The answers that are being written in this process: found by the person who stops one, waited for at the end.

import { interrupted } from '../../chat/answer.ts'

export interface Running {
  /** Runs beside the handlers, so that whoever asked can go on. `keys` are what it can be stopped by. */
  start(keys: readonly string[], work: (stop: AbortSignal) => Promise<void>): void
  /** @returns false when there is none of this key */
  stop(key: string): boolean
  /** Breaks all off and waits until they are settled and sent as far as they came. */
  stopAll(): Promise<void>
}

export function createRunning(): Running {
  const byKey = new Map<string, AbortController>()
  const works = new Set<Promise<void>>()
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
    stop(key) {
      const found = byKey.get(key)
      found?.abort()
      return found !== undefined
    },
    async stopAll() {
      for (const stopping of byKey.values()) stopping.abort(interrupted)
      await Promise.allSettled(works)
    },
  }
}
