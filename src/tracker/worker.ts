// One kind of work with places of its own, so that slow work of one kind never holds up another.

import type { Generation, GenerationDeps } from '../generations/generation.ts'
import { leaseMs } from '../runtime/leases.ts'
import { createLoop, type Loop } from '../runtime/loop.ts'
import { type Claim, claim, type Kind } from './queue.ts'

export interface Lane extends Loop {
  /** Claimed and not finished; stopping does not wait for it. */
  readonly atWork: ReadonlyMap<Generation, Promise<void>>
}

interface Work {
  readonly kind: Kind
  readonly places: () => number
  claimed(claim: Claim): void
  /** Never rejects. */
  take(generation: Generation, lease: string): Promise<void>
}

/** The budget of looks holds a second's worth: who slept longer would leave some of it unused. */
const longestIdleMs = 1000

export function createLane(deps: GenerationDeps, { kind, places, claimed, take }: Work): Lane {
  const atWork = new Map<Generation, Promise<void>>()

  const launch = (generation: Generation, lease: string) => {
    const work = take(generation, lease).finally(() => {
      atWork.delete(generation)
      loop.nudge()
    })
    atWork.set(generation, work)
  }

  const pass = async () => {
    const free = places() - atWork.size
    if (free <= 0) return false
    const found = await claim(deps, kind, free)
    claimed(found)
    for (const generation of found.held) launch(generation, found.lease)
    return found.held.length > 0
  }

  const idleMs = Math.min(deps.pollIntervalMs / 3, longestIdleMs)
  const loop = createLoop(deps, {
    pass,
    idleMs,
    limitMs: leaseMs,
    failed: `what is due can not be read: ${kind}`,
  })
  return { ...loop, atWork }
}
