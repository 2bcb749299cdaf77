// The local gateway over real HTTP: what it accepts, when a task is done, what it charges, whom it tells, and that its
// files really are what was ordered.

import { EventEmitter, on, once } from 'node:events'
import { cp, mkdir, mkdtemp, rm, rmdir } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { videoReel } from '../src/catalog/video-reel.ts'
import { createFaults, type Fault, type Faults } from '../src/sandbox/faults.ts'
import { createGateway } from '../src/sandbox/gateway/index.ts'
import { readBody } from '../src/sandbox/http.ts'
import { handClock } from './support/clock.ts'

const key = 'sandbox-key'
const endpoint = '/gateway/v1/videos/generations'
const tick = handClock()
const waits = new EventEmitter()
/** Says when somebody begins to wait or a fault is met, so that a test moves the time not a moment too early. */
const clock = {
  ...tick,
  wait(ms: number, signal?: AbortSignal) {
    const waiting = tick.wait(ms, signal)
    waits.emit(String(ms))
    return waiting
  },
}

const taskSchema = z.object({
  id: z.string(),
  object: z.literal('video.task'),
  status: z.string(),
  model: z.string(),
  created: z.int(),
  modality: z.literal('video').optional(),
  data: z.array(z.object({ url: z.url(), seed: z.number() })).optional(),
  error: z.string().optional(),
})
const errorSchema = z.object({
  error: z.strictObject({ message: z.string(), type: z.string(), code: z.string() }),
})
const accountSchema = z.object({
  balance: z.int(),
  charged: z.int(),
  requests: z.array(z.object({ method: z.string(), path: z.string(), status: z.int().nullable() })),
  tasks: z.array(z.object({ id: z.string(), status: z.string() })),
})

async function listen(handler: (req: IncomingMessage, res: ServerResponse) => void) {
  const server = createServer(handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { url, close }
}

async function open(folder: string, { speed = 1, startBalance = 1_000_000 } = {}) {
  const scripted = createFaults()
  const faults: Faults = {
    ...scripted,
    take(target, operation) {
      const fault = scripted.take(target, operation)
      if (fault) waits.emit('fault')
      return fault
    },
  }
  let ids = 0
  const gateway = createGateway({
    ...{ key, folder, clock, speed, faults, startBalance },
    baseUrl: () => server.url,
    newId() {
      ids += 1
      return `task-${ids}`
    },
    random: () => 0.25,
  })
  const server = await listen(async (req, res) => {
    const url = new URL(req.url ?? '/', server.url)
    const taken = (await gateway.room(req, res, url)) || (await gateway.account(req, res, url))
    if (!taken) res.writeHead(418).end()
  })
  const call = (path: string, init: RequestInit = {}) =>
    fetch(server.url + path, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } })
  const post = (path: string, body: unknown, signal?: AbortSignal) =>
    call(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
      signal: signal ?? null,
    })
  const poll = async (id: string) => taskSchema.parse(await (await call(`/gateway/v1/tasks/${id}`)).json())
  const create = async (more: object = {}) => {
    const body = { model: videoReel.id, positivePrompt: 'a cat surfing', duration: 3, ...more }
    return post(endpoint, body)
  }
  const created = async (more: object = {}) => {
    const answer = await create(more)
    expect(answer.status).toBe(202)
    return taskSchema.parse(await answer.json())
  }
  return {
    ...{ url: server.url, call, post, poll, create, created },
    fault: (operation: string, fault: Fault) => faults.add({ target: 'gateway', operation, fault, times: 1 }),
    account: async () => accountSchema.parse(await (await call('/api/gateway/account')).json()),
    async finished(more: object = {}) {
      const { id } = await created(more)
      clock.advance(60_000)
      return poll(id)
    },
    async close() {
      await gateway.close()
      await server.close()
    },
  }
}

type Sandbox = Awaited<ReturnType<typeof open>>

/** A callback address; `answer` may leave a call unanswered by returning undefined. */
async function receiver(answer: () => number | undefined = () => 200) {
  const events = new EventEmitter()
  const server = await listen(async (req, res) => {
    res.once('close', () => events.emit('gone'))
    const body = await readBody(req)
    const status = answer()
    if (status) res.writeHead(status).end()
    events.emit('call', { method: req.method, type: req.headers['content-type'], body })
  })
  const seen = on(events, 'call')
  const call = z.object({ method: z.string(), type: z.string(), body: z.instanceof(Buffer) })
  return {
    ...server,
    events,
    next: async () => call.parse((await seen.next()).value?.[0]),
    async nextTask() {
      return taskSchema.parse(JSON.parse(String((await this.next()).body)))
    },
  }
}

const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer())

