// Tasks of the local gateway: which requests it accepts, when a task completes, what it charges, its callbacks, and scripted faults.

import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { videoReel } from '../../../src/catalog/video-reel.ts'
import { videoWan } from '../../../src/catalog/video-wan.ts'
import { bodyOf, eachModel, mostResults, openRichGateway, saying } from '../../support/gateway/contract.ts'
import {
  clock,
  closing,
  endpoint,
  errorSchema,
  key,
  openGateway,
  openNewGateway,
  receiver,
  removeGateway,
  type Sandbox,
  waits,
} from '../../support/gateway/local-gateway.ts'

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = await openNewGateway()
})
afterEach(() => removeGateway(sandbox))

describe('a task', () => {
  it('is queued, then processing, then completed, and is charged only then', async () => {
    const task = await sandbox.created({ duration: 5 })
    const created = Math.floor(clock.now().getTime() / 1000)
    const queued = { id: 'task-1', object: 'video.task', status: 'queued', model: videoReel.id, created }
    expect(task).toEqual(queued)
    expect(await sandbox.poll(task.id)).toEqual({ ...task, modality: 'video' })
    for (const ms of [2000, 14_999]) {
      clock.advance(ms)
      expect((await sandbox.poll(task.id)).status).toBe('processing')
    }
    expect(await sandbox.account()).toMatchObject({ balance: 1_000_000, charged: 0 })
    clock.advance(1)
    const data = [{ url: `${sandbox.url}/gateway/cdn/task-1-0.mp4`, seed: 2 ** 29 }]
    expect(await sandbox.poll(task.id)).toEqual({ ...task, status: 'completed', modality: 'video', data })
    expect(await sandbox.account()).toMatchObject({ balance: 1_000_000 - 9245, charged: 9245 })
  })

  it('that is stuck completes when it is released, and is charged only then', async () => {
    const stuck = await sandbox.finished({ positivePrompt: 'a cat [stuck]' })
    clock.advance(60 * 60_000)
    expect((await sandbox.poll(stuck.id)).status).toBe('processing')
    await sandbox.post('/api/gateway/release', {})
    expect(await sandbox.poll(stuck.id)).toMatchObject({ status: 'completed', data: [{}] })
    expect((await sandbox.account()).charged).toBe(5547)
  })

  it('has a different seed for each result, within the maximum of the model', async () => {
    const last = 2 ** 31 - 1
    const wan = { model: videoWan.id, positivePrompt: 'a cat', numberResults: 3, seed: last }
    expect((await sandbox.done(wan)).data?.map(({ seed }) => seed)).toEqual([last, 0, 1])
  })

  it('survives a restart before and after its completion, and is charged once', async () => {
    const done = await sandbox.finished()
    const { id } = await sandbox.created({ duration: 15 })
    await sandbox.close()
    sandbox = await openGateway(sandbox.folder)
    expect(await sandbox.poll(done.id)).toMatchObject({ status: 'completed' })
    expect((await sandbox.call(`/gateway/cdn/${done.id}-0.mp4`)).status).toBe(200)
    expect((await sandbox.poll(id)).status).toBe('queued')
    clock.advance(27_000)
    expect((await sandbox.poll(id)).status).toBe('completed')
    expect(await sandbox.account()).toMatchObject({ balance: 1_000_000 - 5547 - 27_735, charged: 33_282 })
  })
})

describe('a request', () => {
  it('with a wrong field is refused, and the message names it', async () => {
    for (const [body, status, named] of [
      [{ positivePrompt: undefined }, 400, 'positivePrompt'],
      [{ duration: 16 }, 400, 'duration'],
      [{ width: 848, height: 481 }, 400, 'width x height'],
      [{ settings: { audio: 'yes' } }, 400, 'settings.audio'],
      [{ model: 'MODEL-NONE' }, 404, 'MODEL-NONE'],
    ] as const) {
      const answer = await sandbox.create(body)
      const { message } = errorSchema.parse(await answer.json()).error
      expect([answer.status, message]).toEqual([status, expect.stringContaining(named)])
    }
    expect((await sandbox.account()).tasks).toEqual([])
  })

  it('without the key, at an unknown path or of no JSON is refused; the requests are kept without the key', async () => {
    for (const [method, path, headers, status] of [
      ['POST', endpoint, { authorization: key }, 401],
      ['GET', '/gateway/v1/tasks/task-1', { authorization: '' }, 401],
      ['GET', '/gateway/v1/tasks/task-1', {}, 404],
      ['GET', endpoint, {}, 404],
      ['POST', endpoint, { 'content-type': 'text/plain' }, 400],
      ['GET', '/gateway/cdn/task-1-0.mp4', {}, 404],
    ] as const) {
      const body = method === 'POST' ? { body: '{' } : {}
      const answer = await sandbox.call(path, { method, headers, ...body })
      expect([path, answer.status]).toEqual([path, status])
      errorSchema.parse(await answer.json())
    }
    await sandbox.created({ positivePrompt: 'a cat' })
    const text = await (await sandbox.call('/api/gateway/account')).text()
    expect(text).not.toContain(key)
    expect(JSON.parse(text).requests.at(-1)).toMatchObject({
      method: 'POST',
      path: '/v1/videos/generations',
      status: 202,
      body: { positivePrompt: 'a cat' },
    })
  })
})

