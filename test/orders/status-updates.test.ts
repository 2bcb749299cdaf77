// Updates of status messages: one at a time per generation, made from the current row, few at once, and an outdated update is
// never the last.

import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/db/client.ts'
import { generations } from '../../src/db/schema.ts'
import type { Generation } from '../../src/orders/generation.ts'
import { claim } from '../../src/orders/queue.ts'
import { createStatusUpdates } from '../../src/orders/status-updates.ts'
import { takeStep } from '../../src/orders/worker.ts'
import { traced, within } from '../../src/runtime/trace.ts'
import { claimNow } from '../support/database/claim.ts'
import { failingStatements } from '../support/database/failing.ts'
import {
  createWorld,
  gate,
  json,
  order,
  processOf,
  reread,
  step,
  userWith,
} from '../support/worlds/generations.ts'

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

  it('makes few updates at once, and a slow one does not delay the others', async () => {
    const { queue, begun, end } = slowQueue()
    const ids = Array.from({ length: 20 }, (_, at) => `${at}`)
    for (const id of ids) queue.queue(id)
    queue.queue('0')
    expect(begun).toEqual(ids.slice(0, 8))
    for (const id of ids.slice(1)) await end(id)
    expect(begun).toEqual(ids)
    await end('0')
    expect(begun).toEqual([...ids, '0'])
  })

  it('drops updates when too many are waiting', async () => {
    const { queue, begun, end } = slowQueue()
    for (let id = 0; id < 3000; id += 1) queue.queue(`${id}`)
    for (let id = 0; id < 3000; id += 1) await end(`${id}`)
    expect(begun).toHaveLength(1008)
    await queue.idle()
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
  /** An edit that takes so long that it may have come after one of another process. */
  const takesLong = () => world.clock.advance(1000)
  const become = ({ id }: Generation, change: Partial<Generation>) =>
    world.deps.db.update(generations).set(change).where(eq(generations.id, id))

  it('that takes long shows the row again if another process changed it meanwhile', async () => {
    const generation = await order(world, await userWith(world, 500_00n))
    const shown: string[] = []
    const updates = createStatusUpdates(world.deps, async ({ state, delivery }) => {
      shown.push(`${state} ${delivery}`)
      // Another process finishes the generation while this edit is under way.
      if (state !== 'running') return true
      await become(generation, { state: 'succeeded', delivery: 'delivered' })
      takesLong()
      return true
    })
    await become(generation, { state: 'running' })
    updates.queue({ ...generation, state: 'running' })
    await updates.idle()
    expect(shown).toEqual(['running none', 'succeeded delivered'])
  })

  it.each([
    ['is not followed by another one while a process delivers the order', 'of the delivery', []],
    ['is followed by a current one while the delivery waits for its next attempt', null, ['failed']],
  ])('%s', async (_, lease, more) => {
    const generation = await order(world, await userWith(world, 500_00n))
    const shown: string[] = []
    const updates = createStatusUpdates(world.deps, async ({ state }) => {
      shown.push(state)
      if (state !== 'running') return true
      await become(generation, { state: 'failed', delivery: 'pending', lease })
      takesLong()
      return true
    })
    updates.queue({ ...generation, state: 'running' })
    await updates.idle()
    expect(shown).toEqual(['running', ...more])
  })

  it('shows a row that came meanwhile once', async () => {
    const generation = await order(world, await userWith(world, 500_00n))
    const shown: string[] = []
    const updates = createStatusUpdates(world.deps, async ({ state }) => {
      shown.push(state)
      if (state !== 'held') return true
      await become(generation, { state: 'running' })
      updates.queue({ ...generation, state: 'running' })
      return true
    })
    updates.queue(generation)
    await updates.idle()
    expect(shown).toEqual(['held', 'running'])
  })

  it('that was slow is followed by a current one when the order ended here and another process explained its end', async () => {
    await world.deps.db.update(generations).set({ nextCheckAt: null })
    const generation = await order(world, await userWith(world, 500_00n))
    const shown: string[] = []
    const { opened, open } = gate()
    const own = processOf({
      deps: world.deps,
      chat: world.chatWith({
        async updateStatus({ state, delivery }) {
          shown.push(`${state} ${delivery}`)
          await opened
          return true
        },
      }),
    })
    const held = await claim(world.deps, 'orders', claimNow(world.deps, 1))
    world.gatewayAnswers(json(400, { error: 'no' }))
    for (const one of held) {
      own.statusUpdates.queue(one)
      await takeStep(own, one)
    }
    await step(world, { of: ['deliveries'] })
    expect(await reread(world, generation)).toMatchObject({ state: 'failed', delivery: 'delivered' })
    takesLong()
    open()
    await own.statusUpdates.idle()
    expect(shown).toEqual(['held none', 'failed delivered'])
  })

  describe('that came after the explanation of a failure', () => {
    /** Another process explains the failure while an outdated update is under way. */
    const explained = async (db: Database, update: (tries: number) => boolean) => {
      const generation = await order(world, await userWith(world, 500_00n))
      const shown: string[] = []
      const updates = createStatusUpdates({ ...world.deps, db }, async ({ state }) => {
        shown.push(state)
        const settledAt = world.clock.now()
        if (state === 'running') {
          await become(generation, { state: 'failed', delivery: 'delivered', settledAt })
          takesLong()
        }
        return update(shown.length)
      })
      updates.queue({ ...generation, state: 'running' })
      return { shown, updates }
    }

    it('is replaced after an outage of the database', async () => {
      const { shown, updates } = await explained(
        failingStatements(world.deps.db, 2, /^\s*select /),
        () => true,
      )
      for (const _ of ['first', 'second']) {
        await world.clock.asked(1000)
        world.clock.advance(1000)
      }
      await updates.idle()
      expect(shown).toEqual(['running', 'failed'])
    })

    it('is replaced when Telegram answers again', async () => {
      const { shown, updates } = await explained(world.deps.db, (tries) => tries > 3)
      for (const pauseMs of [1000, 2000]) {
        await world.clock.asked(pauseMs)
        world.clock.advance(pauseMs)
      }
      await updates.idle()
      expect(shown).toEqual(['running', 'failed', 'failed', 'failed'])
    })

    it('stays after five tries that Telegram does not answer', async () => {
      const { shown, updates } = await explained(world.deps.db, () => false)
      for (const pauseMs of [1000, 2000, 4000, 8000]) {
        await world.clock.asked(pauseMs)
        world.clock.advance(pauseMs)
      }
      await updates.idle()
      expect(shown).toEqual(['running', ...Array(5).fill('failed')])
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
