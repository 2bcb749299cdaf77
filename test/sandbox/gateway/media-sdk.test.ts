// The official client of the chat-completions format makes pictures and speech at the local gateway. Fields that its types lack are
// passed as its README describes under "Undocumented params".

import OpenAI from 'openai'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { imageDesign } from '../../../src/catalog/image-design.ts'
import { imagePhoto } from '../../../src/catalog/image-photo.ts'
import { speechTurbo } from '../../../src/catalog/speech-turbo.ts'
import type { Fault } from '../../../src/sandbox/faults.ts'
import { openRichGateway, type RichSandbox, setBalance } from '../../support/gateway/contract.ts'
import { bytesOf, clock, key, removeGateway } from '../../support/gateway/local-gateway.ts'

let sandbox: RichSandbox
let client: OpenAI
beforeAll(async () => {
  sandbox = await openRichGateway()
  client = new OpenAI({ baseURL: `${sandbox.url}/gateway/v1`, apiKey: key, maxRetries: 0 })
})
afterAll(() => removeGateway(sandbox))
beforeEach(() => setBalance(sandbox, 1_000_000))

const charged = async () => 1_000_000 - (await sandbox.account()).balance

const design = { model: imageDesign.id, prompt: 'a fox' }
/** Passes fields that the client's types lack. */
const more = (fields: object): object => fields

describe('images.generate', () => {
  it('gets links to pictures in the requested size', async () => {
    const { created, data = [] } = await client.images.generate({ ...design, n: 2, size: '1024x768' })
    expect(created).toBe(Math.floor(clock.now().getTime() / 1000))
    expect(data).toHaveLength(2)
    for (const { url = '' } of data) {
      const bytes = await bytesOf(await fetch(url))
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 1024, height: 768 })
    }
    expect(await charged()).toBe(1056)
  })

  it('gets pictures as base64', async () => {
    const { data = [] } = await client.images.generate({ ...design, response_format: 'b64_json' })
    expect(data[0]?.url).toBeUndefined()
    const bytes = Buffer.from(data[0]?.b64_json ?? '', 'base64')
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 1024 })
  })

  it('accepts the fields that only gateway-api.md documents', async () => {
    const { data = [] } = await client.images.generate({
      ...design,
      ...more({ style: 'icon', controls: {} }),
    })
    expect(data).toHaveLength(1)
    const photo = { model: imagePhoto.id, prompt: 'a fox' }
    const photos = await client.images.generate({
      ...photo,
      ...more({ numberOfImages: 3, aspectRatio: '16:9' }),
    })
    expect(photos.data).toHaveLength(3)
  })

  it('is refused with fields that gateway-api.md does not document', async () => {
    const asked = client.images.generate({ ...design, quality: 'hd' })
    await expect(asked).rejects.toThrow(/400 .*quality/)
  })

  it('creates a task with async: true, which a raw GET request polls', async () => {
    const raw = z.object({ id: z.string(), object: z.string() })
    const task = raw.parse(await client.images.generate({ ...design, ...more({ async: true }) }))
    expect(task.object).toBe('image.task')
    expect(await client.get(`/tasks/${task.id}`)).toMatchObject({ object: 'task', status: 'queued' })
    clock.advance(60_000)
    expect(await client.get(`/tasks/${task.id}`)).toMatchObject({
      status: 'completed',
      data: [{ url: expect.stringMatching(/\.png$/) }],
    })
  })
})

describe('audio.speech', () => {
  const speech = { model: speechTurbo.id, text: 'Good morning!', voice_setting: { voice_id: 'anna' } }
  /** The fields that the client's types require; the gateway accepts only `model` of them. */
  const own = { model: speechTurbo.id, input: 'Good morning!', voice: 'anna' }

  it('create returns the sound itself with a body as in gateway-api.md', async () => {
    const answer = await client.audio.speech.create(own, { body: speech })
    expect(answer.headers.get('content-type')).toBe('audio/mpeg')
    expect((await bytesOf(answer)).subarray(0, 3).toString('latin1')).toMatch(/^(ID3|\xff[\xe0-\xff])/)
    expect(await charged()).toBe(1)
  })

  it("create is refused with the client's own body, and the message names the fields", async () => {
    await expect(client.audio.speech.create(own)).rejects.toThrow(/400 .*text/)
    await expect(client.audio.speech.create({ ...own, ...more(speech) })).rejects.toThrow(/400 .*input/)
    expect(await charged()).toBe(0)
  })

  it('as a raw POST request returns the same sound, or a link to it', async () => {
    const created = await client.audio.speech.create(own, { body: speech })
    const raw = await client.post('/audio/speech', { body: speech }).asResponse()
    const bytes = await bytesOf(raw)
    expect(bytes).toEqual(await bytesOf(created))
    const linked = await client.post('/audio/speech', { body: { ...speech, output_format: 'url' } })
    const { data } = z.object({ data: z.array(z.object({ url: z.url() })) }).parse(linked)
    expect(await bytesOf(await fetch(data[0]?.url ?? ''))).toEqual(bytes)
  })
})

describe('a raw POST request', () => {
  it('orders a video, which a raw GET request polls', async () => {
    const body = { model: 'MODEL-VIDEO-WAN', positivePrompt: 'a cat', duration: 2 }
    const { id } = z.object({ id: z.string() }).parse(await client.post('/videos/generations', { body }))
    clock.advance(60_000)
    expect(await client.get(`/tasks/${id}`)).toMatchObject({ modality: 'video', status: 'completed' })
  })
})

describe('errors', () => {
  const make = (by: OpenAI, fields: object = {}) => by.images.generate({ ...design, ...fields })

  it.each([
    [400, OpenAI.BadRequestError, 'invalid_body', { fields: { n: 7 } }],
    [401, OpenAI.AuthenticationError, 'invalid_api_key', { apiKey: 'wrong' }],
    [402, OpenAI.APIError, 'insufficient_balance', { balance: 527 }],
    [404, OpenAI.NotFoundError, 'unknown_model', { fields: { model: 'MODEL-NONE' } }],
    [422, OpenAI.UnprocessableEntityError, 'generation_failed', { fields: { prompt: '[fail]' } }],
    [429, OpenAI.RateLimitError, 'too_many_requests', { fault: { kind: 'error', status: 429 } }],
    [503, OpenAI.InternalServerError, 'service_unavailable', { fault: { kind: 'error', status: 503 } }],
  ] as [
    number,
    typeof OpenAI.APIError,
    string,
    { fields?: object; apiKey?: string; balance?: number; fault?: Fault },
  ][])(
    "with status %i have the client's class for it, and charge nothing",
    async (status, kind, code, how) => {
      if (how.balance !== undefined) await setBalance(sandbox, how.balance)
      if (how.fault) sandbox.fault('create', how.fault)
      const { balance } = await sandbox.account()
      const by = how.apiKey ? client.withOptions({ apiKey: how.apiKey }) : client
      const error = await make(by, how.fields).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(kind)
      expect(error).toMatchObject({ status, code, type: expect.any(String) })
      expect((await sandbox.account()).balance).toBe(balance)
    },
  )

  it('about an unknown task have status 404', async () => {
    const asked = client.get('/tasks/task-none')
    await expect(asked).rejects.toBeInstanceOf(OpenAI.NotFoundError)
  })

  it('of a busy gateway are retried by the client', async () => {
    sandbox.fault('create', { kind: 'error', status: 429, retryAfter: 0.01 })
    expect((await make(client.withOptions({ maxRetries: 1 }))).data).toHaveLength(1)
    expect(await charged()).toBe(528)
  })
})
