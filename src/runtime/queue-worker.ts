// A worker for a table that is a queue (db/queue.ts): it claims rows under a lease and works on several of them in parallel. A nudge makes
// it claim at once; it also claims every second, for rows that have become due or whose nudge was lost. Leases are short and renewed while
// the process lives: rows of a process that died are soon claimed by another one, and rows of a process that is only slow are not.

import { AsyncLocalStorage } from 'node:async_hooks'
import { allSettledWithin, type Clock } from './clock.ts'
import type { Ids } from './ids.ts'
import type { Log } from './log.ts'
import { createLoop, type Loop } from './loop.ts'

/** A lease that was not renewed for this long has expired: its holder counts as dead. */
export const leaseMs = 30_000
/** The time between two claims without a nudge. */
export const queuePollMs = 1000

/** When a row was claimed; renewals do not change the row as it was claimed. */
export const claimedAt = ({ leaseUntil }: { readonly leaseUntil: Date | null }): Date =>
  new Date((leaseUntil?.getTime() ?? 0) - leaseMs)

/**
 * The lease under which the work was begun has expired. A process that was suspended (SIGSTOP, a paused machine) continues in the middle
 * of its work, which another process may have done meanwhile. It must not send outdated messages: an earlier card would follow a later one.
 */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

const current = new AsyncLocalStorage<() => boolean>()

/** Runs `work`; once its lease is lost, `assertLease` throws in it and in all that it has started. */
export const unlessLost = <T>(isLost: () => boolean, work: () => T): T => current.run(isLost, work)

export function assertLease(): void {
  if (current.getStore()?.()) throw new LeaseLost('the lease has expired, another process may do the same')
}

export interface Claim {
  readonly lease: string
  readonly now: Date
  /** The maximum of rows during which no process has ended. */
  readonly max: number
  /** The maximum of suspects: rows during which a process has ended or lost its lease. */
  readonly maxSuspects: number
}

interface Claimed {
  /** The claims since the row was released: 1, and one for each process in a row that ended during the work on it. */
  readonly claims: number
}

export interface Queue<Row extends Claimed> {
  claim(claim: Claim): Promise<readonly Row[]>
  /** Undoes the claim under this lease. */
  giveBack(lease: string): Promise<void>
  /** Extends the leases of those rows that are still held; it must not change rows whose lease was lost. */
  renew(held: readonly Row[], until: Date): Promise<void>
  /** Releases a row whose work has not ended when the process does. */
  release(row: Row): Promise<void>
  /**
   * Finishes the row or puts it off. If the row's lease is lost, no more requests for it are sent to Telegram. After an error, which is
   * logged, the row is claimed again when its lease has expired.
   */
  work(row: Row): Promise<void>
}

interface Settings {
  readonly slots: number
  readonly failed: string
}

interface Deps {
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

interface Held<Row> {
  readonly row: Row
  /** The end of its lease, in milliseconds since the epoch. */
  until: number
}

/** How long `stop` waits for the rows in progress. */
const stopMs = 20_000
/** A row that ends its process usually does so within this time. */
const suspicionMs = 10_000

export function createQueueWorker<Row extends Claimed>(
  deps: Deps,
  queue: Queue<Row>,
  { slots, failed }: Settings,
): Loop {
  const { clock, ids, log } = deps
  const running = new Map<Promise<void>, Held<Row>>()
  /** The suspects that may still end this process: at most one, since otherwise it is unknown which of them ended it. */
  let suspects = 0

  /** The process was suspended, or the database could not be reached. */
  const isLost = ({ until }: Held<Row>) => until <= clock.now().getTime()

  const launch = (row: Row, claimed: Date) => {
    const held = { row, until: claimed.getTime() + leaseMs }
    const begin = async () => queue.work(row)
    const work = unlessLost(() => isLost(held), begin)
      .catch((error: unknown) => log.error({ error }, failed))
      .then(() => {
        running.delete(work)
        // What the work has started may go on after its end, without a lease.
        held.until = Number.POSITIVE_INFINITY
        // Another row may have waited for this one, or for a free slot.
        loop.nudge()
      })
    running.set(work, held)
    if (row.claims > 1) void suspect(work)
  }

  const suspect = async (work: Promise<void>) => {
    suspects += 1
    await allSettledWithin([work], clock, suspicionMs)
    suspects -= 1
    loop.nudge()
  }

  const claim = async (claim: Claim): Promise<readonly Row[]> => {
    try {
      const rows = await queue.claim(claim)
      // If work on a row began later, its lease could expire before the renewal, and another process could do the same work.
      if (clock.now().getTime() - claim.now.getTime() >= leaseMs / 2)
        throw new Error('the claim took too long')
      return rows
    } catch (error) {
      // The statement may have been executed.
      await queue.giveBack(claim.lease).catch(() => undefined)
      throw error
    }
  }

  const pass = async () => {
    const max = slots - running.size
    if (max <= 0) return false
    const now = clock.now()
    const rows = await claim({ lease: ids.next(), now, max, maxSuspects: suspects === 0 ? 1 : 0 })
    for (const row of rows) launch(row, now)
    return false
  }

  const renew = async () => {
    const until = clock.now().getTime() + leaseMs
    const renewed = [...running.values()]
    const rows = renewed.map(({ row }) => row)
    if (rows.length > 0) await queue.renew(rows, new Date(until))
    // By now another process may hold an expired lease, and the renewal does not report that.
    for (const held of renewed) if (!isLost(held)) held.until = Math.max(held.until, until)
    return false
  }

  const loop = createLoop(deps, { pass, idleMs: queuePollMs, limitMs: leaseMs, failed })
  const idleMs = leaseMs / 3
  const renewal = createLoop(deps, {
    pass: renew,
    idleMs,
    limitMs: leaseMs,
    failed: 'leases cannot be renewed',
  })
  return {
    start() {
      renewal.start()
      loop.start()
    },
    nudge: loop.nudge,
    async stop() {
      await loop.stop()
      await allSettledWithin([...running.keys()], clock, stopMs)
      for (const { row } of running.values()) await queue.release(row)
      await renewal.stop()
    },
  }
}
