// The dependencies of a step of a generation: those of the whole process, the steps that other rooms provide, and the objects that all
// steps of one process share.

import type { Generation, GenerationDeps } from '../generations/generation.ts'
import { type Known, noPlaces, type Places } from '../generations/place.ts'
import { type Circuit, createCircuit } from './circuit.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from './concurrency-limit.ts'
import { createRunLimits, type RunLimits } from './run-limits.ts'
import { createStatusUpdates, type StatusUpdates, showOutage, type UpdateStatus } from './status-updates.ts'
import { createUnwrittenAnswers, type UnwrittenAnswers } from './unwritten-answers.ts'

/** The steps that take place in the chat. They are passed in, since the tracker does not know Telegram. */
export interface ChatSteps {
  /**
   * Sends the results or explains the failure, and writes the outcome under the lease of the row.
   * @param known what was read together with the row
   * @returns the row if the delivery has ended and its status message is still to be updated
   */
  deliver(generation: Generation, known?: Known): Promise<Generation | undefined>
  readonly updateStatus: UpdateStatus
}

export interface StepDeps extends GenerationDeps, Pick<ChatSteps, 'deliver'> {
  /** Places for the steps that follow a step. */
  readonly places: Places
  /** Called with the time at which a row becomes due. */
  readonly dueAt: (time: Date) => void
  readonly circuit: Circuit
  readonly limit: ConcurrencyLimit
  readonly runLimits: RunLimits
  readonly statusUpdates: StatusUpdates
  readonly unwrittenAnswers: UnwrittenAnswers
}

export function createStepDeps(
  deps: GenerationDeps,
  { deliver, updateStatus }: ChatSteps,
  tracking: Pick<StepDeps, 'places' | 'dueAt'> = { places: noPlaces, dueAt: () => undefined },
): StepDeps {
  const limit = createConcurrencyLimit()
  const statusUpdates = createStatusUpdates(deps, updateStatus)
  return {
    ...deps,
    deliver,
    ...tracking,
    limit,
    runLimits: createRunLimits(deps),
    circuit: createCircuit(deps, limit, () => showOutage(deps, statusUpdates)),
    statusUpdates,
    unwrittenAnswers: createUnwrittenAnswers(deps),
  }
}
