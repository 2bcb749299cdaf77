// What happens between the processes and the database: connections cut on the way or by the server, answers that come late,
// now and then later than a lease lasts.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Chance } from '../chance.ts'
import { everybody, type Journal } from '../journal.ts'
import type { RunDatabase } from '../machine/database.ts'

export async function spoilDatabase(
  database: RunDatabase,
  chance: Chance,
  journal: Journal,
  seconds: number,
  home: AbortSignal,
): Promise<void> {
  const { relay } = database
  const isHit = () => chance.happens(0.4)
  const strikes = [
    {
      weight: 4,
      what: 'connections cut',
      run: () => relay.cut(isHit),
    },
    { weight: 4, what: 'answers a little late', run: () => relay.stall(chance.between(50, 500), isHit) },
    {
      weight: 2,
      what: 'answers later than a lease',
      run: () => relay.stall(chance.between(1600, 2600), isHit),
    },
    { weight: 2, what: 'connections ended by the server', run: () => database.terminate(0.3) },
  ] as const
  while (seconds > 0 && !home.aborted) {
    await sleep(seconds * (500 + 1000 * chance.next()), undefined, { signal: home }).catch(() => undefined)
    if (home.aborted) return
    const { what, run } = chance.weighed(strikes)
    journal.note(everybody, `database: ${what}`)
    journal.count(`fault: database ${what}`)
    await run()
  }
}
