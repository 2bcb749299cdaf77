// Plays all nine media models and all families of text models, with every mode that each offers, on a gateway that was written from
// gateway-api.md alone (gateway/). A failure is printed with its seed and its personality in words; `npm run conformance` plays more seeds.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshUrl } from '../../support/database/database.ts'
import { mediaModels, textModels } from './gateway/models.ts'
import { notYet, personalityOf, switches, textPersonalityOf, textSwitches } from './gateway/personality.ts'
import { mediaCases } from './media-orders.ts'
import { runRound, seedRound } from './rounds.ts'
import { type ConformanceWorld, openWorld } from './world.ts'

const seeds = [1, 2]
const failures = mediaCases.filter((what) => what !== 'complete')

let world: ConformanceWorld
beforeAll(async () => {
  world = await openWorld(await freshUrl('postgres'))
})
afterAll(() => world.close())

const orders = [
  ...seeds.map((seed) => [seed, 'complete'] as const),
  ...failures.map((what) => [1, what] as const),
]

it.each(orders)('seed %i: all orders of the case "%s" end as expected', async (seed, only) => {
  expect(await runRound(world, seedRound(seed), { only, model: '' })).toEqual([])
})

it.each([1])('seed %i: all questions are answered as expected', async (seed) => {
  expect(await runRound(world, seedRound(seed), { only: 'ask', model: '' })).toEqual([])
})

it('the app answers callbacks of every form with 200', () => {
  expect(world.gateway.callbacks.length).toBeGreaterThan(20)
  expect(world.gateway.callbacks.filter(({ status }) => status !== 200)).toEqual([])
})

it.each([
  ['orders', switches, mediaModels.length, personalityOf],
  ['questions', textSwitches, 6 * textModels.length, textPersonalityOf],
] as const)('the %s of a seed use every value of every switch', (_, all, orders, personality) => {
  for (const seed of seeds) {
    const met = Array.from({ length: orders }, (_, order) => Object.entries(personality(seed, order)))
    const names = new Set(met.flat().map(([name, value]) => `${name}: ${value}`))
    const wanted = Object.entries(all).flatMap(([name, values]) =>
      Object.keys(values).map((value) => `${name}: ${value}`),
    )
    expect(wanted.filter((value) => !names.has(value) && !notYet[value])).toEqual([])
  }
})
