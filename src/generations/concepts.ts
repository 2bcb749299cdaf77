// The gateway's list of concepts, asked for at most once an hour; when it can not be had the last one serves.

import type { Clock } from '../clock.ts'
import type { Concept } from '../gateway/client.ts'
import type { Log } from '../log.ts'

const freshMs = 60 * 60_000
/** Not asked again at once when it failed. */
const pauseMs = 60_000

export type { Concept }

/** @param ask the gateway's own operation */
export function cachedConcepts(
  ask: () => Promise<readonly Concept[]>,
  clock: Clock,
  log: Log,
): () => Promise<readonly Concept[]> {
  let known: readonly Concept[] = []
  let askAt = 0
  return async () => {
    const now = clock.now().getTime()
    if (now < askAt) return known
    askAt = now + pauseMs
    try {
      known = await ask()
      askAt = now + freshMs
    } catch (error) {
      log.warn({ error }, 'concepts can not be read')
    }
    return known
  }
}
