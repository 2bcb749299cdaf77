// The watch wakes exactly the queues that have something due, when it is due.

import { expect, it } from 'vitest'
import { createGenerationWatch } from '../../src/tracker/generation-watch.ts'
import type { Kind } from '../../src/tracker/queue.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import { finished, order, step, taskCreated, userWith } from '../support/worlds/generations.ts'

const world = await auditedWorld()

/** What one pass finds due. */
async function due(): Promise<readonly Kind[]> {
  const woken: (readonly Kind[])[] = []
  const watch = createGenerationWatch(world.deps, (kinds) => void woken.push(kinds))
  watch.start()
  await watch.stop()
  return woken.flat()
}

it('a due order wakes the queue of its next step alone', async () => {
  expect(await due()).toEqual([])
  await order(world, await userWith(world, 100_00n))
  expect(await due()).toEqual(['submit'])
  world.gatewayAnswers(taskCreated, finished)
  await step(world, { of: ['submit'] })
  expect(await due()).toEqual([])
  world.clock.advance(3000)
  expect(await due()).toEqual(['look'])
  await step(world, { of: ['look'] })
  expect(await due()).toEqual(['deliver'])
  await step(world, { of: ['deliver'] })
  expect(await due()).toEqual([])
})
