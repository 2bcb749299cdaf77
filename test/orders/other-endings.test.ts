// Tasks that end in words which the specification does not have: the order ends after a few looks, its money returns or its result
// arrives, and nothing that may still come is lost.

import { describe, expect, it } from 'vitest'
import { looksFailed, statusNamed } from '../../src/gateway/tasks.ts'
import { readBalance } from '../../src/ledger/ledger.ts'
import { auditedWorld } from '../support/worlds/audited.ts'
import { order, reread, step, taskCreated, taskIs, userWith } from '../support/worlds/generations.ts'

const minute = 60_000
const world = await auditedWorld()
const video = (n: number) => ({ url: `http://127.0.0.1:9/${n}.mp4` })

async function running(answers: object = {}) {
  const user = await userWith(world, 500_00n)
  const generation = await order(world, user, answers)
  world.gatewayAnswers(taskCreated)
  await step(world)
  world.clock.advance(3000)
  return {
    now: () => reread(world, generation),
    available: async () => (await readBalance(world.deps.db, user.id)).available,
    async looks(times: number, ...told: Parameters<typeof taskIs>) {
      for (let look = 0; look < times; look += 1) {
        world.gatewayAnswers(taskIs(...told))
        await step(world)
        world.clock.advance(minute)
      }
    },
  }
}

it('a word for a state is understood, first as the operator has written, and others may look like a failure', () => {
  const words = {
    failed: ['Content Moderated', 'REQUEST_MODERATED', 'CREATE_TASK_FAILED', 'expired', 'rejected'],
    canceled: ['CANCEL', 'cancelled'],
    completed: ['SUCCESS', 'succeeded', 'done', 'finished', 'complete'],
    processing: ['FIRST_SUCCESS', 'TEXT_SUCCESS', 'moderating'],
  }
  for (const [status, all] of Object.entries(words))
    for (const word of all) expect(statusNamed(word), word).toBe(status)
  expect(statusNamed('Verdorben', { verdorben: 'failed' })).toBe('failed')
  expect(statusNamed('DONE', { done: 'processing' })).toBe('processing')
  const bad = [
    'UPLOAD_FAILED',
    'Prompt rejected',
    'SENSITIVE_WORD_ERROR',
    'callback exception',
    'auto-cancelled',
  ]
  const others = ['in moderation', 'checking for errors', 'diffusing', 'stage 2', 'failover']
  expect([...bad, ...others].filter((word) => looksFailed(word))).toEqual(bad)
})

describe('an unknown word', () => {
  it.each<[string, string, object, string]>([
    ['that looks like a failure', 'UPLOAD_FAILED', {}, 'UPLOAD_FAILED'],
    ['beside words of an error', 'halted', { error: 'the vendor said no' }, 'the vendor said no'],
  ])(
    '%s ends the order after a few looks, with the words, and its task is still asked about',
    async (_, word, more, said) => {
      const { now, available, looks } = await running()
      await looks(3, word, more)
      expect(await now()).toMatchObject({ state: 'running' })
      await looks(1, word, more)
      expect(await now()).toMatchObject({ state: 'failed', reason: 'task-ended', said })
      expect(await available()).toBe(500_00n)
      await step(world)
      expect(world.delivered).toHaveLength(1)
      world.clock.advance(11 * minute)
      await looks(1, 'completed', { data: [video(1)] })
      expect(await now()).toMatchObject({ state: 'failed', captured: 0n, arrivedLateAt: expect.any(Date) })
      expect(await available()).toBe(500_00n)
    },
  )

  it('beside all ordered results ends the order with them after a few looks', async () => {
    const { now, available, looks } = await running()
    await looks(3, 'OK_READY', { data: [video(1)], error: 'none' })
    expect(await now()).toMatchObject({ state: 'running' })
    await looks(1, 'OK_READY', { data: [video(1)], error: 'none' })
    expect(await now()).toMatchObject({ state: 'succeeded', captured: 92_45n })
    expect(await available()).toBe(407_55n)
  })

  it('beside a part of the results goes on until the deadline', async () => {
    const { now, looks } = await running({ numberResults: 2 })
    await looks(10, 'HALFWAY', { data: [video(1)] })
    expect(await now()).toMatchObject({ state: 'running', attempts: 0 })
  })

  it('that says nothing of an end goes on until the deadline', async () => {
    const { now, looks } = await running()
    await looks(10, 'diffusing')
    expect(await now()).toMatchObject({ state: 'running', attempts: 0 })
  })

  it('between which the task is in progress again counts anew', async () => {
    const { now, looks } = await running()
    await looks(3, 'UPLOAD_FAILED')
    await looks(1, 'processing')
    await looks(3, 'UPLOAD_FAILED')
    expect(await now()).toMatchObject({ state: 'running', attempts: 3 })
  })

  it('in answers to many callbacks of one moment counts once', async () => {
    const { now } = await running()
    for (let call = 0; call < 8; call += 1) {
      world.gatewayAnswers(taskIs('UPLOAD_FAILED'))
      await world.deps.db.execute("update generations set next_check_at = created_at where state = 'running'")
      await step(world)
      world.clock.advance(100)
    }
    expect(await now()).toMatchObject({ state: 'running', attempts: 1 })
  })
})

it('a state in other words keeps its word for the operator when the gateway says nothing else', async () => {
  const { now, looks } = await running()
  await looks(1, 'Content Moderated')
  expect(await now()).toMatchObject({ state: 'failed', reason: 'task-failed', said: 'Content Moderated' })
})

it('a task that is complete without a file ends with the words of its error', async () => {
  const { now, looks } = await running()
  await looks(6, 'completed', { error: 'the file was removed' })
  expect(await now()).toMatchObject({ reason: 'empty', said: 'the file was removed' })
})