describe('callbacks', () => {
  it('are sent by each model as often as documented, with the content of a poll', async () => {
    const answered = z.looseObject({
      status: z.string(),
      data: z.array(z.object({ url: z.url() })).optional(),
    })
    const rich = await openRichGateway()
    for (const [, model] of eachModel) {
      const field = model.callbackPath
      if (field === undefined) continue
      await using there = closing(await receiver())
      const told = async () => answered.parse(JSON.parse(String((await there.next()).body)))
      const begun = async (body: object) => {
        const id = await rich.order(model, { ...body, [field]: there.url })
        clock.advance(2000)
        if (field === 'callback_url') {
          expect((await told()).status).toBe('dreaming')
          // The gateway has to read the answer to this call before its time limit passes.
          await rich.look(id)
        }
        clock.advance(60_000)
        return answered.parse(await rich.look(id))
      }
      const { body, answers } = mostResults(model)
      const poll = await begun(body)
      const each = (poll.data ?? []).map((one) => ({ ...poll, data: [one] }))
      const expected = field === 'webhookURL' ? each : [poll]
      const calls: unknown[] = []
      while (calls.length < expected.length) calls.push(await told())
      expect(calls).toEqual(expect.arrayContaining(expected))
      // Calls are read in order, so an extra one would be read in place of the next.
      const failed = await begun(bodyOf(model, saying(model, 'a cat [fail]', answers)))
      expect(await told()).toEqual(failed)
    }
    await removeGateway(rich)
  })

  it('are sent up to four times, 100 ms apart, until the answer is 200', async () => {
    let calls = 0
    await using deaf = closing(
      await receiver(() => {
        calls += 1
        return 204
      }),
    )
    let pause = once(waits, '100')
    await sandbox.finished({ webhookURL: deaf.url })
    for (let n = 1; n < 4; n += 1) {
      await deaf.next()
      await pause
      expect(calls).toBe(n)
      pause = once(waits, '100')
      clock.advance(100)
    }
    await deaf.next()
    await using there = closing(await receiver())
    await sandbox.finished({ webhookURL: there.url })
    await there.next()
    clock.advance(100)
    await sandbox.account()
    expect(calls).toBe(4)
  })

  it('can be lost, repeated, delayed and replaced with garbage by faults', async () => {
    await using there = closing(await receiver())
    const webhookURL = there.url
    sandbox.fault('callback', { kind: 'cut', after: false })
    await sandbox.finished({ webhookURL })
    sandbox.fault('callback', { kind: 'twice' })
    const doubled = await sandbox.finished({ webhookURL })
    expect([(await there.nextTask()).id, (await there.nextTask()).id]).toEqual([doubled.id, doubled.id])
    sandbox.fault('callback', { kind: 'hang', ms: 123_456 })
    const late = once(waits, '123456')
    const { id } = await sandbox.finished({ webhookURL })
    await late
    sandbox.fault('callback', { kind: 'garbage', body: 'meow' })
    await sandbox.finished({ webhookURL })
    expect(String((await there.next()).body)).toBe('meow')
    clock.advance(123_456)
    expect((await there.nextTask()).id).toBe(id)
  })
})

describe('a scripted fault', () => {
  it('of the kind error creates no task, and its answer has retry-after', async () => {
    sandbox.fault('create', { kind: 'error', status: 429, retryAfter: 7 })
    const answer = await sandbox.create()
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '7'])
    expect(errorSchema.parse(await answer.json()).error.type).toBe('rate_limit_error')
    expect((await sandbox.account()).tasks).toEqual([])
  })

  it('of the kind cut creates no task before the work, and a task without an answer after it', async () => {
    for (const [after, tasks] of [
      [false, []],
      [true, [{}]],
    ] as const) {
      sandbox.fault('create', { kind: 'cut', after })
      await expect(sandbox.create()).rejects.toThrow()
      expect(await sandbox.account()).toMatchObject({ tasks })
    }
  })

  it('of the kind hang delays a reading, and prevents a creation', async () => {
    const { id } = await sandbox.created()
    const held = async <T>(operation: string, ms: number, call: () => Promise<T>) => {
      sandbox.fault(operation, { kind: 'hang', ms })
      const taken = once(waits, String(ms))
      const answering = call()
      await taken
      clock.advance(ms)
      return answering
    }
    expect((await held('poll', 777, () => sandbox.poll(id))).id).toBe(id)
    expect((await held('create', 888, () => sandbox.create())).status).toBe(504)
    expect((await sandbox.account()).tasks).toHaveLength(1)
  })
})
