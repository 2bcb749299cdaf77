// What a step of a generation depends on: what the process as a whole is given, the steps that other rooms provide, and what the
// steps of one process share.

import type { Generation, GenerationDeps } from '../generations/generation.ts'
import { type Circuit, createCircuit } from './circuit.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from './concurrency-limit.ts'
import { createRunLimits, type RunLimits } from './run-limits.ts'
import { createStatusUpdates, type StatusUpdates, type UpdateStatus } from './status-updates.ts'
import { createUnwrittenAnswers, type UnwrittenAnswers } from './unwritten-answers.ts'

/** The tracker knows no chat: what is done there is passed in. */
export interface ChatSteps {
  /** Sends the results or explains the failure, and writes the outcome under the lease of the row. */
  deliver(generation: Generation): Promise<void>
  readonly updateStatus: UpdateStatus
}

export interface StepDeps extends GenerationDeps, Pick<ChatSteps, 'deliver'> {
  readonly circuit: Circuit
  readonly limit: ConcurrencyLimit
  readonly runLimits: RunLimits
  readonly statusUpdates: StatusUpdates
  readonly unwrittenAnswers: UnwrittenAnswers
}

export function createStepDeps(deps: GenerationDeps, { deliver, updateStatus }: ChatSteps): StepDeps {
  const limit = createConcurrencyLimit()
  return {
    ...deps,
    deliver,
    limit,
    runLimits: createRunLimits(deps),
    circuit: createCircuit(deps, limit),
    statusUpdates: createStatusUpdates(deps, updateStatus),
    unwrittenAnswers: createUnwrittenAnswers(deps),
  }
}
