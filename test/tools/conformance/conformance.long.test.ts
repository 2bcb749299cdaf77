// More rounds than in conformance.test.ts: all families of text models with every mode that each offers, another seed, and the cases in which
// the gateway fails.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshUrl } from '../../support/database/database.ts'
import { mediaCases } from './media-orders.ts'
import { runRound } from './rounds.ts'
import { type ConformanceWorld, openWorld } from './world.ts'

let world: ConformanceWorld
beforeAll(async () => {
  world = await openWorld(await freshUrl('postgres'))
})
afterAll(() => world.close())

it.each([
  [2, 'complete'],
  [1, 'ask'],
  ...mediaCases.filter((what) => what !== 'complete').map((what) => [1, what] as const),
] as const)('seed %i: everything in the case "%s" ends as expected', async (seed, only) => {
  expect(await runRound(world, seed, { only, model: '' })).toEqual([])
})
