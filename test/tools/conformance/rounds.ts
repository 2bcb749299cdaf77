// A round: all orders and questions in a world, with personalities by a seed.

import { audit } from '../../../src/ledger/audit.ts'
import { mediaModels, textModels } from './gateway/models.ts'
import { personalityOf, textPersonalityOf } from './gateway/personality.ts'
import { type Failure, mediaCases, orderAll } from './media-orders.ts'
import { askAll } from './text-questions.ts'
import type { ConformanceWorld } from './world.ts'

interface Choice {
  /** A part of the name of the case to play. */
  readonly only: string
  /** A part of the label of a media model, or of the family of a text model. */
  readonly model: string
}

/** @returns the failures, including violations that the audit found */
export async function runRound(world: ConformanceWorld, seed: number, choice: Choice): Promise<Failure[]> {
  const failures: Failure[] = []
  const isChosen = (name: string) => name.toLowerCase().includes(choice.model.toLowerCase())
  const models = mediaModels.filter(({ label }) => isChosen(label))
  for (const what of mediaCases.filter((one) => one.includes(choice.only)))
    failures.push(...(await orderAll(world, (order) => personalityOf(seed, order), what, models)))
  const families = textModels.filter(({ family }) => isChosen(family))
  if ('ask'.includes(choice.only))
    failures.push(...(await askAll(world, (order) => textPersonalityOf(seed, order), families)))
  const findings = await audit(world.app.db)
  const told = (finding: object) => ({ what: 'audit', personality: '', reason: JSON.stringify(finding) })
  return [...failures, ...findings.map(told)]
}
