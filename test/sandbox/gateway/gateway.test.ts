// Tasks of the local gateway: which requests it accepts, when a task completes, and what it charges.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { model3d } from '../../../src/catalog/model-3d.ts'
import { videoReel } from '../../../src/catalog/video-reel.ts'
import { videoWan } from '../../../src/catalog/video-wan.ts'
import {
  clock,
  endpoint,
  errorSchema,
  key,
  openGateway,
  openNewGateway,
  removeGateway,
  type Sandbox,
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
    expect(task).toEqual({
      id: 'task-1',
      object: 'video.task',
      status: 'queued',
      model: videoReel.id,
      created,
    })
    expect(await sandbox.poll(task.id)).toEqual({ ...task, modality: 'video' })
    clock.advance(2000)
    expect((await sandbox.poll(task.id)).status).toBe('processing')
    clock.advance(14_999)
    expect((await sandbox.poll(task.id)).status).toBe('processing')
    expect(await sandbox.account()).toMatchObject({ balance: 1_000_000, charged: 0 })
    clock.advance(1)
    const data = [{ url: `${sandbox.url}/gateway/cdn/task-1-0.mp4`, seed: 2 ** 29 }]
    expect(await sandbox.poll(task.id)).toEqual({ ...task, status: 'completed', modality: 'video', data })
    expect(await sandbox.account()).toMatchObject({ balance: 1_000_000 - 9245, charged: 9245 })
  })

  it('that is stuck completes when it is released, and is charged only then', async () => {
    const stuck = await sandbox.finished({ positivePrompt: 'a cat [stuck]' })
    expect(stuck.status).toBe('processing')
    clock.advance(60 * 60_000)
    expect((await sandbox.poll(stuck.id)).status).toBe('processing')
    await sandbox.post('/api/gateway/release', {})
    expect(await sandbox.poll(stuck.id)).toMatchObject({ status: 'completed', data: [{}] })
    expect((await sandbox.account()).charged).toBe(5547)
  })

  it('has a different seed for each result, within the maximum of the model', async () => {
    const last = 2 ** 31 - 1
    const wan = { model: 'MODEL-VIDEO-WAN', positivePrompt: 'a cat', numberResults: 3, seed: last }
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

describe('the validation of requests', () => {
  it('a wrong field is refused, and the message names it', async () => {
    for (const [body, status, named] of [
      [{ positivePrompt: undefined }, 400, 'positivePrompt'],
      [{ duration: 16 }, 400, 'duration'],
      [{ width: 848, height: 481 }, 400, 'width x height'],
      [{ settings: { audio: 'yes' } }, 400, 'settings.audio'],
      [{ model: 'MODEL-NONE' }, 404, 'MODEL-NONE'],
    ] as const) {
      const answer = await sandbox.create(body)
      expect(answer.status).toBe(status)
      expect(errorSchema.parse(await answer.json()).error.message).toContain(named)
    }
    expect((await sandbox.account()).tasks).toEqual([])
  })

  it.each([
    { model: videoReel.id, positivePrompt: 'a cat', seed: -5, numberResults: 2 },
    {
      model: videoWan.id,
      positivePrompt: 'a cat',
      inputs: { referenceImages: Array(9).fill('https://a.b/1.png') },
    },
    { model: model3d.id, prompt: 'a cat', seed: -1, enable_rigging: true, rigging_height_meters: 5000 },
  ])('%j is accepted, since the document has no such limit', async (order) => {
    const path = order.model === model3d.id ? model3d.endpoint : videoReel.endpoint
    await sandbox.post('/api/gateway/account', { balance: 100_000_000 })
    expect((await sandbox.post(`/gateway${path}`, order)).status).toBe(202)
    expect((await sandbox.post(`/gateway${path}`, { ...order, seed: 0.5 })).status).toBe(400)
  })

  it('a request without the key, at an unknown path or of no JSON is refused', async () => {
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
  })

  it('the requests are kept for inspection, without the API key', async () => {
    await sandbox.created({ positivePrompt: 'a cat' })
    const text = await (await sandbox.call('/api/gateway/account')).text()
    expect(text).not.toContain(key)
    expect(JSON.parse(text).requests).toMatchObject([
      { method: 'POST', path: '/v1/videos/generations', status: 202, body: { positivePrompt: 'a cat' } },
    ])
  })
})
