// The answers that this process is writing or sending. Their leases are renewed while it runs, any process can stop them, and an
// ending process waits for them.

import { releaseTurns, renewTurns, type TurnLease } from '../../chat/deliveries.ts'
import { interrupted } from '../../chat/reading.ts'
import type { Database } from '../../db/client.ts'
import { allSettledWithin, type Clock } from '../../runtime/clock.ts'
import { createLeases } from '../../runtime/leases.ts'
import type { Log } from '../../runtime/log.ts'
import type { Nudges } from '../../runtime/nudges.ts'

export interface Running {
  /** Runs the work in the background under the lease of the turn. @param keys the keys by which `stop` finds it */
  start(turn: TurnLease, keys: readonly string[], work: (stop: AbortSignal) => Promise<void>): void
  /** Stops the answer, whichever process writes it. */
  stop(key: string): void
  /** Interrupts all answers and waits until they are settled and sent; answers that take too long are left to other processes. */
  stopAll(): Promise<void>
}

interface Deps {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
}

/** How long an ending process waits for its answers. */
const stopWithinMs = 10_000

export function createRunning(deps: Deps, nudges: Nudges): Running {
  const byKey = new Map<string, AbortController>()
  const works = new Map<Promise<void>, { readonly turn: TurnLease; readonly stopping: AbortController }>()
  const claimed = () => [...works.values()].map(({ turn }) => turn)
  const leases = createLeases<TurnLease>(deps, (held, until) => renewTurns(deps.db, held, until))
  nudges.on('stop', (key) => byKey.get(key)?.abort())
  return {
    start(turn, keys, work) {
      leases.start()
      const stopping = new AbortController()
      for (const key of keys) byKey.set(key, stopping)
      const { release } = leases.keep(turn)
      const running = work(stopping.signal)
        .catch((error: unknown) => deps.log.error({ turn: turn.id, error }, 'answer failed'))
        .finally(() => {
          release()
          works.delete(running)
          for (const key of keys) if (byKey.get(key) === stopping) byKey.delete(key)
        })
      works.set(running, { turn, stopping })
    },
    stop: (key) => nudges.send('stop', key),
    async stopAll() {
      for (const { stopping } of works.values()) stopping.abort(interrupted)
      await allSettledWithin([...works.keys()], deps.clock, stopWithinMs)
      await releaseTurns(deps, claimed())
      await leases.stop()
    },
  }
}
