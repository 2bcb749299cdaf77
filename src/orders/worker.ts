// Advances due generations by one step at a time, with two workers, so that slow deliveries delay no other step. Each claims due rows when
// it is nudged, and every second. Any number of processes may run a tracker; each keeps in memory only the rows that it is working on.

import { allSettledWithin, createTurns, hourMs, minuteMs } from '../runtime/clock.ts'
import { within } from '../runtime/log.ts'
import type { Loop } from '../runtime/loop.ts'
import { createQueueWorker } from '../runtime/queue-worker.ts'
import type { Locale } from '../texts.ts'
import { createBreaker } from './breaker.ts'
import { createStatusUpdates, type UpdateStatus } from './deliver/messages.ts'
import {
  claim,
  dueStep,
  type Generation,
  type GenerationDeps,
  leasesOfGenerations,
  type QueueName,
  releaseGeneration,
  writeAndRelease,
} from './generation.ts'
import { lookLate, poll, reveal } from './poll.ts'
import type { StepDeps } from './settle.ts'
import { becomeUnknown, submit } from './submit.ts'

export interface Tracker extends Loop {
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

export interface ChatSteps {
  /**
   * Sends the results or explains the failure, and writes the outcome under the lease of the row.
   * @returns the row if the delivery has ended and its status message is still to be updated
   */
  deliver(generation: Generation): Promise<Generation | undefined>
  readonly updateStatus: UpdateStatus
}

interface WorkerDeps extends StepDeps, Pick<ChatSteps, 'deliver'> {
  /** In how many milliseconds a task may be asked about: 0 takes one of the polls of this second. */
  readonly pollWaitMs: () => number
}

export const createStepDeps = (
  deps: GenerationDeps,
  { deliver, updateStatus }: ChatSteps,
  wakeDeliveries: () => void = () => undefined,
): WorkerDeps => ({
  ...deps,
  deliver,
  wakeDeliveries,
  breaker: createBreaker(deps),
  pollWaitMs: createTurns(deps.clock, deps.pollsPerSecond),
  statusUpdates: createStatusUpdates(deps, updateStatus),
})

export function createTracker(deps: GenerationDeps, chat: ChatSteps): Tracker {
  const stepDeps = createStepDeps(deps, chat, () => deliveries.nudge())
  const orders = createStepWorker(stepDeps, 'orders')
  const deliveries = createStepWorker(stepDeps, 'deliveries')
  const workers = [orders, deliveries]
  const { statusUpdates } = stepDeps
  return {
    start() {
      for (const worker of workers) worker.start()
    },
    nudge() {
      for (const worker of workers) worker.nudge()
    },
    showStatus: (generation, locale) => statusUpdates.queue(generation, { locale }),
    async stop() {
      const stopped = Promise.all(workers.map((worker) => worker.stop()))
      await allSettledWithin([stopped.then(statusUpdates.idle)], deps.clock, stopMs)
    },
  }
}

function createStepWorker(deps: WorkerDeps, queue: QueueName): Loop {
  const { slots, stepMs, failed } = limits[queue]
  return createQueueWorker<Generation>(
    deps,
    {
      ...leasesOfGenerations(deps),
      claim: (which) => claim(deps, queue, which),
      release: (held) => releaseGeneration(deps, held),
      async work(generation) {
        if (await allSettledWithin([takeStep(deps, generation)], deps.clock, stepMs)) return
        deps.log.error({ generation: generation.id, queue }, 'step hangs')
      },
    },
    { slots, failed },
  )
}

/** Takes one step; never rejects. A step that throws is repeated when its lease expires. */
export const takeStep = (deps: WorkerDeps, generation: Generation): Promise<void> => {
  const { id, userId, modelId: model, state, taskId, attempts } = generation
  const attempt = async () => {
    const startedAt = deps.clock.now().getTime()
    deps.log.debug(
      { generation: id, model, state, ...(taskId === null ? {} : { task: taskId }), attempts },
      'step begins',
    )
    await step(deps, generation).catch((error: unknown) =>
      deps.log.error({ generation: id, state, error }, 'step failed'),
    )
    deps.log.debug({ generation: id, state, ms: deps.clock.now().getTime() - startedAt }, 'step ended')
  }
  return within({ generation: id }, attempt, { user: userId.toString() })
}

async function step(deps: WorkerDeps, generation: Generation): Promise<void> {
  switch (dueStep(generation)) {
    case 'submit':
      return submit(deps, generation)
    case 'lose-answer':
      return becomeUnknown(deps, generation)
    case 'poll':
      return inTurn(deps, generation, poll)
    case 'reveal':
      return inTurn(deps, generation, reveal)
    case 'poll-late':
      return inTurn(deps, generation, lookLate)
    case 'deliver':
      return deliver(deps, generation)
  }
}

/** Asks about a task now if a callback has asked for it, or else if this process may ask about another one in this second. */
async function inTurn(deps: WorkerDeps, generation: Generation, look: typeof poll): Promise<void> {
  const { callbackAt, lastCheckAt } = generation
  const isCalled = callbackAt !== null && (lastCheckAt === null || callbackAt >= lastCheckAt)
  const waitMs = isCalled ? 0 : deps.pollWaitMs()
  if (waitMs === 0) return look(deps, generation)
  const nextCheckAt = new Date(deps.clock.now().getTime() + waitMs)
  await writeAndRelease(deps, generation, { nextCheckAt })
}

/** How long a delivery waits for an outdated status update; one that ends later is followed by a current one. */
const statusMs = 3000

async function deliver(deps: WorkerDeps, generation: Generation): Promise<void> {
  const cancelled = deps.statusUpdates.cancel(generation.id)
  if (cancelled) await allSettledWithin([cancelled], deps.clock, statusMs)
  const unshown = await deps.deliver(generation)
  if (unshown) deps.statusUpdates.queue(unshown)
}