async function facts(bytes: Buffer) {
  using input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS })
  const track = await input.getPrimaryVideoTrack()
  if (!track) throw new Error('not a video')
  const types: string[] = []
  for await (const packet of new EncodedPacketSink(track).packets()) types.push(packet.type)
  return {
    mime: (await input.getMimeType()).split(';')[0],
    codec: await track.getCodec(),
    sound: await (await input.getPrimaryAudioTrack())?.getCodec(),
    width: await track.getDisplayWidth(),
    height: await track.getDisplayHeight(),
    seconds: await input.computeDuration(),
    frames: types.length,
    keys: types.flatMap((type, i) => (type === 'key' ? [i] : [])),
  }
}

let folder: string
let sandbox: Sandbox

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-gateway-'))
  sandbox = await open(folder)
})

afterEach(async () => {
  await sandbox.close()
  await rm(folder, { recursive: true })
})

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

  it('takes less time at a higher speed', async () => {
    await sandbox.close()
    sandbox = await open(folder, { speed: 10 })
    const { id } = await sandbox.created({ duration: 8 })
    clock.advance(2000)
    expect((await sandbox.poll(id)).status).toBe('completed')
  })

  it.each([
    ['[fail]', 'failed'],
    ['[cancel]', 'canceled'],
  ])('with %s in its prompt ends %s, for nothing', async (mark, status) => {
    const task = await sandbox.finished({ positivePrompt: `a cat ${mark}` })
    expect(task).toMatchObject({ status, error: expect.stringContaining('Nothing was charged') })
    expect(task.data).toBeUndefined()
    expect((await sandbox.account()).charged).toBe(0)
  })

  it('ends as a scripted fault says', async () => {
    sandbox.fault('create', { kind: 'task', status: 'failed', error: 'too many cats' })
    sandbox.fault('create', { kind: 'task', status: 'stuck' })
    expect(await sandbox.finished()).toMatchObject({ status: 'failed', error: 'too many cats' })
    expect((await sandbox.finished()).status).toBe('processing')
    expect((await sandbox.finished()).status).toBe('completed')
  })

  it('charges each result, and of a partial success only what there is', async () => {
    const whole = await sandbox.finished({ numberResults: 4, seed: 7 })
    expect(whole.data?.map(({ seed }) => seed)).toEqual([7, 8, 9, 10])
    expect((await sandbox.account()).charged).toBe(4 * 5547)
    const partial = await sandbox.finished({ numberResults: 3, positivePrompt: 'a cat [partial]' })
    expect(partial).toMatchObject({ status: 'completed', data: [{}, {}] })
    expect((await sandbox.account()).charged).toBe(6 * 5547)
  })

  it('survives a restart, done or not, and is charged once', async () => {
    const done = await sandbox.finished()
    const { id } = await sandbox.created({ duration: 15 })
    await sandbox.close()
    sandbox = await open(folder)
    expect(await sandbox.poll(done.id)).toMatchObject({ status: 'completed' })
    expect((await sandbox.call(`/gateway/cdn/${done.id}-0.mp4`)).status).toBe(200)
    expect((await sandbox.poll(id)).status).toBe('queued')
    clock.advance(27_000)
    expect((await sandbox.poll(id)).status).toBe('completed')
    expect(await sandbox.account()).toMatchObject({ balance: 1_000_000 - 5547 - 27_735, charged: 33_282 })
  })

  it('survives a kill right after its creation was answered', async () => {
    const { id } = await sandbox.created()
    const copy = `${folder}-copy`
    await cp(folder, copy, { recursive: true })
    const other = await open(copy)
    expect((await other.poll(id)).id).toBe(id)
    await other.close()
    await rm(copy, { recursive: true })
  })

  it('is not promised when it can not be kept', async () => {
    const log = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const inTheWay = join(folder, 'gateway.json.new')
    await mkdir(inTheWay)
    expect((await sandbox.create()).status).toBe(500)
    expect(String(log.mock.calls)).toContain('EISDIR')
    log.mockRestore()
    await rmdir(inTheWay)
  })
})

