// Plays all nine media models on a gateway that was written from gateway-api.md alone (gateway/). A failure is printed with its seed and its
// personality in words. The long tests ask the text models too; `npm run conformance` plays more seeds.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshUrl } from '../../support/database/database.ts'
import { runRound } from './rounds.ts'
import { type ConformanceWorld, openWorld } from './world.ts'

let world: ConformanceWorld
beforeAll(async () => {
  world = await openWorld(await freshUrl('postgres'))
})
afterAll(() => world.close())

it('all orders of a seed end as expected', async () => {
  expect(await runRound(world, 1, { only: 'complete', model: '' })).toEqual([])
})

it('the app answers callbacks of every form with 200', () => {
  expect(world.gateway.callbacks.length).toBeGreaterThan(2)
  expect(world.gateway.callbacks.filter(({ status }) => status !== 200)).toEqual([])
})
