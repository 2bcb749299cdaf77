// How tasks end at a gateway that contradicts itself, forgets tasks, or uses words that the specification does not have: the order ends
// after a few looks, its money returns or its result arrives, and nothing that may still come is lost.

import { describe, expect, it } from 'vitest'
import { looksFailed, statusNamed } from '../../src/gateway/tasks.ts'
import { callBack } from '../support/gateway/callback.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import { type Answer, finished, json, page, running, step, taskIs } from '../support/worlds/generations.ts'

const minute = 60_000
const world = await auditedWorld()
const { clock, gatewayAnswers } = world
const oneVideo = { data: [{ url: 'http://127.0.0.1:9/1.mp4' }] }
const gone = json(404, { error: { message: 'no such task' } })

/** Lets the gateway give these answers, each to one look. */
async function looks(...answers: Answer[]): Promise<void> {
  for (const answer of answers) {
    gatewayAnswers(answer)
    await step(world)
    clock.advance(minute)
  }
}
const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)

describe('a task that the gateway no longer knows', () => {
  it.each([
    ['404', gone],
    ['words', json(400, { error: { message: 'The task was not found.' } })],
  ])('is given up as lost after five looks in a row, within some minutes: %s', async (_, answer) => {
    const { generation, now, available } = await running(world)
    gatewayAnswers(...times(100, answer))
    const begun = clock.now().getTime()
    for (; (await now()).state === 'running'; clock.advance(5000)) await step(world)
    const tookMs = clock.now().getTime() - begun
    expect(world.requests).toHaveLength(6)
    expect(tookMs).toBeGreaterThanOrEqual(2 * minute)
    expect(tookMs).toBeLessThan(3.5 * minute)
    expect(await now()).toMatchObject({ state: 'failed', reason: 'lost', captured: 0n })
    expect(await available()).toBe(500_00n)
    await step(world)
    expect(world.delivered).toEqual([generation.id])
  })

  it('is counted as missing from the first such look on, and not given up sooner when callbacks bring looks forward', async () => {
    const { generation, now } = await running(world)
    gatewayAnswers(taskIs('processing'), ...times(150, gone))
    await step(world)
    clock.advance(1000)
    await callBack(world, generation)
    await step(world)
    expect(await now()).toMatchObject({ state: 'running', attempts: 1 })
    for (let second = 0; second < 118; second += 2) {
      await callBack(world, generation)
      await step(world)
      clock.advance(2000)
    }
    expect(world.requests.length).toBeGreaterThan(50)
    expect(await now()).toMatchObject({ state: 'running' })
  })

  it('needs five such looks in a row again after anything else', async () => {
    const { now, available } = await running(world)
    const others = [taskIs('processing'), page(502), taskIs('exploded'), json(400, { error: 'bad request' })]
    for (const other of others) {
      await looks(...times(4, gone))
      expect(await now()).toMatchObject({ state: 'running', attempts: 4 })
      await looks(other)
    }
    await looks(...times(4, gone), finished)
    expect(await now()).toMatchObject({ state: 'succeeded' })
    expect(await available()).toBe(407_55n)
  })
})

const failure = { state: 'failed', reason: 'task-failed' }
const oddLink = taskIs('completed', { data: [{ url: 'data:text/plain,a\0b' }] })
const oddWords = taskIs('failed', { error: 'no \0 cats \ud83d' })
it.each<[string, Answer, object, Answer, bigint]>([
  ['completed', oddLink, { state: 'succeeded', reason: null }, taskIs('failed'), 407_55n],
  ['failed, in odd words', oddWords, { ...failure, said: 'no  cats \ufffd' }, finished, 500_00n],
  ['failed in one word', taskIs('Moderated'), { ...failure, said: 'Moderated' }, finished, 500_00n],
  ['canceled', taskIs('canceled'), { state: 'canceled', reason: 'task-canceled' }, finished, 500_00n],
])('a final state never changes: %s', async (_, first, facts, second, left) => {
  const { generation, now, available } = await running(world)
  gatewayAnswers(first)
  await step(world)
  gatewayAnswers(second)
  for (let again = 0; again < 3; again += 1) {
    await callBack(world, generation, { id: 'task-1', status: 'failed' })
    clock.advance(minute)
    await step(world)
  }
  expect(await now()).toMatchObject({ ...facts, delivery: 'delivered', taskId: 'task-1' })
  expect(await available()).toBe(left)
  expect(world.requests).toHaveLength(2)
  expect(world.delivered).toEqual([generation.id])
})