describe('refusals', () => {
  it.each([
    [{ positivePrompt: undefined }, 400, 'positivePrompt'],
    [{ duration: 16 }, 400, 'duration'],
    [{ colour: 'red' }, 400, 'colour'],
    [{ width: 848, height: 481 }, 400, 'width x height'],
    [{ settings: { audio: 'yes' } }, 400, 'settings.audio'],
    [{ model: 'MODEL-NONE' }, 404, 'MODEL-NONE'],
    [{ model: 5 }, 400, 'model'],
  ])('%j is refused with %i and names it', async (body, status, named) => {
    const answer = await sandbox.create(body)
    expect(answer.status).toBe(status)
    expect(errorSchema.parse(await answer.json()).error.message).toContain(named)
    expect((await sandbox.account()).tasks).toEqual([])
  })

  it.each([
    ['POST', endpoint, { authorization: 'Bearer wrong' }, 401],
    ['POST', endpoint, { authorization: key }, 401],
    ['GET', '/gateway/v1/tasks/task-1', { authorization: '' }, 401],
    ['GET', '/gateway/v1/tasks/task-1', {}, 404],
    ['GET', endpoint, {}, 404],
    ['POST', endpoint, { 'content-type': 'text/plain' }, 400],
    ['POST', '/gateway/v1/nothing', {}, 404],
    ['GET', '/gateway/cdn/task-1-0.mp4', {}, 404],
    ['GET', '/gateway/', {}, 404],
    ['GET', '/elsewhere', {}, 418],
  ])('%s %s with %j answers %i', async (method, path, headers, status) => {
    const answer = await sandbox.call(path, { method, headers, ...(method === 'POST' ? { body: '{' } : {}) })
    expect(answer.status).toBe(status)
    if (status !== 418) errorSchema.parse(await answer.json())
  })

  it('answers 402 when the balance does not cover the request, until it does', async () => {
    const set = await sandbox.post('/api/gateway/account', { balance: 5546 })
    expect(accountSchema.parse(await set.json()).balance).toBe(5546)
    expect((await sandbox.create()).status).toBe(402)
    await sandbox.post('/api/gateway/account', { balance: 5547 })
    expect((await sandbox.finished()).status).toBe('completed')
    expect(await sandbox.account()).toMatchObject({ balance: 0, charged: 5547 })
    expect((await sandbox.post('/api/gateway/account', { balance: '5' })).status).toBe(400)
  })

  it('keeps the requests for looking at, without the key', async () => {
    await sandbox.created({ positivePrompt: 'a cat' })
    const text = await (await sandbox.call('/api/gateway/account')).text()
    expect(text).not.toContain(key)
    expect(JSON.parse(text).requests).toMatchObject([
      { method: 'POST', path: '/v1/videos/generations', status: 202, body: { positivePrompt: 'a cat' } },
    ])
  })
})

describe('files', () => {
  const sizes = videoReel.fields
    .flatMap((field) => (field.kind === 'choice' && field.name === 'size' ? field.options : []))
    .map(({ set }) => set)
  const presets = { '480p': [848, 480], '720p': [1280, 720], '1080p': [1920, 1088] }
  const formats = [
    { outputFormat: 'MP4', mime: 'video/mp4', codec: 'avc', soundCodec: 'aac' },
    { outputFormat: 'MOV', mime: 'video/quicktime', codec: 'avc', soundCodec: 'aac' },
    { outputFormat: 'WEBM', mime: 'video/webm', codec: 'vp9', soundCodec: 'opus' },
  ]
  const lengths = [3, 3.7, 4.333, 5]

  it.each(formats)('$outputFormat is what was ordered, in every size of the catalog', async (format) => {
    const { outputFormat, mime, codec, soundCodec } = format
    expect(sizes).toHaveLength(18)
    for (const [i, size] of sizes.entries()) {
      const audio = i % 2 === 0
      const duration = lengths[i % lengths.length] ?? 3
      const { data } = await sandbox.finished({ ...size, outputFormat, duration, settings: { audio } })
      const answer = await fetch(data?.[0]?.url ?? '')
      expect(answer.headers.get('content-type')).toBe(mime)
      const bytes = await bytesOf(answer)
      expect(answer.headers.get('content-length')).toBe(String(bytes.length))
      const [width, height] = Object.entries(presets).find(([name]) => name === size.resolution)?.[1] ?? [
        size.width,
        size.height,
      ]
      const frames = Math.ceil(duration * 32)
      const sound = audio ? soundCodec : undefined
      const { seconds, keys, ...rest } = await facts(bytes)
      expect(rest).toEqual({ mime, codec, sound, width, height, frames })
      expect(Math.abs(seconds - duration)).toBeLessThanOrEqual(1 / 32)
      expect(keys).toEqual([0, 32, 64, 96, 128].filter((n) => n < frames))
    }
  })

  it('is 1920x1088 and silent unless something else is said, and variations differ', async () => {
    const { data = [] } = await sandbox.finished({ numberResults: 4 })
    const files = await Promise.all(data.map(async ({ url }) => bytesOf(await fetch(url))))
    expect(new Set(files.map(String)).size).toBe(4)
    for (const file of files) {
      expect(await facts(file)).toMatchObject({ width: 1920, height: 1088, sound: undefined, seconds: 3 })
    }
  })

  it('are served in ranges, and by nobody before the task is done', async () => {
    const { id } = await sandbox.created()
    const url = `${sandbox.url}/gateway/cdn/${id}-0.mp4`
    expect((await fetch(url)).status).toBe(404)
    clock.advance(15_000)
    const whole = await bytesOf(await fetch(url))
    const last = whole.length - 1
    const range = (wanted: string) => fetch(url, { headers: { range: wanted } })
    const some = await range('bytes=10-19')
    expect([some.status, some.headers.get('content-range')]).toEqual([206, `bytes 10-19/${whole.length}`])
    expect(await bytesOf(some)).toEqual(whole.subarray(10, 20))
    expect(await bytesOf(await range(`bytes=${last - 4}-`))).toEqual(whole.subarray(-5))
    expect(await bytesOf(await range('bytes=-7'))).toEqual(whole.subarray(-7))
    expect((await range('bytes=0-99999999')).headers.get('content-range')).toBe(
      `bytes 0-${last}/${whole.length}`,
    )
    expect((await range(`bytes=${whole.length}-`)).status).toBe(416)
    const head = await fetch(url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(whole.length)])
    expect((await fetch(url.replace('-0.mp4', '-1.mp4'))).status).toBe(404)
    expect((await fetch(url.replace('.mp4', '.webm'))).status).toBe(404)
  })
})

