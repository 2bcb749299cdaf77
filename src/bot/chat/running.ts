// The answers that this process writes, and sends when they are written. Their leases are renewed while it runs, any process can stop them, and an
// ending process waits for them.

import type { Turn } from '../../chat/conversations.ts'
import { renewTurns, turnLeases } from '../../chat/deliveries.ts'
import { interrupted } from '../../chat/reading.ts'
import { askToStop, type Stoppable } from '../../chat/turns.ts'
import type { Database } from '../../db/client.ts'
import type { Nudges } from '../../db/nudges.ts'
import { allSettledWithin, type Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import { createLoop } from '../../runtime/loop.ts'
import { leaseMs } from '../../runtime/queue-worker.ts'

export interface Running {
  /** Runs the work in the background under the lease of the turn. */
  start(turn: Turn, work: (stop: AbortSignal) => Promise<void>): void
  /**
   * Stops an answer, whichever process writes it: at once by a nudge, or when its lease is renewed if the nudge is lost.
   * @returns false when it is not being written
   */
  stop(which: Stoppable): Promise<boolean>
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
  const works = new Map<Promise<void>, { readonly turn: Turn; readonly stopping: AbortController }>()
  const abort = (id: string) => {
    for (const { turn, stopping } of works.values()) if (turn.id === id) stopping.abort()
  }
  const renew = async () => {
    const until = new Date(deps.clock.now().getTime() + leaseMs)
    const held = [...works.values()].map(({ turn }) => turn)
    if (held.length > 0) for (const id of await renewTurns(deps.db, held, until)) abort(id)
    return false
  }
  const failed = 'leases cannot be renewed'
  const renewal = createLoop(deps, { pass: renew, idleMs: leaseMs / 3, limitMs: leaseMs, failed })
  nudges.on('stop', abort)
  return {
    start(turn, work) {
      renewal.start()
      const stopping = new AbortController()
      const running = work(stopping.signal)
        .catch((error: unknown) => deps.log.error({ turn: turn.id, error }, 'answer failed'))
        .finally(() => works.delete(running))
      works.set(running, { turn, stopping })
    },
    async stop(which) {
      const asked = await askToStop(deps, which)
      for (const id of asked) nudges.send('stop', id)
      return asked.length > 0
    },
    async stopAll() {
      for (const { stopping } of works.values()) stopping.abort(interrupted)
      await allSettledWithin([...works.keys()], deps.clock, stopWithinMs)
      await renewal.stop()
      for (const { turn } of works.values()) await turnLeases(deps.db).release(turn)
    },
  }
}
