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
import { type Answer, type Answering, cut, json, raw, startAnswering } from '../support/gateway/answering.ts'
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
  'MODEL-MUSIC': { request: { callBackUrl: 'https://operator.example/callback' } },
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
const speech = (text = 'Good morning!') => ordered('MODEL-SPEECH-TURBO', { text })
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

describe('synchronous speech', async () => {
  const mp3 = await makeMp3(1)
  const inline = `data:audio/mpeg;base64,${mp3.toString('base64')}`
  it.each<[string, Answer, string]>([
    ['as the body', raw(200, mp3, 'audio/mpeg'), inline],
    ['as hexadecimal text', json(200, { data: { audio: mp3.toString('hex') } }), inline],
  ])('is stored when it arrives %s', async (_, answer, url) => {
    const { generation, after, urls, spent } = await speech()
    gateway.answer(answer)
    await step(world)
    expect(await urls()).toEqual([url])
    expect(await after()).toMatchObject({ state: 'succeeded', captured: generation.amount })
    expect(await spent()).toBe(generation.amount)
    await step(world)
    expect(world.delivered).toEqual([generation.id])
  })

  it('becomes a task when the text is long', async () => {
    const { after } = await speech('a'.repeat(4501))
    gateway.answer(
      json(202, { id: 'task-9', object: 'audio.task', status: 'queued', model: 'm', created: 1 }),
    )
    await step(world)
    expect(await after()).toMatchObject({ state: 'running', taskId: 'task-9' })
  })
})

describe('an answer without a result', () => {
  it('that says why releases the hold', async () => {
    const { after, urls, spent } = await pictures(2)
    gateway.answer(json(422, { error: { message: 'no foxes' } }))
    await step(world)
    expect(await after()).toMatchObject({
      state: 'failed',
      reason: 'refused',
      said: 'no foxes',
      captured: 0n,
    })
    expect([await urls(), await spent()]).toEqual([[], 0n])
  })

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

describe('music, charged per request', () => {
  it.each([
    [2, 2],
    [25, 20],
  ])('of %i arrived files stores %i, at the price of one request', async (came, kept) => {
    const { generation, urls, spent } = await ordered('MODEL-MUSIC', { prompt: 'a song about the sea' })
    gateway.answer(
      json(202, { id: 'task-1', object: 'audio.task', status: 'queued', model: 'v5_5', created: 1 }),
    )
    await step(world)
    world.clock.advance(3000)
    gateway.answer(json(200, { id: 'task-1', status: 'completed', data: links(came) }))
    await step(world)
    expect(await urls()).toHaveLength(kept)
    expect(await spent()).toBe(6_60n)
    await step(world)
    expect(world.delivered).toEqual([generation.id])
  })
})
