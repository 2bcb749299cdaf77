// The end of a generation that two workers reach.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { generations } from '../../src/db/schema.ts'
import { fail } from '../../src/orders/settle.ts'
import { confirm } from '../support/worlds/confirm.ts'
import { createWorld, type GenerationWorld, quoteFor, userWith } from '../support/worlds/generations.ts'

let world: GenerationWorld
beforeAll(async () => {
  world = await createWorld('postgres')
})
afterAll(() => world.close())

it('a failure is logged once, by the worker that settled it', async () => {
  const { quote } = await quoteFor(world, await userWith(world, 1000_00n))
  await confirm(world.deps, { quoteId: quote.id, userId: quote.userId, statusMessageId: null })
  const [held] = await world.deps.db.update(generations).set({ lease: 'ours' }).returning()
  if (!held) throw new Error('not ordered')
  const events: string[] = []
  const write = (_: object, event: string) => void events.push(event)
  const log = { debug: write, info: write, warn: write, error: write }
  for (let workers = 0; workers < 2; workers += 1) await fail({ ...world.deps, log }, held, 'task-failed')
  expect(events).toEqual(['settled', 'generation failed'])
})
