// Which answers of the gateway are refusals of us: sales stop, of everything or of one model,
// for how long, and the operators get the words.

import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { alarms, generations, salesStops } from '../../src/db/schema.ts'
import { salesCheck } from '../../src/operator/checks.ts'
import { meaningOf, refusalWords } from '../../src/sales/refusal-words.ts'
import { createRefusals } from '../../src/sales/refusals.ts'
import { isStopped, readStopFact, salesStopped, stopSales, suspect } from '../../src/sales/sales.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import {
  type Answer,
  finished,
  json,
  order,
  ordered,
  step,
  taskCreated,
  taskIs,
  userWith,
} from '../support/worlds/generations.ts'

const usualRefusalWords = refusalWords.parse({})
const request = { model: 'vendor/reel-2', positivePrompt: 'a cat surfing on a big wave', outputFormat: 'MP4' }
const meaning = (status: number | undefined, said: string, of: unknown = request) =>
  meaningOf(usualRefusalWords, { status, said }, of)?.about

it('a refusal of us is recognised by its status and words', () => {
  const rows = [
    [403, 'Insufficient user quota: $0.10 of ***', 'money'],
    [403, 'insufficient_user_quota', 'money'],
    [400, 'Your credit balance is too low. Please top up at ***', 'money'],
    [429, 'You exceeded your current quota, please check your plan and billing details', 'money'],
    [undefined, 'The current credits are insufficient', 'money'],
    [400, 'Недостаточно средств на балансе', 'money'],
    [403, '用户额度不足', 'money'],
    [402, '', 'money'],
    [401, '', 'key'],
    [403, 'This API key is not valid for this resource', 'key'],
    [400, 'API_KEY_INVALID: API key expired. Please renew it', 'key'],
    [403, 'Your account has been suspended', 'key'],
    [404, 'The model `vendor/reel-2` does not exist or you do not have access to it', 'model'],
    [404, 'model: vendor/reel-2', 'model'],
    [404, 'No prompt reaches vendor/reel-2', 'model'],
    [400, 'vendor/reel-2 is not a valid model ID', 'model'],
    [403, 'This key has no access to model vendor/reel-2', 'model'],
    [503, 'No available channel for model vendor/reel-2 under group default', 'model'],
    [400, 'Model Not Exist', 'model'],
    [400, 'модель не найдена', 'model'],
    [404, '', 'model'],
    [404, 'Cannot POST /v1/prompt/generations', 'model'],
    [405, 'Method Not Allowed', 'model'],
  ] as const
  expect(rows.map(([status, said]) => [status, said, meaning(status, said)])).toEqual(rows)
  const isCertain = (status: number, said: string) =>
    meaningOf(usualRefusalWords, { status, said }, request)?.isCertain
  expect([isCertain(402, 'no'), isCertain(403, 'insufficient quota')]).toEqual([true, false])
})

it('the texts of a request mean nothing, the longest first, except those of two letters, which are part of ordinary words', () => {
  const [long, short] = ['insufficient quota of a long prompt', 'of a long prompt']
  const said = `This prompt is not allowed: ${long}`
  expect(meaning(403, said, { model: 'vendor/reel-2', prompt: long, negative: short })).toBeUndefined()
  expect(meaning(403, said, { model: 'vendor/reel-2', negative: short, prompt: long })).toBeUndefined()
  expect(meaning(400, 'Model not found, see /en/models', { ...request, language: 'en' })).toBe('model')
  expect(meaning(400, 'Model not found for voice Ann', { ...request, voice: 'Ann' })).toBeUndefined()
  expect(meaning(400, 'Model not found: o3m', { model: 'o3m' })).toBe('model')
  expect(meaning(400, 'Model not found: o3', { model: 'o3' })).toBeUndefined()
})

it('a refusal of us is what an operator writes', () => {
  const money = { statuses: [499], words: ['purse * empty'], statusesWithWords: [418] }
  const own = refusalWords.parse({ money })
  const rows = [
    [499, '', 'money'],
    [402, '', undefined],
    [418, 'Your purse is empty', 'money'],
    [400, 'Your purse is empty', undefined],
    [418, 'Insufficient quota', undefined],
  ] as const
  const about = (status: number, said: string) => meaningOf(own, { status, said }, request)?.about
  expect(rows.map(([status, said]) => [status, said, about(status, said)])).toEqual(rows)
})

