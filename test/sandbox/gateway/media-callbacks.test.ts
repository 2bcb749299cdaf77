// The callbacks of each model of the local gateway, as the table "Events" of gateway-api.md describes them.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Model } from '../../../src/catalog/model.ts'
import { music } from '../../../src/catalog/music.ts'
import { videoReel } from '../../../src/catalog/video-reel.ts'
import { videoWan } from '../../../src/catalog/video-wan.ts'
import {
  bodyOf,
  eachModel,
  mostResults,
  openRichGateway,
  type RichSandbox,
  saying,
} from '../../support/gateway/contract.ts'
import { bytesOf, clock, closing, receiver, removeGateway } from '../../support/gateway/local-gateway.ts'

let sandbox: RichSandbox
beforeEach(async () => {
  sandbox = await openRichGateway()
})
afterEach(() => removeGateway(sandbox))

type Receiver = Awaited<ReturnType<typeof receiver>>

const task = z.looseObject({ status: z.string(), data: z.array(z.object({ url: z.url() })).optional() })

async function told(there: Receiver) {
  const { method, type, body } = await there.next()
  expect([method, type]).toEqual(['POST', 'application/json'])
  return task.parse(JSON.parse(String(body)))
}

/** Fails if another call arrived: calls are read in order, so it would be read instead of this one. */
async function expectNothingMore(there: Receiver) {
  await fetch(there.url, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'last' })
  expect((await there.next()).type).toBe('text/plain')
}

/** The expected callbacks. The name of the address field determines when they are sent: at each change, for each result, or at the end. */
function expectedCalls(field: string, urls: readonly string[]) {
  const data = urls.map((url) => expect.objectContaining({ url }))
  if (field === 'webhookURL') return data.map((one) => ({ status: 'completed', data: [one] }))
  const end = { status: 'completed', data }
  return field === 'callback_url' ? [{ status: 'dreaming' }, end] : [end]
}

const callers = eachModel.flatMap(([id, model]) =>
  model.callbackPath === undefined ? [] : [[id, model, model.callbackPath] as const],
)

async function ordered(model: Model, body: object) {
  const id = await sandbox.order(model, { ...body })
  clock.advance(2000)
  return id
}

describe.each(callers)('%s', (_, model, field) => {
  it(`calls ${field} as often as documented, with the content of a poll`, async () => {
    await using there = closing(await receiver())
    const body = { ...mostResults(model).body, [field]: there.url }
    const id = await ordered(model, body)
    const first = field === 'callback_url' ? [await told(there)] : []
    clock.advance(60_000)
    const { data = [], ...poll } = task.parse(await sandbox.look(id))
    const expected = expectedCalls(
      field,
      data.map(({ url }) => url),
    )
    const calls = [...first]
    while (calls.length < expected.length) calls.push(await told(there))
    const byUrl = calls.toSorted((a, b) => (a.data?.[0]?.url ?? '').localeCompare(b.data?.[0]?.url ?? ''))
    expect(byUrl).toEqual(expected.map((one) => ({ ...poll, ...one })))
    await expectNothingMore(there)
  })

  it(`calls ${field} once when it fails`, async () => {
    await using there = closing(await receiver())
    const answers = saying(model, 'a cat [fail]', mostResults(model).answers)
    const id = await ordered(model, { ...bodyOf(model, answers), [field]: there.url })
    if (field === 'callback_url') expect((await told(there)).status).toBe('dreaming')
    clock.advance(60_000)
    expect(await told(there)).toEqual(await sandbox.look(id))
    await expectNothingMore(there)
  })
})

describe('music', () => {
  const order = (callBackUrl: string, prompt: string) => ({
    model: 'v5_5',
    customMode: false,
    instrumental: true,
    prompt,
    callBackUrl,
  })

  it('has one callback with both variants, which are two different songs', async () => {
    await using there = closing(await receiver())
    const { charged } = await sandbox.made(music, order(there.url, 'the sea'))
    expect(charged).toBe(660)
    const { data = [] } = await told(there)
    const files = await Promise.all(data.map(async ({ url }) => bytesOf(await fetch(url))))
    expect(files).toHaveLength(2)
    expect(files[0]?.equals(files[1] ?? Buffer.of())).toBe(false)
    await expectNothingMore(there)
  })

  it('with one variant has the same price, since it is sold per request', async () => {
    await using there = closing(await receiver())
    const { charged } = await sandbox.made(music, order(there.url, 'the sea [partial]'))
    expect(charged).toBe(660)
    expect((await told(there)).data).toHaveLength(1)
  })

  it('without a callback address is refused', async () => {
    const { callBackUrl: _, ...body } = order('', 'the sea')
    expect((await sandbox.send(music, body)).status).toBe(400)
  })
})

describe.each([videoReel, videoWan])('$id', (model) => {
  it('uploads each result, with the same bytes as at its link', async () => {
    await using there = closing(await receiver())
    const body = { ...bodyOf(model, { numberResults: 2, outputFormat: 'MOV' }), uploadEndpoint: there.url }
    const { urls } = await sandbox.made(model, body)
    const sent = [await there.next(), await there.next()]
    expect(sent.map(({ method, type }) => [method, type])).toEqual([
      ['PUT', 'video/quicktime'],
      ['PUT', 'video/quicktime'],
    ])
    const files = await Promise.all(urls.map(async (url) => bytesOf(await fetch(url))))
    const sorted = (list: readonly Buffer[]) => list.toSorted(Buffer.compare)
    expect(sorted(sent.map(({ body }) => body))).toEqual(sorted(files))
  })

  it('uploads nothing when it fails', async () => {
    await using there = closing(await receiver())
    const body = bodyOf(model, saying(model, 'a cat [fail]'))
    const both = { uploadEndpoint: there.url, webhookURL: there.url }
    await sandbox.made(model, { ...body, ...both })
    expect((await told(there)).status).toBe('failed')
    await expectNothingMore(there)
  })
})
