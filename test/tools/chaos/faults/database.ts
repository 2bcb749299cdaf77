// Faults between the processes and the database: connections cut by the network or the server, and late responses, some later than
// a lease.

import type { Clock } from '../../../../src/runtime/clock.ts'
import type { Chance } from '../chance.ts'
import { everybody, type Journal } from '../journal.ts'
import type { RunDatabase } from '../machine/database.ts'

interface Deps {
  readonly database: RunDatabase
  readonly journal: Journal
  readonly clock: Clock
}

export async function spoilDatabase(
  { database, journal, clock }: Deps,
  chance: Chance,
  seconds: number,
  ending: AbortSignal,
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
      run: () => {
        const ms = chance.between(1600, 2600)
        relay.stall(ms, isHit)
        return ms
      },
    },
    { weight: 2, what: 'connections ended by the server', run: () => database.terminate(0.3) },
  ] as const
  while (seconds > 0 && !ending.aborted) {
    await clock.wait(seconds * (500 + 1000 * chance.next()), ending)
    if (ending.aborted) return
    const { what, run } = chance.weighed(strikes)
    journal.note(everybody, `database: ${what}`)
    journal.count(`fault: database ${what}`)
    const lastsMs = await run()
    if (lastsMs) void noteEnd({ journal, clock }, lastsMs)
  }
}

/** Notes how long the fault lasted, in real time: the clock of the run may be slower. */
async function noteEnd({ journal, clock }: Pick<Deps, 'journal' | 'clock'>, ms: number): Promise<void> {
  const began = performance.now()
  await clock.wait(ms)
  journal.note(
    everybody,
    `database: answers were later than a lease for ${Math.ceil(performance.now() - began)} ms`,
  )
}