describe('faults', () => {
  it('an error does nothing and says when to come back', async () => {
    sandbox.fault('create', { kind: 'error', status: 429, retryAfter: 7 })
    const answer = await sandbox.create()
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '7'])
    expect(errorSchema.parse(await answer.json()).error.type).toBe('rate_limit_error')
    sandbox.fault('poll', { kind: 'error', status: 503, description: 'busy' })
    expect((await sandbox.call('/gateway/v1/tasks/x')).status).toBe(503)
    expect((await sandbox.account()).tasks).toEqual([])
  })

  it('a cut before leaves no task, a cut after leaves one that nobody heard of', async () => {
    sandbox.fault('create', { kind: 'cut', after: false })
    await expect(sandbox.create()).rejects.toThrow()
    expect((await sandbox.account()).tasks).toEqual([])
    sandbox.fault('create', { kind: 'cut', after: true })
    await expect(sandbox.create()).rejects.toThrow()
    expect(await sandbox.account()).toMatchObject({
      tasks: [{}],
      requests: [{ status: null }, { status: null }],
    })
  })

  it('garbage is a page with 200, at any operation', async () => {
    for (const operation of ['create', 'poll', 'cdn']) sandbox.fault(operation, { kind: 'garbage' })
    const paths = ['/gateway/v1/tasks/x', '/gateway/cdn/x-0.mp4']
    for (const answer of [
      await sandbox.create(),
      ...(await Promise.all(paths.map((p) => sandbox.call(p)))),
    ]) {
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    }
  })

  it('a held up read is answered at last, a held up request is left undone', async () => {
    const { id } = await sandbox.created()
    sandbox.fault('poll', { kind: 'hang', ms: 777 })
    const held = once(waits, '777')
    const reading = sandbox.poll(id)
    await held
    clock.advance(777)
    expect((await reading).id).toBe(id)
    sandbox.fault('create', { kind: 'hang', ms: 888 })
    const heldUp = once(waits, '888')
    const answering = sandbox.create()
    await heldUp
    clock.advance(888)
    expect((await answering).status).toBe(504)
    sandbox.fault('create', { kind: 'hang' })
    const hasGivenUp = new AbortController()
    const taken = once(waits, 'fault')
    const creating = sandbox.post(endpoint, {}, hasGivenUp.signal)
    await taken
    hasGivenUp.abort()
    await expect(creating).rejects.toThrow()
    expect((await sandbox.account()).tasks).toHaveLength(1)
  })
})

describe('callbacks', () => {
  it('come once for each result when all are ready', async () => {
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

  it('tell of a failure once', async () => {
    await using there = closing(await receiver())
    const { id } = await sandbox.finished({
      positivePrompt: '[fail]',
      numberResults: 3,
      webhookURL: there.url,
    })
    expect(await there.nextTask()).toMatchObject({ id, status: 'failed', error: expect.any(String) })
  })

  it('are tried four times, 100 ms apart, unless the answer is 200', async () => {
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

  it('give up on an answer after five seconds', async () => {
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

  it('can be lost, doubled, late and nonsense', async () => {
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

  it('an upload address gets the file itself', async () => {
    await using there = closing(await receiver())
    const { data } = await sandbox.finished({ uploadEndpoint: there.url, outputFormat: 'WEBM' })
    const { method, type, body } = await there.next()
    expect([method, type]).toEqual(['PUT', 'video/webm'])
    expect(body).toEqual(await bytesOf(await fetch(data?.[0]?.url ?? '')))
  })
})

function closing<T extends { close(): Promise<void> }>(server: T): T & AsyncDisposable {
  return { ...server, [Symbol.asyncDispose]: () => server.close() }
}
