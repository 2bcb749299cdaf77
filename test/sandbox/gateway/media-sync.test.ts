// Synchronous answers of the local gateway: pictures as JSON, speech as a binary body, and when the answer is a task instead.

import { ALL_FORMATS, BufferSource, Input } from 'mediabunny'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { imageDesign } from '../../../src/catalog/image-design.ts'
import { imagePhoto } from '../../../src/catalog/image-photo.ts'
import { speechTurbo } from '../../../src/catalog/speech-turbo.ts'
import {
  type Body,
  countsOf,
  eachModel,
  openRichGateway,
  priceOf,
  type RichSandbox,
  saying,
  setBalance,
  syncBodyOf,
} from '../../support/gateway/contract.ts'
import { bytesOf, clock, errorSchema, removeGateway } from '../../support/gateway/local-gateway.ts'

let sandbox: RichSandbox
beforeAll(async () => {
  sandbox = await openRichGateway()
})
afterAll(() => removeGateway(sandbox))

const either = eachModel.filter(([, { mode }]) => mode === 'either')
const pictures = either.filter(([, { modality }]) => modality === 'image')

const facts = { taskUUID: z.string().min(1), seed: z.int().nonnegative() }
const linked = z.strictObject({ url: z.url(), ...facts })
const inline = z.strictObject({ b64_json: z.base64(), ...facts })
const answerOf = <T extends z.ZodType>(item: T) =>
  z.strictObject({ created: z.int(), data: z.array(item), provider: z.string().min(1) })

async function charge<T>(work: () => Promise<T>) {
  const before = (await sandbox.account()).charged
  const result = await work()
  return { result, charged: (await sandbox.account()).charged - before }
}

const speech = (more: object = {}) => ({
  model: speechTurbo.id,
  text: 'Good morning!',
  voice_setting: {},
  ...more,
})
const speak = (body: Body) => sandbox.send(speechTurbo, body)

describe.each(either)('%s', (_, model) => {
  it('answers synchronously unless async is true, and is charged at once', async () => {
    const { async: __, ...body } = syncBodyOf(model)
    const { result, charged } = await charge(() => sandbox.send(model, body))
    expect([result.status, charged]).toEqual([200, priceOf(model, body)])
    expect((await sandbox.send(model, { ...body, async: false })).status).toBe(200)
    expect((await sandbox.send(model, { ...body, async: true })).status).toBe(202)
  })

  it.each([
    ['[fail]', 'could not make'],
    ['[cancel]', 'was canceled'],
    ['[stuck]', 'made no result'],
  ])('with %s in its text answers 422 with the reason and charges nothing', async (mark, why) => {
    const body = syncBodyOf(model, saying(model, `a cat ${mark}`))
    const { result, charged } = await charge(() => sandbox.send(model, body))
    expect([result.status, charged]).toEqual([422, 0])
    expect(errorSchema.parse(await result.json()).error).toEqual({
      message: expect.stringContaining(why),
      type: 'invalid_request_error',
      code: 'generation_failed',
    })
  })

  it('fails as a scripted fault says', async () => {
    sandbox.fault('create', { kind: 'task', status: 'failed', error: 'too many cats' })
    const { result, charged } = await charge(() => sandbox.send(model, syncBodyOf(model)))
    expect([result.status, charged]).toEqual([422, 0])
    expect(errorSchema.parse(await result.json()).error.message).toBe('too many cats')
  })

  it('is refused when the balance does not cover it', async () => {
    const { balance } = await sandbox.account()
    await setBalance(sandbox, priceOf(model, syncBodyOf(model)) - 1)
    expect((await sandbox.send(model, syncBodyOf(model))).status).toBe(402)
    await setBalance(sandbox, balance)
  })
})

describe.each(pictures)('%s', (_, model) => {
  it('answers with a link, a seed and a task id for each picture', async () => {
    const body = syncBodyOf(model)
    const answer = answerOf(linked).parse(await (await sandbox.send(model, body)).json())
    expect(answer.created).toBe(Math.floor(clock.now().getTime() / 1000))
    expect(answer.data).toHaveLength(countsOf(model, body).files)
    for (const { url, taskUUID } of answer.data) {
      const file = await fetch(url)
      const { format, width } = await sharp(await bytesOf(file)).metadata()
      expect([`image/${format}`, width]).toEqual([file.headers.get('content-type'), 1024])
      expect(await sandbox.look(taskUUID)).toMatchObject({ object: 'task', status: 'completed' })
    }
  })

  it('with [partial] answers with one picture fewer', async () => {
    const whole = syncBodyOf(model, { n: 3, numberOfImages: 3 })
    const body = { ...whole, prompt: 'a cat [partial]' }
    const { result, charged } = await charge(() => sandbox.send(model, body))
    expect(answerOf(linked).parse(await result.json()).data).toHaveLength(2)
    expect(charged).toBe((priceOf(model, whole) * 2) / 3)
  })
})

