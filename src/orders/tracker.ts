// Advances due generations by one step at a time, with two workers, so that slow deliveries delay no other step. Each claims due rows when
// it is nudged, and every second. Any number of processes may run a tracker; each keeps in memory only the rows that it is working on.

import { allSettledWithin, hourMs, minuteMs } from '../runtime/clock.ts'
import type { Loop } from '../runtime/loop.ts'
import { createQueueWorker } from '../runtime/queue-worker.ts'
import type { Locale } from '../texts.ts'
import type { Generation, GenerationDeps } from './generation.ts'
import { claim, leasesOfGenerations, type QueueName, releaseGenerations } from './queue.ts'
import { takeStep } from './step.ts'
import { type ChatSteps, createStepDeps, type StepDeps } from './step-deps.ts'

export interface Tracker extends Omit<Loop, 'nudge'> {
  /** Claims due orders, or due deliveries. */
  nudge(queue?: string): void
  /** Edits the status message, beside the steps. */
  showStatus(generation: Generation, locale?: Locale): void
}

/**
 * How many rows a process works on at once; each delivery may have a whole file in memory. And the time limit of a step, above the sum of
 * all time limits within it; after that the row is left to be claimed again. A delivery may have 20 files, one after another: a server may
 * delay each by two minutes, and a video may have to be converted.
 */
const limits: Readonly<
  Record<QueueName, { readonly slots: number; readonly stepMs: number; readonly failed: string }>
> = {
  orders: { slots: 64, stepMs: 10 * minuteMs, failed: 'due orders cannot be claimed' },
  deliveries: { slots: 16, stepMs: 2 * hourMs, failed: 'due deliveries cannot be claimed' },
}

/** How long a stop waits for steps (runtime/queue-worker.ts), and then for the database to release the leases, which expire anyway. */
const stopMs = 23_000

/** @param chat the steps that take place in the chat */
export function createTracker(deps: GenerationDeps, chat: ChatSteps): Tracker {
  const stepDeps = createStepDeps(deps, chat, () => deliveries.nudge())
  const { statusUpdates, unwrittenAnswers } = stepDeps
  const orders = createStepWorker(stepDeps, 'orders')
  const deliveries = createStepWorker(stepDeps, 'deliveries')
  const workers = [orders, deliveries]
  return {
    start() {
      for (const worker of workers) worker.start()
    },
    nudge: (queue) => (queue === 'deliveries' ? deliveries : orders).nudge(),
    showStatus: (generation, locale) => statusUpdates.queue(generation, { locale }),
    async stop() {
      const stopped = Promise.all(workers.map((worker) => worker.stop()))
      const ended = stopped.then(unwrittenAnswers.idle).then(statusUpdates.idle)
      await allSettledWithin([ended], deps.clock, stopMs)
      unwrittenAnswers.stop()
    },
  }
}

function createStepWorker(deps: StepDeps, queue: QueueName): Loop {
  const { slots, stepMs, failed } = limits[queue]
  return createQueueWorker<Generation>(
    deps,
    {
      ...leasesOfGenerations(deps),
      claim: (which) => claim(deps, queue, which),
      release: (held) => releaseGenerations(deps, [held]),
      async work(generation) {
        if (await allSettledWithin([takeStep(deps, generation)], deps.clock, stepMs)) return
        deps.log.error({ generation: generation.id, queue }, 'step hangs')
      },
    },
    { slots, failed },
  )
}
