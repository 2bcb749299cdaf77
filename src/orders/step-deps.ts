// The dependencies of a step of a generation: those of the whole process, the steps that other rooms provide, and the objects that all
// steps of one process share.

import { createTurns } from '../runtime/clock.ts'
import { type Circuit, createCircuit } from './circuit.ts'
import { createStatusUpdates, type StatusUpdates, type UpdateStatus } from './deliver/status.ts'
import type { Generation, GenerationDeps } from './generation.ts'
import { createRunLimits, type RunLimits } from './run-limits.ts'
import { createUnwrittenAnswers, type UnwrittenAnswers } from './unwritten-answers.ts'

/** The steps that take place in the chat. They are passed in, since the tracker does not know Telegram. */
export interface ChatSteps {
  /**
   * Sends the results or explains the failure, and writes the outcome under the lease of the row.
   * @returns the row if the delivery has ended and its status message is still to be updated
   */
  deliver(generation: Generation): Promise<Generation | undefined>
  readonly updateStatus: UpdateStatus
}

export interface StepDeps extends GenerationDeps, Pick<ChatSteps, 'deliver'> {
  /** Called when an order has ended, and its delivery is due. */
  readonly wakeDeliveries: () => void
  readonly circuit: Circuit
  /** In how many milliseconds a task may be asked about: 0 takes one of the polls of this second. */
  readonly pollWaitMs: () => number
  readonly runLimits: RunLimits
  readonly statusUpdates: StatusUpdates
  readonly unwrittenAnswers: UnwrittenAnswers
}

export function createStepDeps(
  deps: GenerationDeps,
  { deliver, updateStatus }: ChatSteps,
  wakeDeliveries: () => void = () => undefined,
): StepDeps {
  return {
    ...deps,
    deliver,
    wakeDeliveries,
    circuit: createCircuit(deps),
    pollWaitMs: createTurns(deps.clock, deps.pollsPerSecond),
    runLimits: createRunLimits(deps),
    statusUpdates: createStatusUpdates(deps, updateStatus),
    unwrittenAnswers: createUnwrittenAnswers(deps),
  }
}
