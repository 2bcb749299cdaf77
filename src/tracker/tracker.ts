// Advances due generations by one step at a time, with one worker per kind of step. The workers sleep until one statement for all kinds
// finds something due. A nudge only cuts a sleep short: the table decides what is due. Any number of processes may run a tracker; each keeps in memory only the rows that it is working on.

import type { Generation, GenerationDeps } from '../generations/generation.ts'
import { allSettledWithin } from '../runtime/clock.ts'
import { createLeases, leaseMs } from '../runtime/leases.ts'
import { createLoop, type Loop, shortestIdleMs } from '../runtime/loop.ts'
import { isAnyDue, type Kind, kinds, letGo, renew } from './queue.ts'
import { takeStep } from './step.ts'
import { type ChatSteps, createStepDeps } from './step-deps.ts'
import { createWorker } from './worker.ts'

export type Tracker = Loop

/** Each delivery may have a whole file in memory. */
const mostDeliveries = 16
const mostOthers = 8

/** Above the sum of all time limits within one step. After that the row is left to be claimed again. */
const stepMs = 10 * 60_000
/**
 * The same for a delivery of up to 20 files, one after another: a server may delay each by two minutes, and a video may have to
 * be converted. An attempt that loses its row is not counted, so with a shorter limit the results would never be given up and
 * refunded.
 */
const deliveryMs = 2 * 60 * 60_000
/** How long a stop waits for running steps, and then for the database to release the leases, which expire anyway. */
const stopMs = 20_000
const letGoMs = 3000

/** The look budget holds the tokens of one second: with longer sleeps some of them would expire. */
const longestIdleMs = 1000

/** @param chat the steps that take place in the chat */
export function createTracker(deps: GenerationDeps, chat: ChatSteps): Tracker {
  const stepDeps = createStepDeps(deps, chat)
  const { circuit, limit, statusUpdates, unwrittenAnswers } = stepDeps
  const leases = createLeases<Generation>(deps, (held, until) => renew(deps, held, until))
  const limits: Partial<Record<Kind, () => number>> = {
    submit: limit.current,
    look: limit.current,
    reveal: limit.current,
    await: limit.current,
    deliver: () => mostDeliveries,
  }

  const workers = kinds.map((kind) =>
    createWorker(deps, {
      kind,
      limit: limits[kind] ?? (() => mostOthers),
      claimed({ isProbe }) {
        if (isProbe) circuit.probing()
      },
      async take(generation) {
        const release = leases.keep(generation)
        const step = takeStep(stepDeps, kind, generation)
        const hasEnded = await allSettledWithin([step], deps.clock, kind === 'deliver' ? deliveryMs : stepMs)
        if (!hasEnded) deps.log.error({ generation: generation.id, kind }, 'step hangs')
        release()
        // The step may have settled the generation: its delivery is due at once.
        if (kind !== 'deliver') deliveries?.nudge()
      },
    }),
  )
  const deliveries = workers[kinds.indexOf('deliver')]
  const nudge = () => {
    for (const worker of workers) worker.nudge()
  }
  const dueWatch = createLoop(deps, {
    async pass() {
      if (await isAnyDue(deps)) nudge()
      return false
    },
    idleMs: Math.min(Math.max(deps.pollIntervalMs / 3, shortestIdleMs), longestIdleMs),
    limitMs: leaseMs,
    failed: 'due generations cannot be looked for',
  })
  const running = (): Generation[] => workers.flatMap((worker) => [...worker.running.keys()])

  return {
    start() {
      for (const loop of [leases, dueWatch, ...workers]) loop.start()
    },
    nudge,
    async stop() {
      await Promise.all([dueWatch, ...workers].map((loop) => loop.stop()))
      const steps = Promise.all(workers.flatMap((worker) => [...worker.running.values()]))
      const ended = steps.then(unwrittenAnswers.idle).then(statusUpdates.idle)
      await allSettledWithin([ended], deps.clock, stopMs)
      unwrittenAnswers.stop()
      const letting = letGo(deps, running()).catch((error: unknown) =>
        deps.log.warn({ error }, 'leases cannot be handed back'),
      )
      await allSettledWithin([letting], deps.clock, letGoMs)
      await leases.stop()
    },
  }
}
