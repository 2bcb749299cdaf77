// One step of one generation. Every step may be begun again by whoever takes its row over.

import { deliver } from '../delivery/deliver.ts'
import type { Generation } from '../generations/generation.ts'
import { within } from '../runtime/trace.ts'
import { poll } from './poll.ts'
import type { Kind } from './queue.ts'
import { reveal } from './reveal.ts'
import { fail } from './settle.ts'
import type { StepDeps } from './step-deps.ts'
import { becomeUnknown, submit } from './submit.ts'

/** A step that throws is tried again when its lease runs out. */
export const takeStep = (deps: StepDeps, kind: Kind, generation: Generation): Promise<void> =>
  within({ generation: generation.id }, () => attempt(deps, kind, generation))

async function attempt(deps: StepDeps, kind: Kind, generation: Generation): Promise<void> {
  try {
    const isOver = kind === 'unavailable' || kind === 'late'
    await (isOver ? fail(deps, generation, kind) : step(deps, kind, generation))
  } catch (error) {
    deps.log.error({ generation: generation.id, state: generation.state, error }, 'step failed')
  }
}

/** By its state, which may have changed since it was claimed. What was not claimed for a look takes none from the budget. */
function step(deps: StepDeps, kind: Kind, generation: Generation): Promise<void> {
  switch (generation.state) {
    case 'held':
      return submit(deps, generation)
    case 'submitting':
      return becomeUnknown(deps, generation)
    case 'running':
      return poll(deps, generation)
    case 'unknown':
      return kind === 'reveal' ? reveal(deps, generation) : fail(deps, generation, 'lost')
    case 'succeeded':
    case 'failed':
    case 'canceled':
      return deliver(deps, generation)
  }
}
