// What this process has claimed is kept for it while it lives: claims are short and renewed, so that others soon take over
// from a process that died, and nobody takes anything from one that is only slow.

import type { Clock } from './clock.ts'
import type { Log } from './log.ts'
import { createLoop, type Loop } from './loop.ts'

/** Whoever has not renewed a claim for so long is taken for dead. */
export const leaseMs = 30_000

export interface Leases extends Loop {
  /**
   * One more row is at work under this lease: it is renewed until each of its rows is let go of.
   * @returns lets go of the row
   */
  keep(lease: string): () => void
}

interface Deps {
  readonly clock: Clock
  readonly log: Log
}

/** @param renew writes the new end wherever one of these leases is still held; those that were lost it must not touch */
export function createLeases(
  deps: Deps,
  renew: (leases: readonly string[], until: Date) => Promise<void>,
): Leases {
  const rowsOf = new Map<string, number>()
  const pass = async () => {
    const until = new Date(deps.clock.now().getTime() + leaseMs)
    if (rowsOf.size > 0) await renew([...rowsOf.keys()], until)
    return false
  }
  return {
    ...createLoop(deps, {
      ...{ pass, idleMs: leaseMs / 3, limitMs: leaseMs },
      failed: 'leases can not be renewed',
    }),
    keep(lease) {
      rowsOf.set(lease, (rowsOf.get(lease) ?? 0) + 1)
      return () => {
        const left = (rowsOf.get(lease) ?? 1) - 1
        if (left > 0) rowsOf.set(lease, left)
        else rowsOf.delete(lease)
      }
    },
  }
}
