// Works on one kind of due generations. Each kind has a limit of its own, so that slow work of one kind never delays another.

import type { Generation, GenerationDeps } from '../generations/generation.ts'
import { leaseMs } from '../runtime/leases.ts'
import { createLoop, type Loop } from '../runtime/loop.ts'
import { type Claim, claim, type Kind } from './queue.ts'

interface Worker extends Loop {
  /** Claimed and not finished; stopping does not wait for them. */
  readonly running: ReadonlyMap<Generation, Promise<void>>
}

interface Work {
  readonly kind: Kind
  /** How many may run at once. */
  limit(): number
  claimed(claim: Claim): void
  /** Must not reject. */
  take(generation: Generation): Promise<void>
}

/** Due rows end the sleep by a nudge, see tracker.ts; this bounds the delay if that fails. */
const idleMs = 15_000

export function createWorker(deps: GenerationDeps, { kind, limit, claimed, take }: Work): Worker {
  const running = new Map<Generation, Promise<void>>()

  const launch = (generation: Generation) => {
    const work = take(generation).finally(() => {
      running.delete(generation)
      loop.nudge()
    })
    running.set(generation, work)
  }

  const pass = async () => {
    const free = limit() - running.size
    if (free <= 0) return false
    const found = await claim(deps, kind, free)
    claimed(found)
    for (const generation of found.held) launch(generation)
    return found.held.length > 0
  }

  const loop = createLoop(deps, {
    pass,
    idleMs,
    limitMs: leaseMs,
    failed: `due generations cannot be claimed: ${kind}`,
  })
  return { ...loop, running }
}
