// Leases on claimed rows. They are short and renewed while the process lives: rows of a process that died are soon claimed by another
// one, and rows of a process that is only slow are not.

import type { Clock } from './clock.ts'
import type { Log } from './log.ts'
import { createLoop, type Loop } from './loop.ts'

/** A lease that was not renewed for this long has expired: its holder counts as dead. */
export const leaseMs = 30_000

/**
 * Whether a claimed lease will be renewed before it expires. The answer to a claim may arrive too late for that. If work on the row began
 * then, another process could claim the row and do the same work.
 */
export const canBeKept = (until: Date, now: Date): boolean => until.getTime() - now.getTime() > leaseMs / 2

/** When a row was claimed; renewals do not change the row as it was claimed. */
export const claimedAt = ({ leaseUntil }: { readonly leaseUntil: Date | null }): Date =>
  new Date((leaseUntil?.getTime() ?? 0) - leaseMs)

interface Kept {
  /** Ends the renewal. */
  release(): void
  /** Whether the lease expired before it was released: the process was suspended, or the database could not be reached. */
  isLost(): boolean
}

interface Leases<Row> extends Loop {
  /**
   * Renews the lease of a claimed row until it is released.
   * @param claimedAt a moment before the claim
   */
  keep(row: Row, claimedAt?: Date): Kept
}

interface Term {
  /** The end of the lease, in milliseconds since the epoch. */
  until: number
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
  const held = new Map<Row, Term>()
  const isOver = ({ until }: Term) => until <= deps.clock.now().getTime()

  const pass = async () => {
    const until = new Date(deps.clock.now().getTime() + leaseMs)
    const renewed = [...held]
    if (renewed.length > 0)
      await renew(
        renewed.map(([row]) => row),
        until,
      )
    // By now another process may hold an expired lease, and the renewal does not report that.
    for (const [, term] of renewed) if (!isOver(term)) term.until = until.getTime()
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
    keep(row, claimedAt = deps.clock.now()) {
      const term = { until: claimedAt.getTime() + leaseMs }
      held.set(row, term)
      return {
        release: () => void held.delete(row),
        isLost: () => held.has(row) && isOver(term),
      }
    },
  }
}
