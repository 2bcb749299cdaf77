// One step of one generation, by its state. Every step may be repeated by the worker that takes the row over.

import { allSettledWithin } from '../runtime/clock.ts'
import { within } from '../runtime/trace.ts'
import type { Generation } from './generation.ts'
import { dueStep } from './order.ts'
import { poll } from './poll.ts'
import { writeAndRelease } from './queue.ts'
import type { StepDeps } from './step-deps.ts'
import { becomeUnknown, submit } from './submit.ts'
import { lookLate, reveal } from './unknown.ts'

/** Takes one step; never rejects. A step that throws is repeated when its lease expires. */
export const takeStep = (deps: StepDeps, generation: Generation): Promise<void> =>
  within({ generation: generation.id }, () => attempt(deps, generation), {
    user: generation.userId.toString(),
  })

async function attempt(deps: StepDeps, generation: Generation): Promise<void> {
  const { id, modelId: model, state, taskId, attempts } = generation
  const facts = { generation: id, model, state, ...(taskId === null ? {} : { task: taskId }), attempts }
  const startedAt = deps.clock.now().getTime()
  deps.log.debug(facts, 'step begins')
  try {
    await step(deps, generation)
  } catch (error) {
    deps.log.error({ generation: id, state, error }, 'step failed')
  }
  deps.log.debug({ generation: id, state, ms: deps.clock.now().getTime() - startedAt }, 'step ended')
}

function step(deps: StepDeps, generation: Generation): Promise<void> {
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
async function inTurn(deps: StepDeps, generation: Generation, look: typeof poll): Promise<void> {
  const { callbackAt, lastCheckAt } = generation
  const isCalled = callbackAt !== null && (lastCheckAt === null || callbackAt >= lastCheckAt)
  const waitMs = isCalled ? 0 : deps.pollWaitMs()
  if (waitMs === 0) return look(deps, generation)
  const nextCheckAt = new Date(deps.clock.now().getTime() + waitMs)
  await writeAndRelease(deps, generation, { nextCheckAt })
}

/** How long a delivery waits for an outdated status update; one that ends later is followed by a current one. */
const statusMs = 3000

async function deliver(deps: StepDeps, generation: Generation): Promise<void> {
  const cancelled = deps.statusUpdates.cancel(generation.id)
  if (cancelled) await allSettledWithin([cancelled], deps.clock, statusMs)
  const unshown = await deps.deliver(generation)
  if (unshown) deps.statusUpdates.queue(unshown)
}
