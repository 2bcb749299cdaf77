// Models that the operator makes synchronous: the answer settles the order, the next step delivers it, and missing results are not
// charged.

import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import type { Answers } from '../../src/catalog/field.ts'
import { models } from '../../src/catalog/index.ts'
import { audit } from '../../src/ledger/audit.ts'
import { readBalance } from '../../src/ledger/ledger.ts'
import { quoteDraft } from '../../src/orders/confirm.ts'
import { artifactsOf } from '../../src/orders/deliver/job.ts'
import { createDraft } from '../../src/orders/drafts.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { withGatewayIds } from '../../src/sandbox/gateway-ids.ts'
import { catalogSettings } from '../support/catalog-settings.ts'
import { type Answer, type Answering, cut, json, startAnswering } from '../support/gateway/answering.ts'
import { makeMp3 } from '../support/media/media-files.ts'
import { confirm } from '../support/worlds/confirm.ts'
import {
  createWorld,
  type GenerationWorld,
  neverLooked,
  reread,
  step,
  userWith,
} from '../support/worlds/generations.ts'

const settings = catalogSettings.parse({
  'MODEL-IMAGE-DESIGN': { request: { async: false } },
  'MODEL-SPEECH-TURBO': { request: { async: false }, multiplier: '100' },
})
const minute = 60_000
let world: GenerationWorld
let gateway: Answering
beforeAll(async () => {
  const made = await createWorld()
  gateway = await startAnswering()
  const deps = {
    ...made.deps,
    gateway: gateway.gateway,
    catalog: createCatalog(models, withGatewayIds(settings)),
  }
  world = { ...made, deps }
})
afterAll(async () => {
  expect(await audit(world.deps.db)).toEqual([])
  await gateway.close()
  await world.close()
})
afterEach(async () => {
  await world.deps.db.execute(sql`update generations set next_check_at = ${neverLooked}, task_id = null`)
  world.reset()
  gateway.seen.length = 0
})

async function ordered(modelId: string, answers: Answers) {
  const { deps } = world
  const user = await userWith(world, 100_00n)
  const place = { chatId: 1, topicId: null }
  const row = { id: randomIds.next(), userId: user.id, modelId, answers, ...place }
  const quoted = await quoteDraft(deps, await createDraft(deps.db, row, deps.clock.now()))
  if (!quoted.ok) throw new Error(quoted.reason)
  const order = await confirm(deps, { quoteId: quoted.quote.id, userId: user.id, statusMessageId: null })
  if (!order.ok) throw new Error(order.reason)
  return {
    generation: order.generation,
    after: () => reread(world, order.generation),
    urls: async () => (await artifactsOf(deps, order.generation.id)).map(({ url }) => url),
    spent: async () => 100_00n - (await readBalance(deps.db, user.id)).available,
  }
}

const pictures = (n: number) => ordered('MODEL-IMAGE-DESIGN', { prompt: 'a fox', n })
const links = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ url: `http://127.0.0.1:9/${i}.png`, seed: i, taskUUID: 'u' }))
const image = (data: unknown) => json(200, { created: 1, data, provider: 'sandbox' })

describe('synchronous images', () => {
  it('settle the order and are delivered by the next step', async () => {
    const { generation, after, urls, spent } = await pictures(3)
    gateway.answer(image(links(3)))
    await step(world)
    expect(JSON.parse(gateway.seen[0]?.body ?? '')).toMatchObject({ n: 3, async: false })
    expect(await after()).toMatchObject({
      state: 'succeeded',
      captured: 15_84n,
      taskId: null,
      delivery: 'pending',
    })
    expect(await urls()).toEqual(links(3).map(({ url }) => url))
    await step(world)
    expect(world.delivered).toEqual([generation.id])
    expect(await after()).toMatchObject({ delivery: 'delivered', nextCheckAt: null })
    expect(gateway.seen).toHaveLength(1)
    expect(await spent()).toBe(15_84n)
  })

  it.each([
    [3, 2, 10_56n, 2],
    [6, 1, 5_28n, 1],
    [3, 5, 15_84n, 5],
    [3, 25, 15_84n, 20],
  ])(
    'of %i ordered, %i arrive: the order costs %s kopecks, and %i are stored',
    async (n, came, price, kept) => {
      const { after, urls, spent } = await pictures(n)
      gateway.answer(image(links(came)))
      await step(world)
      expect(await after()).toMatchObject({ state: 'succeeded', captured: price })
      expect(await urls()).toHaveLength(kept)
      expect(await spent()).toBe(price)
    },
  )
})

it('synchronous speech in hexadecimal is stored as a data URI and delivered', async () => {
  const mp3 = await makeMp3(1)
  const { generation, urls, spent } = await ordered('MODEL-SPEECH-TURBO', { text: 'Good morning!' })
  gateway.answer(json(200, { data: { audio: mp3.toString('hex') } }))
  await step(world)
  expect(await urls()).toEqual([`data:audio/mpeg;base64,${mp3.toString('base64')}`])
  expect(await spent()).toBe(generation.amount)
  await step(world)
  expect(world.delivered).toEqual([generation.id])
})

describe('an answer without a result', () => {
  it.each<[string, Answer]>([
    ['an empty list', image([])],
    ['a cut connection', cut],
  ])('of %s is never requested twice; the hold is released later', async (_, answer) => {
    const { after, spent } = await pictures(1)
    gateway.answer(answer)
    await step(world)
    expect(await after()).toMatchObject({ state: 'unknown' })
    expect(await spent()).toBe(5_28n)
    world.clock.advance(11 * minute)
    await step(world)
    expect(await after()).toMatchObject({ state: 'failed', reason: 'lost' })
    expect(await spent()).toBe(0n)
    expect(gateway.seen).toHaveLength(1)
  })
})
