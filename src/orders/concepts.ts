// A cache of the gateway's list of concepts, refreshed at most once an hour. When a refresh fails, the last list is used.

import type { Concept } from '../gateway/client.ts'
import { type Clock, hourMs } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'

const freshMs = hourMs
/** The pause after a failed refresh. */
const retryMs = 60_000
/** The longest that a slow gateway delays a card. */
const waitMs = 3000

export type { Concept }

/** @param ask the gateway's operation */
export function cachedConcepts(
  ask: () => Promise<readonly Concept[]>,
  clock: Clock,
  log: Log,
): () => Promise<readonly Concept[]> {
  let known: readonly Concept[] = []
  let refreshAt = 0
  let refreshing: Promise<void> | undefined
  const after = (ms: number) => clock.now().getTime() + ms
  const refresh = async () => {
    try {
      known = await ask()
      refreshAt = after(freshMs)
    } catch (error) {
      refreshAt = after(retryMs)
      log.warn({ error }, 'concepts cannot be read')
    } finally {
      refreshing = undefined
    }
  }
  return async () => {
    if (clock.now().getTime() < refreshAt) return known
    refreshing ??= refresh()
    const answered = new AbortController()
    await Promise.race([refreshing, clock.wait(waitMs, answered.signal)])
    answered.abort()
    return known
  }
}
