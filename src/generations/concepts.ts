// The gateway's list of concepts, asked for at most once an hour; when it can not be had the last one serves.

import type { Concept } from '../gateway/client.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'

const freshMs = 60 * 60_000
/** Not asked again at once when it failed. */
const pauseMs = 60_000

export type { Concept }

/** A card is not held up longer than this by a slow gateway. */
const patienceMs = 3000

/** @param ask the gateway's own operation */
export function cachedConcepts(
  ask: () => Promise<readonly Concept[]>,
  clock: Clock,
  log: Log,
): () => Promise<readonly Concept[]> {
  let known: readonly Concept[] = []
  let askAt = 0
  let asking: Promise<void> | undefined
  const later = (ms: number) => clock.now().getTime() + ms
  const refresh = async () => {
    try {
      known = await ask()
      askAt = later(freshMs)
    } catch (error) {
      askAt = later(pauseMs)
      log.warn({ error }, 'concepts can not be read')
    } finally {
      asking = undefined
    }
  }
  return async () => {
    if (clock.now().getTime() < askAt) return known
    asking ??= refresh()
    const answered = new AbortController()
    await Promise.race([asking, clock.wait(patienceMs, answered.signal)])
    answered.abort()
    return known
  }
}
