// A round: all orders and questions in a separate world, with personalities by a seed, or with one switch set to another value than its
// first.

import { audit } from '../../../src/ledger/audit.ts'
import { mediaModels, textModels } from './gateway/models.ts'
import {
  aloneOf,
  type Personality,
  personalityOf,
  switches,
  type TextPersonality,
  textAloneOf,
  textPersonalityOf,
  textSwitches,
} from './gateway/personality.ts'
import { type Failure, mediaCases, orderAll } from './media-orders.ts'
import { askAll } from './text-questions.ts'
import type { ConformanceWorld } from './world.ts'

export interface Round {
  readonly name: string
  readonly media?: (order: number) => Personality
  readonly text?: (order: number) => TextPersonality
}

export const seedRound = (seed: number): Round => ({
  name: `seed ${seed}`,
  media: (order) => personalityOf(seed, order),
  text: (order) => textPersonalityOf(seed, order),
})

const valuesOf = (all: Readonly<Record<string, object>>) =>
  Object.entries(all).flatMap(([name, values]) => Object.keys(values).map((value) => ({ name, value })))

/** One round for each value of each switch, to find the values with which the app does not work. */
export const loneRounds = (): readonly Round[] => [
  ...valuesOf(switches).map(({ name, value }) => ({
    name: `${name}: ${value}`,
    media: () => aloneOf(name, value),
  })),
  ...valuesOf(textSwitches).map(({ name, value }) => ({
    name: `text, ${name}: ${value}`,
    text: () => textAloneOf(name, value),
  })),
]

export interface Choice {
  /** A part of the name of the case to play. */
  readonly only: string
  /** A part of the label of a media model, or of the family of a text model. */
  readonly model: string
}

/** Plays a round. @returns the failures, including violations that the audit found */
export async function runRound(
  world: ConformanceWorld,
  { media, text }: Round,
  choice: Choice,
): Promise<Failure[]> {
  const failures: Failure[] = []
  const isChosen = (name: string) => name.toLowerCase().includes(choice.model.toLowerCase())
  const models = mediaModels.filter(({ label }) => isChosen(label))
  for (const what of media ? mediaCases : []) {
    if (what.includes(choice.only) && media) failures.push(...(await orderAll(world, media, what, models)))
  }
  const families = textModels.filter(({ family }) => isChosen(family))
  if (text && 'ask'.includes(choice.only)) failures.push(...(await askAll(world, text, families)))
  const findings = await audit(world.app.db)
  const found = findings.map((finding) => ({
    what: 'audit',
    personality: '',
    reason: JSON.stringify(finding),
  }))
  return [...failures, ...found]
}