it('no refusal of us is what the words of the order, or of its fields, explain', () => {
  const prompt = 'my bank says: insufficient balance, top up; the model does not exist, api key invalid'
  const asked = { model: 'vendor/reel-2', positivePrompt: prompt, style: 'noir', voice_id: 'anna-voice' }
  const drawn = { model: 'vendor/reel-2', prompt: 'draw INSUFFICIENT-quota' }
  const said = (text: string) => ({ role: 'user', text })
  const dialogue = { model: 'm-1', dialogue: { messages: [said('Why insufficient quota?'), said('top up')] } }
  const rows: readonly (readonly [status: number, said: string, request: unknown])[] = [
    [400, `The prompt "${prompt}" was rejected`, asked],
    [400, `REJECTED: ${prompt.toUpperCase().replaceAll(' ', '\n')}`, asked],
    [400, `rejected: ${prompt.slice(0, 36)}`, asked],
    [400, 'Blocked words: insufficient_quota', drawn],
    [400, 'blocked: "top up", "insufficient quota"', dialogue],
    [404, 'Voice model anna-voice does not exist', asked],
    [400, 'Unknown model style: noir not found', asked],
    [404, 'Voice not found', asked],
    [404, 'Seed not found', { ...request, seed: 7 }],
    [400, 'api key cats is invalid', { model: 'm-1', prompt: 'api key cats' }],
    [403, 'Forbidden by the content policy', asked],
    [400, 'The top upper limit of the balance of colours is 3', asked],
    [400, 'Model vendor/reel-2: reference image not found', asked],
    [429, 'Rate limit: quota exceeded, insufficient quota per minute', asked],
    [403, '', asked],
    [500, 'insufficient quota', asked],
    [400, 'Duration 12 is not allowed for this model', request],
    [400, 'model vendor/reel-2 is not allowed with 4K', request],
    [400, 'Image of a model is not allowed', request],
    [404, 'model not found', { name: 'x' }],
  ]
  expect(rows.filter(([status, words, of]) => meaning(status, words, of) !== undefined)).toEqual([])
  // A pattern that backtracks would exceed the time of the test.
  for (const one of ['account', 'model', 'insufficient', 'api key'])
    for (const separators of ['-_', '- ', '_', '" '])
      expect(meaning(400, one + separators.repeat(240))).toBe(undefined)
})

const minute = 60_000
const world = await auditedWorld()
const { deps, clock } = world
const { db } = deps
beforeEach(() => db.delete(alarms))

const stopped = () => salesStopped(db, clock.now())
const facts = async () => (await salesCheck(db, clock.now())).map(({ fact }) => readStopFact(fact))
async function refused(...answers: Answer[]) {
  const { now } = await ordered(world)
  for (const answer of answers) {
    world.gatewayAnswers(answer)
    await step(world)
    clock.advance(3000)
  }
  await db.execute('update generations set task_id = null')
  return now()
}
const words = 'Insufficient user quota of shop-owner@corp.example, top up at https://pay.example/x?key=1'
const kept = 'Insufficient user quota of ***, top up at ***'
const error = { error: { message: words } }

