// What has happened outside is written down also when the database is away for a while: whoever found nothing written down would
// do it again.

import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import { isOutage } from './outage.ts'

interface Deps {
  readonly clock: Clock
  readonly log: Log
}

const pauseMs = 1000
/** A minute and a half, with the time that the statements take. */
const mostOutages = 90

/**
 * Runs `write` until no outage of the database fails it. It must not matter if an earlier run was done without our hearing of it.
 * @throws what is no outage, and the last one of too many
 */
export async function throughOutages<T>({ clock, log }: Deps, write: () => Promise<T>): Promise<T> {
  for (let outages = 1; ; outages += 1) {
    try {
      return await write()
    } catch (error) {
      if (!isOutage(error) || outages > mostOutages) throw error
      log.warn({ error, outages }, 'not written down yet: the database is away')
      await clock.wait(pauseMs)
    }
  }
}
