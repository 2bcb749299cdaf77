// Plays all nine media models on a gateway that was written from gateway-api.md alone (gateway/). A failure is printed with its seed and its
// personality in words. The long tests ask the text models too; `npm run conformance` plays more seeds.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshUrl } from '../../support/database/database.ts'
import { mediaModels, textModels } from './gateway/models.ts'
import { personalityOf, switches, textPersonalityOf, textSwitches } from './gateway/personality.ts'
import { runRound } from './rounds.ts'
import { type ConformanceWorld, openWorld } from './world.ts'

const seeds = [1, 2]

let world: ConformanceWorld
beforeAll(async () => {
  world = await openWorld(await freshUrl('postgres'))
})
afterAll(() => world.close())

it('all orders of a seed end as expected', async () => {
  expect(await runRound(world, 1, { only: 'complete', model: '' })).toEqual([])
})

it('the app answers callbacks of every form with 200', () => {
  expect(world.gateway.callbacks.length).toBeGreaterThan(5)
  expect(world.gateway.callbacks.filter(({ status }) => status !== 200)).toEqual([])
})

it.each([
  ['orders', switches, mediaModels.length, personalityOf],
  ['questions', textSwitches, 6 * textModels.length, textPersonalityOf],
] as const)('the %s of a seed use every value of every switch', (_, all, orders, personality) => {
  for (const seed of seeds) {
    const met = Array.from({ length: orders }, (_, order) => Object.entries(personality(seed, order)))
    const names = new Set(met.flat().map(([name, value]) => `${name}: ${value}`))
    const wanted = Object.entries<readonly string[]>(all).flatMap(([name, values]) =>
      values.map((value) => `${name}: ${value}`),
    )
    expect(wanted.filter((value) => !names.has(value))).toEqual([])
  }
})