describe('an order that is refused because of us', () => {
  it.each<[string, Answer[]]>([
    ['by its status and words', [json(403, error)]],
    ['by words within a successful answer', [json(200, { code: 402, msg: words })]],
    ['by the words about its failed task', [taskCreated, taskIs('failed', { error: words })]],
  ])('%s is refunded without the words, and the second one stops sales', async (_, answers) => {
    const returned = { state: 'failed', reason: 'paused', said: null, captured: 0n }
    for (const isStopped of [false, true]) {
      expect(await refused(...answers)).toMatchObject(returned)
      expect(await stopped()).toBe(isStopped)
      expect(await facts()).toEqual([{ cause: 'out-of-balance', said: kept, isStopped }])
    }
    clock.advance(5 * minute)
    expect(await stopped()).toBe(false)
  })

  it('long after another one, or after an order that succeeded, only raises a suspicion again', async () => {
    await refused(json(403, error))
    clock.advance(60 * minute - 3000)
    await refused(json(403, { error: { message: 'Insufficient quota' } }))
    expect(await stopped()).toBe(false)
    expect(await facts()).toMatchObject([{ said: 'Insufficient quota', isStopped: false }])
    expect(await refused(taskCreated, finished)).toMatchObject({ state: 'succeeded' })
    await refused(json(403, error))
    expect(await stopped()).toBe(false)
    clock.advance(59 * minute)
    await refused(json(403, error))
    expect(await stopped()).toBe(true)
  })

  it.each<[string, Answer]>([
    ['model', json(404, { error: { message: 'The model does not exist' } })],
    ['path', (_, res) => res.writeHead(404, { 'content-type': 'text/html' }).end('<html>Not Found')],
  ])('because of its %s stops the sales of this model only', async (_, unknown) => {
    const first = await refused(unknown)
    expect(first).toMatchObject({ reason: 'paused', said: null })
    expect(await facts()).toMatchObject([{ cause: `model:${first.modelId}`, isStopped: false }])
    await refused(unknown)
    expect(await stopped()).toBe(false)
    const here = isStopped(clock.now(), sql`${first.modelId}`)
    const stops = { here, there: isStopped(clock.now(), sql`'other'`) }
    const [row] = await db.select(stops).from(salesStops)
    expect(row).toEqual({ here: true, there: false })
    await expect(order(world, await userWith(world, 500_00n))).rejects.toThrow('paused')
    expect(await facts()).toMatchObject([{ cause: `model:${first.modelId}`, isStopped: true }])
  })

  it('tells the operators again when a suspicion becomes a stop, and not at each further refusal', async () => {
    const saidAt = async () =>
      (await db.select().from(alarms).where(eq(alarms.name, 'sales:out-of-balance')))[0]?.saidAt
    await refused(json(403, error))
    clock.advance(24 * 60 * minute)
    expect(await facts(), 'a suspicion ends').toEqual([])
    await refused(json(403, error))
    await db.update(alarms).set({ saidAt: clock.now() })
    await refused(json(403, error))
    expect(await saidAt()).toBe(null)
    await db.update(alarms).set({ saidAt: clock.now() })
    clock.advance(5 * minute)
    await refused(json(403, error))
    expect(await saidAt()).not.toBe(null)
    clock.advance(61 * minute)
    await refused(json(403, error))
    expect(await facts(), 'a stop is no suspicion again').toMatchObject([{ isStopped: true }])
  })

  it('is alarmed about at once; lost results stop nothing if the operator wants that', async () => {
    const wakeAlarms = vi.fn()
    const refusals = createRefusals({ ...deps, refusalWords: usualRefusalWords, mostLost: 0, wakeAlarms })
    await refusals.lost('m', 'gone')
    expect(await facts()).toEqual([{ cause: 'lost:m', said: 'gone', isStopped: false }])
    const refusal = refusals.of({ status: 402 }, 'm', {})
    if (refusal) await refusals.stop(refusal)
    expect(wakeAlarms).toHaveBeenCalledTimes(2)
  })
})

it('a person who writes such words and is refused for them reads the refusal, and no sales stop; nor do looks at one task', async () => {
  const positivePrompt = 'insufficient balance, please top up'
  const said = `Bad prompt: ${positivePrompt}`
  for (let time = 0; time < 3; time += 1) {
    const { now } = await ordered(world, { positivePrompt })
    world.gatewayAnswers(json(400, { error: { message: said } }))
    await step(world)
    expect(await now()).toMatchObject({ reason: 'refused', said })
    clock.advance(minute)
  }
  expect([await stopped(), await facts()]).toEqual([false, []])
  await refused(taskCreated, ...Array.from({ length: 5 }, () => json(403, error)))
  expect(await stopped()).toBe(false)
})

it('sales that were stopped begin again after a time, or later if they are stopped again', async () => {
  for (const [cause, ms] of [
    ['unauthorised', 300_000],
    ['out-of-balance', 300_000],
    ['unreachable', 30_000],
  ] as const) {
    expect(await stopped()).toBe(false)
    for (const _ of ['once', 'and again']) {
      await stopSales(db, cause, clock.now())
      clock.advance(ms - 1)
      expect(await stopped()).toBe(true)
    }
    clock.advance(1)
    expect(await stopped()).toBe(false)
  }
})

it('a suspicion about lost results is refuted by a delivered order, not by one that has only succeeded', async () => {
  const { deps, clock } = world
  const suspected = (model = 'MODEL-VIDEO-REEL') => suspect(deps.db, `lost:${model}`, clock.now())
  const isOrder = eq(generations.id, (await order(world, await userWith(world, 500_00n))).id)
  expect([await suspected(), await suspected('MODEL-OTHER')]).toEqual([false, false])
  clock.advance(1000)
  const ended = { state: 'succeeded', settledAt: clock.now(), nextCheckAt: null } as const
  await deps.db
    .update(generations)
    .set({ ...ended, delivery: 'pending' })
    .where(isOrder)
  expect(await suspected()).toBe(true)
  await deps.db.update(generations).set({ delivery: 'delivered' }).where(isOrder)
  expect([await suspected(), await suspected('MODEL-OTHER')]).toEqual([false, true])
  await deps.db
    .update(generations)
    .set({ state: 'held', settledAt: null, delivery: 'none', nextCheckAt: clock.now() })
    .where(isOrder)
})
