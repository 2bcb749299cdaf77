// Works on one kind of due generations. Each kind has a limit of its own, so that slow work of one kind never delays another.

import { isSuspect } from '../db/abandoned-rows.ts'
import { leased } from '../db/leased-queue.ts'
import type { Generation, GenerationDeps } from '../generations/generation.ts'
import type { Known, Place } from '../generations/place.ts'
import { canBeKept, leaseMs } from '../runtime/leases.ts'
import { createLoop, type Loop } from '../runtime/loop.ts'
import { createSuspectGate } from '../runtime/suspect-gate.ts'
import { type Claim, claim, type Kind, releaseGenerations } from './queue.ts'

export interface StepWorker extends Loop {
  /** Claimed and not finished; stopping does not wait for them. */
  readonly running: ReadonlyMap<Generation, Promise<void>>
  reserve(): Place | undefined
  /** Whether nothing is running or reserved. */
  isIdle(): boolean
  /** Resolves when nothing is running or reserved. */
  idle(): Promise<void>
}

interface Work {
  readonly kind: Kind
  /** How many may run at once. */
  limit(): number
  claimed(claim: Claim): void
  /** Works on a claimed generation; must not reject. */
  take(generation: Generation, known?: Known): Promise<void>
}

/** The share of the free places that a claim leaves to steps that begin at once meanwhile. */
const keptFree = 1 / 4
/** Due rows end the sleep by a nudge, see generation-watch.ts. */
const idleMs = 5 * 60_000

export function createStepWorker(deps: GenerationDeps, { kind, limit, claimed, take }: Work): StepWorker {
  const running = new Map<Generation, Promise<void>>()
  const usual = limit()
  const suspects = createSuspectGate(deps.clock)
  let reserved = 0
  /** Rows that a claim under way may return. */
  let claiming = 0
  let isOpen = false
  /** More rows may be due than there was room for. */
  let mayBeMore = false

  let waitingForIdle: (() => void)[] = []

  const free = () => limit() - running.size - reserved - claiming
  const isIdle = () => running.size + reserved === 0
  /** While fewer may run than usual, rows that are due wait for a place. */
  const isReduced = () => limit() < usual
  const becameFree = () => {
    if (mayBeMore || isReduced()) loop.nudge()
    if (!isIdle()) return
    for (const resolve of waitingForIdle) resolve()
    waitingForIdle = []
  }

  const launch = (generation: Generation, known?: Known) => {
    const work = take(generation, known).finally(() => {
      running.delete(generation)
      becameFree()
    })
    running.set(generation, work)
    if (isSuspect(generation)) void suspects.pass(work).then(loop.nudge)
  }

  const claimUpTo = async (most: number) => {
    const found = await claim(deps, kind, most, suspects.free())
    if (found.held.length >= most) mayBeMore = true
    claimed(found)
    const now = deps.clock.now()
    const isLate = ({ leaseUntil }: Generation) => !canBeKept(leaseUntil ?? now, now)
    for (const generation of found.held)
      if (!isLate(generation)) launch(generation, found.known.get(generation.id))
    // If their leases expired instead, this process would count as one that ended during their steps.
    await releaseGenerations(deps, found.held.filter(isLate))
  }

  const pass = async () => {
    mayBeMore = free() <= 0
    if (mayBeMore) return false
    const most = free() - Math.floor(free() * keptFree)
    claiming += most
    await claimUpTo(most).finally(() => {
      claiming -= most
    })
    return mayBeMore && free() > 0
  }

  const loop = createLoop(deps, {
    pass,
    idleMs,
    limitMs: leaseMs,
    failed: `due generations cannot be claimed: ${kind}`,
  })

  return {
    ...loop,
    running,
    isIdle,
    idle: () => (isIdle() ? Promise.resolve() : new Promise((resolve) => waitingForIdle.push(resolve))),
    reserve() {
      if (free() <= 0) mayBeMore = true
      if (!isOpen || free() <= 0) return undefined
      reserved += 1
      const lease = leased(deps.ids.next(), deps.clock.now())
      return {
        ...lease,
        take(generation, known) {
          reserved -= 1
          if (canBeKept(lease.leaseUntil, deps.clock.now())) launch(generation, known)
          else becameFree()
        },
        free() {
          reserved -= 1
          becameFree()
        },
      }
    },
    start() {
      isOpen = true
      loop.start()
    },
    stop() {
      isOpen = false
      return loop.stop()
    },
  }
}
