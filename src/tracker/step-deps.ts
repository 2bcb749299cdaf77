// What a step of a generation needs: what comes from outside, and what the steps of one process share.

import type { GenerationDeps } from '../generations/generation.ts'
import type { Circuit } from './circuit.ts'
import type { Keeper } from './keeper.ts'
import type { Shows } from './status-updates.ts'

export interface StepDeps extends GenerationDeps {
  readonly circuit: Circuit
  readonly shows: Shows
  readonly keeper: Keeper
}