it('a word for a state is understood, first as the operator has written, and others may look like a failure', () => {
  const words = {
    failed: ['Content Moderated', 'REQUEST_MODERATED', 'CREATE_TASK_FAILED', 'expired', 'rejected', 'error'],
    canceled: ['CANCEL', 'cancelled', 'Canceled'],
    completed: ['SUCCESS', 'succeeded', 'done', 'finished', 'complete', 'COMPLETED'],
    queued: ['PENDING', 'submitted'],
    processing: ['FIRST_SUCCESS', 'TEXT_SUCCESS', 'moderating', 'IN_PROGRESS', 'in-progress', 'Running'],
  }
  for (const [status, all] of Object.entries(words))
    for (const word of all) expect(statusNamed(word), word).toBe(status)
  expect(statusNamed('Verdorben', { verdorben: 'failed' })).toBe('failed')
  expect(statusNamed('DONE', { done: 'processing' })).toBe('processing')
  const bad = 'UPLOAD_FAILED|Prompt rejected|SENSITIVE_WORD_ERROR|callback exception|auto-cancelled'.split(
    '|',
  )
  const others = ['in moderation', 'checking for errors', 'diffusing', 'stage 2', 'failover']
  expect([...bad, ...others].filter((word) => looksFailed(word))).toEqual(bad)
})

describe('an unknown word', () => {
  it.each<[string, string, object, string]>([
    ['that looks like a failure', 'UPLOAD_FAILED', {}, 'UPLOAD_FAILED'],
    ['beside words of an error', 'halted', { error: 'the vendor said no' }, 'the vendor said no'],
  ])('%s ends the order with the words, not the asking about its task', async (_, word, more, said) => {
    const { now, available } = await running(world)
    await looks(...times(3, taskIs(word, more)))
    expect(await now()).toMatchObject({ state: 'running' })
    await looks(taskIs(word, more))
    expect(await now()).toMatchObject({ state: 'failed', reason: 'task-ended', said })
    await step(world)
    expect(world.delivered).toHaveLength(1)
    clock.advance(11 * minute)
    await looks(taskIs('completed', oneVideo))
    expect(await now()).toMatchObject({ state: 'failed', captured: 0n, arrivedLateAt: expect.any(Date) })
    expect(await available()).toBe(500_00n)
  })

  it('beside all ordered results ends the order with them after a few looks', async () => {
    const { now, available } = await running(world)
    const ready = taskIs('OK_READY', { ...oneVideo, error: 'none' })
    await looks(...times(3, ready))
    expect(await now()).toMatchObject({ state: 'running' })
    await looks(ready)
    expect(await now()).toMatchObject({ state: 'succeeded', captured: 92_45n })
    expect(await available()).toBe(407_55n)
  })

  it('beside a part of the results, or that says nothing of an end, goes on until the deadline', async () => {
    const { now } = await running(world, { numberResults: 2 })
    await looks(...times(6, taskIs('HALFWAY', oneVideo)), ...times(6, taskIs('diffusing')))
    expect(await now()).toMatchObject({ state: 'running', attempts: 0 })
  })

  it('is counted anew after progress, and once in answers to many callbacks of one moment', async () => {
    const { now } = await running(world)
    await looks(...times(3, taskIs('UPLOAD_FAILED')), taskIs('processing'), taskIs('UPLOAD_FAILED'))
    expect(await now()).toMatchObject({ state: 'running', attempts: 1 })
    for (let call = 0; call < 8; call += 1) {
      gatewayAnswers(taskIs('UPLOAD_FAILED'))
      await world.deps.db.execute("update generations set next_check_at = created_at where state = 'running'")
      await step(world)
      clock.advance(1400)
    }
    expect(await now()).toMatchObject({ state: 'running', attempts: 2 })
  })
})
