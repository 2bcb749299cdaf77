// One step of one generation. Every step may be repeated by the worker that takes the row over.

import type { Generation } from '../generations/generation.ts'
import type { ClaimedGeneration, Known } from '../generations/place.ts'
import { allSettledWithin } from '../runtime/clock.ts'
import { within } from '../runtime/trace.ts'
import { lookLate } from './late.ts'
import { poll } from './poll.ts'
import type { Kind } from './queue.ts'
import { reveal } from './reveal.ts'
import { fail } from './settle.ts'
import type { StepDeps } from './step-deps.ts'
import { becomeUnknown, submit } from './submit.ts'

/** Takes one step; never rejects. A step that throws is repeated when its lease expires. */
export const takeStep = (deps: StepDeps, kind: Kind, generation: Generation, known?: Known): Promise<void> =>
  within({ generation: generation.id }, () => attempt(deps, kind, { ...known, generation }), {
    user: generation.userId.toString(),
  })

async function attempt(deps: StepDeps, kind: Kind, claimed: ClaimedGeneration): Promise<void> {
  const { generation } = claimed
  const { id, modelId: model, state, taskId, attempts } = generation
  const facts = { generation: id, kind, model, state, ...(taskId === null ? {} : { task: taskId }), attempts }
  const startedAt = deps.clock.now().getTime()
  deps.log.debug(facts, 'step begins')
  try {
    await step(deps, kind, claimed)
  } catch (error) {
    deps.log.error({ generation: generation.id, state: generation.state, error }, 'step failed')
  }
  deps.log.debug({ generation: id, kind, ms: deps.clock.now().getTime() - startedAt }, 'step ended')
}

/**
 * Takes the step of the row's present state, which may have changed between choice and claim; but an expired row fails for the reason by
 * which it was chosen. Only kinds that look spend the look budget.
 */
function step(deps: StepDeps, kind: Kind, claimed: ClaimedGeneration): Promise<void> {
  const { generation } = claimed
  if (kind === 'expire-held') return fail(deps, generation, 'unavailable')
  if (kind === 'expire-running') return fail(deps, generation, 'late')
  switch (generation.state) {
    case 'held':
      return submit(deps, claimed)
    case 'submitting':
      return becomeUnknown(deps, generation)
    case 'running':
      return poll(deps, generation)
    case 'unknown':
      return kind === 'look-at-candidate' ? reveal(deps, generation) : fail(deps, generation, 'lost')
    case 'succeeded':
    case 'failed':
    case 'canceled':
      if (kind === 'look-after-refund') return lookLate(deps, generation)
      return deliver(deps, claimed)
  }
}

/** How long a delivery waits for an outdated status update; one that ends later is followed by a current one. */
const statusMs = 3000

async function deliver(deps: StepDeps, { generation, ...known }: ClaimedGeneration): Promise<void> {
  const cancelled = deps.statusUpdates.cancel(generation.id)
  if (cancelled) await allSettledWithin([cancelled], deps.clock, statusMs)
  const unshown = await deps.deliver(generation, known)
  if (unshown) deps.statusUpdates.queue(unshown)
}
