// What a step of a generation depends on: what the process as a whole is given, the steps that other rooms provide, and what the
// steps of one process share.

import type { Generation, GenerationDeps } from '../generations/generation.ts'
import { noPlaces, type Places } from '../generations/place.ts'
import type { Locale } from '../texts.ts'
import { type Circuit, createCircuit } from './circuit.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from './concurrency-limit.ts'
import { createRunLimits, type RunLimits } from './run-limits.ts'
import { createStatusUpdates, type StatusUpdates, showOutage, type UpdateStatus } from './status-updates.ts'
import { createUnwrittenAnswers, type UnwrittenAnswers } from './unwritten-answers.ts'

/** The tracker knows no chat: what is done there is passed in. */
export interface ChatSteps {
  /**
   * Sends the results or explains the failure, and writes the outcome under the lease of the row.
   * @param locale the language of its user, if it is known
   */
  deliver(generation: Generation, locale?: Locale): Promise<void>
  readonly updateStatus: UpdateStatus
}

export interface StepDeps extends GenerationDeps, Pick<ChatSteps, 'deliver'> {
  /** Places for the steps that follow a step. */
  readonly places: Places
  /** A row has become due at this time. */
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
