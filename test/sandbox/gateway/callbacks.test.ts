// Callbacks of the local gateway: when they are sent, with what content, and how they are retried.

import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { videoDream } from '../../../src/catalog/video-dream.ts'
import { videoWan } from '../../../src/catalog/video-wan.ts'
import { readBody } from '../../../src/sandbox/http.ts'
import {
  bytesOf,
  clock,
  closing,
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

describe('callbacks', () => {
  it('of Reel are sent for each result when all results are ready', async () => {
    await using there = closing(await receiver())
    const { id, data = [] } = await sandbox.finished({ numberResults: 2, webhookURL: there.url })
    const calls = [await there.nextTask(), await there.nextTask()]
    expect(calls).toMatchObject([
      { id, status: 'completed' },
      { id, status: 'completed' },
    ])
    const urls = calls.flatMap((call) => call.data ?? []).map(({ url }) => url)
    expect(urls.toSorted()).toEqual(data.map(({ url }) => url))
  })

  it('of Wan are sent for each result', async () => {
    await using there = closing(await receiver())
    const order = { model: videoWan.id, positivePrompt: 'a cat', numberResults: 2, webhookURL: there.url }
    const { data = [] } = await sandbox.done(order)
    const calls = [await there.nextTask(), await there.nextTask()]
    expect(calls.map(({ status }) => status)).toEqual(['completed', 'completed'])
    const urls = calls.flatMap((call) => call.data ?? []).map(({ url }) => url)
    expect(urls.toSorted()).toEqual(data.map(({ url }) => url))
  })

  it('report a failure once', async () => {
    await using there = closing(await receiver())
    const { id } = await sandbox.finished({
      positivePrompt: '[fail]',
      numberResults: 3,
      webhookURL: there.url,
    })
    expect(await there.nextTask()).toMatchObject({ id, status: 'failed', error: expect.any(String) })
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

  it('are sent again when the receiver does not answer within five seconds', async () => {
    const statuses = [undefined, 200]
    await using slow = closing(await receiver(() => statuses.shift()))
    await sandbox.finished({ webhookURL: slow.url })
    await slow.next()
    const gone = once(slow.events, 'gone')
    const pause = once(waits, '100')
    clock.advance(5000)
    await Promise.all([gone, pause])
    clock.advance(100)
    expect((await slow.nextTask()).status).toBe('completed')
  })

  describe('of Dream', () => {
    const order = (url: string, prompt = 'a cat') => ({ model: videoDream.id, prompt, callback_url: url })

    it.each([
      ['a cat', 'completed', { data: [{ url: expect.any(String) }] }],
      ['[fail]', 'failed', { error: expect.any(String) }],
    ])('of "%s" are sent when the task begins and when it is %s', async (prompt, status, more) => {
      await using there = closing(await receiver())
      const { id } = await sandbox.ordered(order(there.url, prompt))
      clock.advance(2000)
      expect(await there.nextTask()).toEqual(expect.objectContaining({ id, status: 'dreaming' }))
      clock.advance(15_000)
      expect(await there.nextTask()).toMatchObject({ id, status, ...more })
    })

    it('are not sent for a canceled task, since no callback status means canceled', async () => {
      await using canceled = closing(await receiver())
      await using there = closing(await receiver())
      await sandbox.ordered(order(canceled.url, '[cancel]'))
      await sandbox.ordered(order(there.url))
      clock.advance(2000)
      await Promise.all([canceled.nextTask(), there.nextTask()])
      // A callback about the cancellation would be sent first and would consume this fault.
      sandbox.fault('callback', { kind: 'garbage', body: 'meow' })
      clock.advance(15_000)
      expect(String((await there.next()).body)).toBe('meow')
    })

    it('are also repeated when the one about the beginning fails', async () => {
      const statuses = [500, 200]
      await using there = closing(await receiver(() => statuses.shift()))
      await sandbox.ordered(order(there.url))
      const pause = once(waits, '100')
      clock.advance(2000)
      expect((await there.nextTask()).status).toBe('dreaming')
      await pause
      clock.advance(100)
      expect((await there.nextTask()).status).toBe('dreaming')
    })

    it('report the beginning only once, also after a restart of the sandbox', async () => {
      await using there = closing(await receiver())
      await sandbox.ordered(order(there.url))
      clock.advance(2000)
      expect((await there.nextTask()).status).toBe('dreaming')
      await sandbox.close()
      sandbox = await openGateway(sandbox.folder)
      clock.advance(15_000)
      expect((await there.nextTask()).status).toBe('completed')
    })
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

  it('can have another shape by a fault, and later callbacks have the usual shape', async () => {
    const calls: { method: string | undefined; url: string | undefined; body: string }[] = []
    const seen = new EventEmitter()
    const server = createServer(async (req, res) => {
      calls.push({ method: req.method, url: req.url, body: String(await readBody(req)) })
      res.end()
      seen.emit('call')
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const webhookURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/here`
    const ids: string[] = []
    for (const shape of ['nested', 'beside', 'array', 'form', 'query', undefined] as const) {
      if (shape) sandbox.fault('callback', { kind: 'shape', shape })
      const called = once(seen, 'call')
      ids.push((await sandbox.finished({ webhookURL })).id)
      await called
    }
    server.close()
    expect(calls.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /here',
      'POST /here',
      'POST /here',
      'POST /here',
      `GET /here?task_id=${ids[4]}&status=completed`,
      'POST /here',
    ])
    const [nested, beside, array, form, , usual] = calls.map(({ body }) => body)
    expect(JSON.parse(nested ?? '')).toMatchObject({ data: { task: { id: ids[0], status: 'completed' } } })
    expect(JSON.parse(beside ?? '')).toMatchObject({ taskId: ids[1], status: 'completed' })
    for (const body of [nested, beside]) expect(JSON.parse(body ?? '').id).toMatch(/^e3b0c442-/)
    expect(JSON.parse(array ?? '')).toMatchObject([{ id: ids[2] }])
    expect(form).toBe(`task_id=${ids[3]}&status=completed`)
    expect(JSON.parse(usual ?? '')).toMatchObject({ id: ids[5], status: 'completed' })
  })

  it('upload the file itself to an upload address', async () => {
    await using there = closing(await receiver())
    const { data } = await sandbox.finished({ uploadEndpoint: there.url, outputFormat: 'WEBM' })
    const { method, type, body } = await there.next()
    expect([method, type]).toEqual(['PUT', 'video/webm'])
    expect(body).toEqual(await bytesOf(await fetch(data?.[0]?.url ?? '')))
  })
})
