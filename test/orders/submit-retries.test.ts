// A submit that was not accepted: when it is made again, and what is shown of one whose outcome is unknown.

import { expect, it } from 'vitest'
import { auditedWorld } from '../support/worlds/audited.ts'
import { cut, json, order, reread, step, userWith } from '../support/worlds/generations.ts'

const second = 1000
const world = await auditedWorld()

it('an order is submitted again after pauses that double, or after the time that the gateway asks for', async () => {
  const generation = await order(world, await userWith(world, 500_00n))
  const pauseAfter = async (headers = {}) => {
    world.gatewayAnswers(json(503, { error: 'closed' }, headers))
    await step(world, { of: ['orders'] })
    const { nextCheckAt } = await reread(world, generation)
    const pause = (nextCheckAt?.getTime() ?? 0) - world.clock.now().getTime()
    world.clock.advance(pause)
    return pause / second
  }
  expect([await pauseAfter(), await pauseAfter(), await pauseAfter()]).toEqual([3, 6, 12])
  expect(await pauseAfter({ 'retry-after': '100' })).toBe(100)
  expect(world.requests).toHaveLength(4)
})

it('the status of an order whose submit has an unknown outcome is shown', async () => {
  const { id } = await order(world, await userWith(world, 500_00n))
  world.gatewayAnswers(cut)
  await step(world, { of: ['orders'] })
  expect(world.shown).toEqual([`${id} unknown`])
})