describe('pictures', () => {
  it('as base64 are the files that the links serve', async () => {
    const order = { model: imageDesign.id, prompt: 'a fox', n: 2, size: '640x480' }
    const read = async (more: object) => (await sandbox.send(imageDesign, { ...order, ...more })).json()
    const coded = answerOf(inline).parse(await read({ response_format: 'b64_json' }))
    const links = answerOf(linked).parse(await read({ response_format: 'url' }))
    expect(coded.data).toHaveLength(2)
    for (const [i, { b64_json, seed }] of coded.data.entries()) {
      const bytes = Buffer.from(b64_json, 'base64')
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 640, height: 480 })
      expect(seed).toBe(links.data[i]?.seed)
      expect(bytes).toEqual(await bytesOf(await fetch(links.data[i]?.url ?? '')))
    }
  })

  it('of a task are always links', async () => {
    const order = { model: imageDesign.id, prompt: 'a fox', response_format: 'b64_json', async: true }
    const { id, urls } = await sandbox.made(imageDesign, order)
    expect(await sandbox.look(id)).toMatchObject({ data: [{ url: urls[0] }] })
    expect(urls[0]).toMatch(/\.png$/)
  })

  it.each([
    [{ size: '1344x768' }, 'png', 1344, 768, imageDesign],
    [{ size: '1x4096' }, 'png', 1, 4096, imageDesign],
    [{ size: '21:9' }, 'png', 1024, 439, imageDesign],
    [{ aspectRatio: '9:16', imageSize: '2K' }, 'jpeg', 1152, 2048, imagePhoto],
    [{ imageSize: '1K' }, 'jpeg', 1024, 1024, imagePhoto],
  ])('as %j are %s files of %i x %i pixels', async (more, format, width, height, model) => {
    const answer = await sandbox.send(model, { model: model.id, prompt: 'a fox', ...more })
    const [first] = answerOf(linked).parse(await answer.json()).data
    const bytes = await bytesOf(await fetch(first?.url ?? ''))
    expect(await sharp(bytes).metadata()).toMatchObject({ format, width, height })
  })

  it.each(['4097x64', '64x4097', '9999x9999'])(
    'of %s pixels are refused and not scaled down',
    async (size) => {
      const { result, charged } = await charge(() =>
        sandbox.send(imageDesign, { model: imageDesign.id, prompt: 'a fox', size }),
      )
      expect([result.status, charged]).toEqual([400, 0])
      expect(errorSchema.parse(await result.json()).error.message).toContain('4096x4096')
    },
  )
})

async function heard(bytes: Buffer) {
  using input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS })
  const track = await input.getPrimaryAudioTrack()
  return {
    codec: await track?.getCodec(),
    seconds: await input.computeDuration(),
  }
}

describe('speech', () => {
  it.each([
    ['mp3', 'audio/mpeg', 'mp3'],
    ['wav', 'audio/wav', 'pcm-s16'],
    ['flac', 'audio/flac', 'flac'],
  ])('in the format %s is a body of the type %s', async (format, type, codec) => {
    for (const output of [{}, { output_format: 'hex' }]) {
      const answer = await speak(speech({ audio_setting: { format }, ...output }))
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type])
      expect(await heard(await bytesOf(answer))).toMatchObject({ codec })
    }
  })

  it('in PCM has the samples of the WAV file', async () => {
    const body = async (format: string) => bytesOf(await speak(speech({ audio_setting: { format } })))
    expect(await body('pcm')).toEqual((await body('wav')).subarray(44))
  })

  it('with output_format url is a link to the same file', async () => {
    const whole = await bytesOf(await speak(speech()))
    const answer = await speak(speech({ output_format: 'url' }))
    const { data } = z
      .strictObject({ data: z.tuple([z.strictObject({ url: z.url() })]) })
      .parse(await answer.json())
    const file = await fetch(data[0].url)
    expect(file.headers.get('content-type')).toBe('audio/mpeg')
    expect(await bytesOf(file)).toEqual(whole)
  })

  it('is longer for a longer text and shorter at a higher speed', async () => {
    const seconds = async (length: number, speed: number) => {
      const body = speech({ text: 'a'.repeat(length), voice_setting: { speed } })
      return Math.round((await heard(await bytesOf(await speak(body)))).seconds)
    }
    expect([await seconds(28, 1), await seconds(84, 1), await seconds(420, 1)]).toEqual([2, 6, 30])
    expect(await seconds(84, 2)).toBe(2)
  })

  it.each([
    ['4500 letters', 'я'.repeat(4500), 200],
    ['4500 signs of two units each', '🦊'.repeat(4500), 200],
    ['4501 letters', 'я'.repeat(4501), 202],
    ['10000 letters', 'я'.repeat(10_000), 202],
    ['10001 letters', 'я'.repeat(10_001), 400],
  ])('of %s is answered with %i', async (_, text, status) => {
    const answer = await speak(speech({ text }))
    expect(answer.status).toBe(status)
    if (status !== 202) return answer.body?.cancel()
    const task = z.looseObject({ id: z.string() }).parse(await answer.json())
    expect(task).toMatchObject({ object: 'audio.task', status: 'queued', model: speechTurbo.id })
    clock.advance(60_000)
    expect(await sandbox.look(task.id)).toMatchObject({ modality: 'audio', data: [{}] })
  })

  it('of a long text becomes a task even with async: false, and is charged when it completes', async () => {
    const body = speech({ text: 'a'.repeat(4501), async: false })
    const { charged } = await sandbox.made(speechTurbo, body)
    // 4501 characters at 39.62 roubles a million cost 17.8 kopecks, rounded up.
    expect(charged).toBe(18)
  })
})
