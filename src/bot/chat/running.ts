// The answers that this process is writing or sending: their claims are renewed while it lives, whoever asked can stop them from
// any process, and at the end they are waited for.

import { type Claimed, letGoOfTurns, renewTurns } from '../../chat/deliveries.ts'
import { interrupted } from '../../chat/reading.ts'
import type { Database } from '../../db/client.ts'
import { allSettledWithin } from '../../runtime/all-settled-within.ts'
import type { Clock } from '../../runtime/clock.ts'
import { createLeases } from '../../runtime/leases.ts'
import type { Log } from '../../runtime/log.ts'
import type { Nudges } from '../../runtime/nudges.ts'

export interface Running {
  /** Runs beside the handlers, under the lease of the turn. `keys` are what it can be stopped by. */
  start(turn: Claimed, keys: readonly string[], work: (stop: AbortSignal) => Promise<void>): void
  /** Whichever process writes it. */
  stop(key: string): void
  /** Breaks off what is being written and waits until it is settled and sent; what takes too long is left to others. */
  stopAll(): Promise<void>
}

interface Deps {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
}

/** How long an ending process waits for answers. */
const patienceMs = 10_000

export function createRunning(deps: Deps, nudges: Nudges): Running {
  const byKey = new Map<string, AbortController>()
  const works = new Map<Promise<void>, { readonly turn: Claimed; readonly stopping: AbortController }>()
  const claimed = () => [...works.values()].map(({ turn }) => turn)
  const leases = createLeases(deps, (names, until) => renewTurns(deps.db, claimed(), names, until))
  nudges.on('stop', (key) => byKey.get(key)?.abort())
  return {
    start(turn, keys, work) {
      leases.start()
      const stopping = new AbortController()
      for (const key of keys) byKey.set(key, stopping)
      const release = leases.keep(turn.lease ?? '')
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
      await allSettledWithin([...works.keys()], deps.clock, patienceMs)
      await letGoOfTurns(deps, claimed())
      await leases.stop()
    },
  }
}
