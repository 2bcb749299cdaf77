// The local gateway over HTTP with a clock that the test advances, a server for its callbacks, and facts about its files.

import { EventEmitter, on } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ALL_FORMATS, BufferSource, Input } from 'mediabunny'
import { expect } from 'vitest'
import { z } from 'zod'
import { videoReel } from '../../../src/catalog/video-reel.ts'
import { createFaults, type Fault, type Faults } from '../../../src/sandbox/faults.ts'
import { createGateway } from '../../../src/sandbox/gateway/index.ts'
import { readBody, serve } from '../../../src/sandbox/http.ts'
import { handClock } from '../runtime/clock.ts'
import { startServer } from '../runtime/server.ts'

export const key = 'sandbox-key'
export const endpoint = '/gateway/v1/videos/generations'
const tick = handClock()
export const waits = new EventEmitter()
/** Events for tests that must not advance the time earlier: a wait begins (named by its milliseconds), or a fault is taken (`fault`). */
export const clock = {
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
  data: z.array(z.object({ url: z.url(), seed: z.number().optional() })).optional(),
  error: z.string().optional(),
})
export const errorSchema = z.object({
  error: z.strictObject({ message: z.string(), type: z.string(), code: z.string() }),
})
const accountSchema = z.object({
  balance: z.int(),
  charged: z.int(),
  requests: z.array(z.object({ method: z.string(), path: z.string(), status: z.int().nullable() })),
  tasks: z.array(z.object({ id: z.string(), status: z.string() })),
})

/** The local gateway behind an HTTP server, with its state in a folder: each task writes all tasks, unless `keepsState` is false. */
export async function openGateway(
  folder: string,
  { speed = 1, startBalance = 1_000_000, keepsState = true } = {},
) {
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
    key,
    folder,
    keepsState,
    clock,
    speed,
    faults,
    startBalance,
    baseUrl: () => server.url,
    newId() {
      ids += 1
      return `task-${ids}`
    },
    random: () => 0.25,
  })
  const server = await serve(0, [gateway.api, gateway.inspection])
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
  const reel = { model: videoReel.id, positivePrompt: 'a cat surfing', duration: 3 }
  const create = (more: object = {}) => post(endpoint, { ...reel, ...more })
  const ordered = async (body: object) => {
    const answer = await post(endpoint, body)
    expect(answer.status).toBe(202)
    return taskSchema.parse(await answer.json())
  }
  const done = async (body: object) => {
    const { id } = await ordered(body)
    clock.advance(60_000)
    return poll(id)
  }
  return {
    folder,
    url: server.url,
    call,
    post,
    poll,
    create,
    ordered,
    done,
    created: (more: object = {}) => ordered({ ...reel, ...more }),
    finished: (more: object = {}) => done({ ...reel, ...more }),
    fault: (operation: string, fault: Fault) => faults.add({ target: 'gateway', operation, fault, times: 1 }),
    account: async () => accountSchema.parse(await (await call('/api/gateway/account')).json()),
    async close() {
      await gateway.close()
      await server.close()
    },
  }
}

export type Sandbox = Awaited<ReturnType<typeof openGateway>>

/** Starts a server at a callback address or a webhook. A call stays unanswered if `answer` returns undefined. */
export async function receiver(answer: () => number | undefined = () => 200) {
  const events = new EventEmitter()
  const server = await startServer(async (req, res) => {
    res.once('close', () => events.emit('gone'))
    const body = await readBody(req)
    const status = answer()
    if (status) res.writeHead(status).end()
    const { 'content-type': type, 'x-telegram-bot-api-secret-token': secret } = req.headers
    events.emit('call', { method: req.method, type, secret, body })
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

export const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer())

export async function facts(bytes: Buffer) {
  using input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS })
  const track = await input.getPrimaryVideoTrack()
  if (!track) throw new Error('not a video')
  return {
    mime: (await input.getMimeType()).split(';')[0],
    codec: await track.getCodec(),
    sound: await (await input.getPrimaryAudioTrack())?.getCodec(),
    width: await track.getDisplayWidth(),
    height: await track.getDisplayHeight(),
    seconds: await input.computeDuration(),
  }
}

export async function openNewGateway(options: Parameters<typeof openGateway>[1] = {}): Promise<Sandbox> {
  return openGateway(await mkdtemp(join(tmpdir(), 'sandbox-gateway-')), options)
}

export async function removeGateway(sandbox: Sandbox): Promise<void> {
  await sandbox.close()
  await rm(sandbox.folder, { recursive: true })
}

export function closing<T extends { close(): Promise<void> }>(server: T): T & AsyncDisposable {
  return { ...server, [Symbol.asyncDispose]: () => server.close() }
}
