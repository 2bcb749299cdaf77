// Leases on claimed rows. They are short and renewed while the process lives: rows of a process that died are soon claimed by another
// one, and rows of a process that is only slow are not.

import type { Clock } from './clock.ts'
import type { Log } from './log.ts'
import { createLoop, type Loop } from './loop.ts'

/** A lease that was not renewed for this long has expired: its holder counts as dead. */
export const leaseMs = 30_000

/**
 * Whether a lease that was claimed will be renewed before it expires. The answer to a claim may come so late that it will not; if work on
 * the row began then, another process could claim the row and do the same work.
 */
export const canBeKept = (until: Date, now: Date): boolean => until.getTime() - now.getTime() > leaseMs / 2

interface Leases<Row> extends Loop {
  /**
   * Renews the lease of a claimed row until the returned function is called.
   * @returns ends the renewal
   */
  keep(row: Row): () => void
}

interface Deps {
  readonly clock: Clock
  readonly log: Log
}

/** @param renew extends the leases of those rows that are still held; it must not change rows whose lease was lost */
export function createLeases<Row>(
  deps: Deps,
  renew: (held: readonly Row[], until: Date) => Promise<void>,
): Leases<Row> {
  const held = new Set<Row>()
  const pass = async () => {
    const until = new Date(deps.clock.now().getTime() + leaseMs)
    if (held.size > 0) await renew([...held], until)
    return false
  }
  const loop = createLoop(deps, {
    pass,
    idleMs: leaseMs / 3,
    limitMs: leaseMs,
    failed: 'leases cannot be renewed',
  })
  return {
    ...loop,
    keep(row) {
      held.add(row)
      return () => held.delete(row)
    },
  }
}
