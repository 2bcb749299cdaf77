// The looks at the candidates of orders whose task is unknown: in which order, how often, and of which orders only.

import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, it } from 'vitest'
import { taskCandidates } from '../../src/db/schema.ts'
import type { Generation } from '../../src/orders/generation.ts'
import { claim } from '../../src/orders/queue.ts'
import { claimNow } from '../support/database/claim.ts'
import { callBack } from '../support/gateway/callback.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import { cut, json, order, reread, step, taskCreated, userWith } from '../support/worlds/generations.ts'

const second = 1000
const minute = 60 * second
const world = await auditedWorld()
afterEach(() => world.deps.db.delete(taskCandidates))

const gone = json(404, { error: { message: 'no such task' } })

/** An order whose answer to the submit was lost; the gateway knows no task from now on. */
async function unknown(): Promise<Generation> {
  const generation = await order(world, await userWith(world, 500_00n))
  world.reset()
  world.gatewayAnswers(cut)
  await step(world, { of: ['orders'] })
  expect(await reread(world, generation)).toMatchObject({ state: 'unknown' })
  world.requests.length = 0
  world.gatewayAnswers(...Array.from({ length: 100 }, () => gone))
  return generation
}

async function steps(count: number, apart = second) {
  for (let done = 0; done < count; done += 1) {
    await step(world)
    world.clock.advance(apart)
  }
}

const asked = () => world.requests.map((one) => one.replace('GET /v1/tasks/', ''))
const namesOf = async ({ id }: Generation) => {
  const found = await world.deps.db.select().from(taskCandidates).where(eq(taskCandidates.generationId, id))
  return found.map(({ taskId }) => taskId).toSorted()
}

describe('an order whose task is unknown', () => {
  it('is claimed for a look only if one of its own candidates is due', async () => {
    const [generation, other] = [await unknown(), await unknown()]
    await callBack(world, other, { id: 'named' })
    world.clock.advance(second)
    expect((await claim(world.deps, 'orders', claimNow(world.deps, 10))).map(({ id }) => id)).toEqual([
      other.id,
    ])
    expect(await reread(world, generation)).toMatchObject({ lease: null })
  })

  it('keeps its candidates when another order drops candidates with the same names', async () => {
    const [generation, other] = [await unknown(), await unknown()]
    const many = (name: string) => Array.from({ length: 16 }, (_, n) => ({ id: `${name}-${n}` }))
    await callBack(world, other, many('same'))
    const kept = await namesOf(other)
    for (const name of ['same', 'a', 'b', 'c']) await callBack(world, generation, many(name))
    expect(await namesOf(generation)).not.toEqual(expect.arrayContaining(kept))
    expect(await namesOf(other)).toEqual(kept)
  })

  it('has its looks counted separately from those of another order with a candidate of the same name', async () => {
    const [generation, other] = [await unknown(), await unknown()]
    for (const one of [generation, other]) await callBack(world, one, { id: 'vendor' })
    await steps(100, 5 * second)
    expect(asked()).toEqual(Array.from({ length: 10 }, () => 'vendor'))
  })

  it('looks first at the candidate that a callback has named at the more likely place', async () => {
    const generation = await unknown()
    await callBack(world, generation, { task_id: 'likely-1' })
    world.clock.advance(1)
    await callBack(world, generation, { task_id: 'likely-2', id: 'likely-1' })
    await steps(2)
    expect(asked()).toEqual(['likely-1', 'likely-2'])
  })

  it('waits for as long as the gateway asks before the next look at a candidate', async () => {
    const generation = await unknown()
    world.reset()
    world.gatewayAnswers(json(503, { error: 'closed' }, { 'retry-after': '60' }), gone)
    await callBack(world, generation, { id: 'named' })
    await steps(60)
    expect(asked()).toEqual(['named'])
    await steps(2)
    expect(asked()).toEqual(['named', 'named'])
  })
})

describe('a candidate that a callback names again', () => {
  it('keeps the looks that it has left', async () => {
    const generation = await unknown()
    for (let call = 0; call < 2; call += 1) {
      await callBack(world, generation, { id: 'wrong' })
      await steps(1)
    }
    await steps(90, 5 * second)
    expect(asked()).toHaveLength(5)
  })

  it('gets one more look after all its looks', async () => {
    const generation = await unknown()
    await callBack(world, generation, { id: 'wrong' })
    await steps(36, 5 * second)
    expect(asked()).toHaveLength(5)
    await callBack(world, generation, { id: 'wrong' })
    await steps(36, 5 * second)
    expect(asked()).toHaveLength(6)
  })
})

describe('no candidate is stored for an order', () => {
  const named = async (generation: Generation) => {
    expect(await callBack(world, generation, { id: 'vendor', task_id: 'task-9' })).toBe(true)
    return { names: await namesOf(generation), nextCheckAt: (await reread(world, generation)).nextCheckAt }
  }

  it('that the gateway refused', async () => {
    const generation = await order(world, await userWith(world, 500_00n))
    world.gatewayAnswers(json(400, { error: { message: 'bad words' } }))
    await step(world)
    await step(world)
    expect(await reread(world, generation)).toMatchObject({ reason: 'refused', delivery: 'delivered' })
    expect(await named(generation)).toEqual({ names: [], nextCheckAt: null })
  })

  it('whose own task the gateway no longer knew', async () => {
    const generation = await order(world, await userWith(world, 500_00n))
    world.gatewayAnswers(taskCreated, ...Array.from({ length: 5 }, () => gone))
    for (let looks = 0; looks < 6; looks += 1) {
      await step(world)
      world.clock.advance(minute)
    }
    expect(await reread(world, generation)).toMatchObject({ reason: 'lost', taskId: 'task-1' })
    expect((await named(generation)).names).toEqual([])
  })
})
