// Edits of status messages: one at a time per generation, made from the newest row, and an outdated one is never the last.

import { afterAll, describe, expect, it } from 'vitest'
import { createStatusUpdates } from '../../../src/orders/deliver/messages.ts'
import type { Generation } from '../../../src/orders/generation.ts'
import { traced, within } from '../../../src/runtime/log.ts'
import { createWorld, order, userWith } from '../../support/worlds/generations.ts'

const world = await createWorld()
afterAll(() => world.close())
const row = await order(world, await userWith(world, 500_00n))

/** A queue whose updates end when the test says so. */
function slowQueue() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const updates = createStatusUpdates(world.deps, ({ id }) => {
    begun.push(id)
    return new Promise((resolve) => ends.set(id, () => resolve(true)))
  })
  const queue = { ...updates, queue: (id: string) => updates.queue({ ...row, id }) }
  const end = async (id: string) => {
    ends.get(id)?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { queue, begun, end }
}

describe('the queue', () => {
  it('makes one more update after the one under way, however often the generation changed meanwhile', async () => {
    const { queue, begun, end } = slowQueue()
    for (let change = 0; change < 5; change += 1) queue.queue('a')
    expect(begun).toEqual(['a'])
    await end('a')
    expect(begun).toEqual(['a', 'a'])
    await end('a')
    await queue.idle()
    expect(begun).toEqual(['a', 'a'])
  })

  it('is not held up by a slow update of another order', async () => {
    const { queue, begun, end } = slowQueue()
    for (const id of ['a', 'b', 'a']) queue.queue(id)
    await end('b')
    expect(begun).toEqual(['a', 'b'])
    await end('a')
    expect(begun).toEqual(['a', 'b', 'a'])
  })

  it('cancels a waiting update and waits for the one under way', async () => {
    const { queue, begun, end } = slowQueue()
    queue.queue('a')
    queue.queue('a')
    let isCancelled = false
    const cancelled = queue.cancel('a')?.then(() => {
      isCancelled = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(isCancelled).toBe(false)
    await end('a')
    await cancelled
    expect(begun).toEqual(['a'])
    expect(queue.cancel('never shown')).toBeUndefined()
  })
})

describe('a status update', () => {
  describe('that Telegram does not answer', () => {
    const afterTries = (change: Partial<Generation>, tries: number) => {
      const shown: string[] = []
      const updates = createStatusUpdates(world.deps, async ({ state }) => shown.push(state) > tries)
      updates.queue({ ...row, ...change })
      return { shown, updates }
    }
    const ended = { state: 'failed', delivery: 'delivered', settledAt: new Date() } as const
    const pass = async (pauses: readonly number[]) => {
      for (const pauseMs of pauses) {
        await world.clock.asked(pauseMs)
        world.clock.advance(pauseMs)
      }
    }

    it('is repeated when the order has ended', async () => {
      const { shown, updates } = afterTries(ended, 2)
      await pass([1000, 2000])
      await updates.idle()
      expect(shown).toEqual(Array(3).fill('failed'))
    })

    it('is given up after five tries', async () => {
      const { shown, updates } = afterTries(ended, 100)
      await pass([1000, 2000, 4000, 8000])
      await updates.idle()
      expect(shown).toEqual(Array(5).fill('failed'))
    })

    it('is not repeated while the order runs: the next poll shows it', async () => {
      const { shown, updates } = afterTries({ state: 'running' }, 100)
      await updates.idle()
      expect(shown).toEqual(['running'])
    })
  })

  it('has the trace of its own generation, whatever started it', async () => {
    const generation = await order(world, await userWith(world, 500_00n))
    const { id } = generation
    const seen: unknown[] = []
    const updates = createStatusUpdates(world.deps, async () => {
      seen.push(traced())
      return true
    })
    within({ generation: 'another' }, () => updates.queue(generation))
    await updates.idle()
    expect(seen).toMatchObject([within({ generation: id }, traced) ?? {}])
  })

  it('ignores errors and generations that do not exist', async () => {
    const updates = createStatusUpdates(world.deps, () => Promise.reject(new Error('no')))
    const generation = await order(world, await userWith(world, 500_00n))
    updates.queue(generation)
    updates.queue({ ...generation, id: 'missing' })
    await updates.idle()
  })
})
