// What the local gateway makes: the kept files, their links, answers at once in place of a task, and what an order may refer to.

import { once } from 'node:events'
import { ALL_FORMATS, BufferSource, Input } from 'mediabunny'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { imageDesign } from '../../../src/catalog/image-design.ts'
import { imagePhoto } from '../../../src/catalog/image-photo.ts'
import type { Model } from '../../../src/catalog/model.ts'
import { model3d } from '../../../src/catalog/model-3d.ts'
import { music } from '../../../src/catalog/music.ts'
import { speechTurbo } from '../../../src/catalog/speech-turbo.ts'
import { videoDream } from '../../../src/catalog/video-dream.ts'
import { videoReel } from '../../../src/catalog/video-reel.ts'
import { videoWan } from '../../../src/catalog/video-wan.ts'
import { artifactsOf, readArtifact } from '../../../src/sandbox/gateway/artifacts.ts'
import {
  bodyOf,
  openRichGateway,
  type RichSandbox,
  saying,
  setBalance,
} from '../../support/gateway/contract.ts'
import {
  bytesOf,
  clock,
  closing,
  errorSchema,
  facts,
  receiver,
  removeGateway,
} from '../../support/gateway/local-gateway.ts'

let sandbox: RichSandbox
beforeAll(async () => {
  sandbox = await openRichGateway()
})
afterAll(() => removeGateway(sandbox))
beforeEach(() => setBalance(sandbox, 1_000_000_000))

async function heard(bytes: Buffer) {
  using input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS })
  const mime = (await input.getMimeType()).split(';')[0]
  return [mime, Math.round(await input.computeDuration())]
}

describe('the kept files', () => {
  const made = async (model: Model, body: object) => {
    const [artifact] = artifactsOf(model, { model: model.id, ...body }, () => 0)
    if (!artifact) throw new Error('nothing is made')
    return readArtifact(artifact)
  }

  it('have the format, shape, sound and length of the order', async () => {
    const found = async (more: object) => facts(await made(videoReel, { positivePrompt: 'a cat', ...more }))
    const formats = [
      ['MP4', 'video/mp4', 'avc'],
      ['MOV', 'video/quicktime', 'avc'],
      ['WEBM', 'video/webm', 'vp9'],
    ] as const
    const sizes = [
      [848, 480, 480, 270],
      [640, 640, 360, 360],
      [480, 848, 270, 480],
    ] as const
    for (const [outputFormat, mime, codec] of formats)
      for (const [width, height, across, down] of sizes) {
        const order = { outputFormat, width, height, settings: { audio: true } }
        const { sound, seconds, ...others } = await found(order)
        expect(others).toEqual({ mime, codec, width: across, height: down })
        expect([sound !== undefined, Math.round(seconds)]).toEqual([true, 5])
      }
    const { width, height, sound } = await found({ width: 1088, height: 1920 })
    expect(width * height).toBeGreaterThanOrEqual(1_866_240)
    expect([height > width, sound]).toEqual([true, undefined])
    expect(await found({ duration: 8 })).toMatchObject({ seconds: 10 })
  })

  it('of speech have three lengths, music has two songs, and PCM is the WAV file without its header', async () => {
    const sound = (length: number, format = 'mp3') =>
      made(speechTurbo, { text: 'a'.repeat(length), voice_setting: {}, audio_setting: { format } })
    expect(await heard(await sound(9))).toEqual(['audio/mpeg', 2])
    expect(await heard(await sound(84, 'flac'))).toEqual(['audio/flac', 6])
    expect(await heard(await sound(999))).toEqual(['audio/mpeg', 30])
    expect(await sound(9, 'pcm')).toEqual((await sound(9, 'wav')).subarray(44))
    const song = { customMode: false, instrumental: false, prompt: 'rain', callBackUrl: 'https://a.b' }
    const songs = artifactsOf(music, { model: music.id, ...song }, () => 0)
    const [one, other] = await Promise.all(songs.map(readArtifact))
    expect(one).not.toEqual(other)
  })
})

describe('a link', () => {
  it('is served in byte ranges, and only when the task is completed', async () => {
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
    expect((await range(`bytes=${whole.length}-`)).status).toBe(416)
    const head = await fetch(url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(whole.length)])
    expect((await fetch(url.replace('-0.mp4', '-1.mp4'))).status).toBe(404)
  })
})

describe('an answer at once', () => {
  const answered = z.object({
    data: z.array(z.object({ url: z.url().optional(), b64_json: z.string().optional() })),
  })
  const pictures = async (model: Model, more: object) => {
    const answer = await sandbox.send(model, { model: model.id, prompt: 'a fox', ...more })
    const { data } = answered.parse(await answer.json())
    return Promise.all(
      data.map(async ({ url, b64_json = '' }) =>
        url ? bytesOf(await fetch(url)) : Buffer.from(b64_json, 'base64'),
      ),
    )
  }

  it('has pictures of the ordered size as links or base64', async () => {
    const order = { n: 2, size: '640x480' }
    const linked = await pictures(imageDesign, order)
    expect(await pictures(imageDesign, { ...order, response_format: 'b64_json' })).toEqual(linked)
    expect(linked).toHaveLength(2)
    for (const [model, more, format, width, height] of [
      [imageDesign, { size: '640x480' }, 'png', 640, 480],
      [imageDesign, { size: '1x4096' }, 'png', 1, 4096],
      [imageDesign, { size: '21:9' }, 'png', 1024, 439],
      [imagePhoto, { aspectRatio: '9:16', imageSize: '2K' }, 'jpeg', 1152, 2048],
    ] as const) {
      const [bytes] = await pictures(model, more)
      expect(await sharp(bytes).metadata()).toMatchObject({ format, width, height })
    }
    const large = await sandbox.send(imageDesign, { model: imageDesign.id, prompt: 'a fox', size: '4097x64' })
    expect([large.status, await large.text()]).toEqual([400, expect.stringContaining('4096x4096')])
  })

  it('is the sound itself, a link to it, or for a long text a task', async () => {
    const speech = { model: speechTurbo.id, text: 'Good morning!', voice_setting: {} }
    const answer = await sandbox.send(speechTurbo, speech)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'audio/mpeg'])
    const linked = await sandbox.send(speechTurbo, { ...speech, output_format: 'url' })
    const [{ url = '' } = {}] = answered.parse(await linked.json()).data
    expect(await bytesOf(await fetch(url))).toEqual(await bytesOf(answer))
    for (const [text, status] of [
      ['🦊'.repeat(4500), 200],
      ['я'.repeat(4501), 202],
      ['я'.repeat(10_001), 400],
    ] as const)
      expect((await sandbox.send(speechTurbo, { ...speech, text })).status).toBe(status)
  })

  it('fails with 422 and the reason, and charges nothing', async () => {
    const { charged } = await sandbox.account()
    for (const [mark, why] of [
      ['[fail]', 'could not make'],
      ['[cancel]', 'was canceled'],
      ['[stuck]', 'made no result'],
    ]) {
      const answer = await sandbox.send(imageDesign, { model: imageDesign.id, prompt: `a fox ${mark}` })
      expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining(why ?? '')])
    }
    expect((await sandbox.account()).charged).toBe(charged)
    await pictures(imageDesign, {})
    expect((await sandbox.account()).charged).toBe(charged + 528)
  })
})

describe('what an order refers to', () => {
  const order = (model: Model, more: object) => sandbox.send(model, { ...bodyOf(model), ...more })
  const refused = async (model: Model, more: object) => {
    const answer = await order(model, more)
    expect(answer.status).toBe(400)
    return errorSchema.parse(await answer.json()).error
  }

  it('is a style that was created, with its id in any case', async () => {
    const made = await sandbox.post('/gateway/v1/styles', { images: ['https://example.com/cat.png'] })
    const { id } = z.strictObject({ id: z.uuid() }).parse(await made.json())
    for (const style_id of [id, id.toUpperCase()])
      expect((await order(imageDesign, { style_id })).status).toBe(202)
    const unknown = { style_id: '123e4567-e89b-42d3-a456-426614174000' }
    expect((await refused(imageDesign, unknown)).code).toBe('unknown_style')
    for (const wrong of [{}, { images: Array(6).fill('https://a.b/c') }, { images: ['cat.png'] }])
      expect((await sandbox.post('/gateway/v1/styles', wrong)).status).toBe(400)
  })

  it('is a completed video, or a listed concept', async () => {
    const from = (id: string) => ({ keyframes: { frame1: { type: 'generation', id } } })
    const waiting = await sandbox.order(videoDream, bodyOf(videoDream))
    const failed = await sandbox.made(videoDream, bodyOf(videoDream, saying(videoDream, '[fail]')))
    const drawn = await sandbox.made(imageDesign, bodyOf(imageDesign))
    const { id } = await sandbox.made(videoDream, bodyOf(videoDream))
    expect((await order(videoDream, from(id))).status).toBe(202)
    const pending = await sandbox.order(videoDream, bodyOf(videoDream))
    expect(pending).not.toBe(waiting)
    for (const wrong of [pending, failed.id, drawn.id, 'task-none'])
      expect((await refused(videoDream, from(wrong))).code).toBe('unknown_generation')
    const list = await (await sandbox.call('/gateway/v1/generations/concepts/list')).json()
    const keys = z.object({ data: z.array(z.object({ key: z.string() })) }).parse(list).data
    const concepts = keys.map(({ key }) => ({ key }))
    expect((await order(videoDream, { concepts })).status).toBe(202)
    expect((await refused(videoDream, { concepts: [{ key: 'levitate' }] })).code).toBe('unknown_concept')
  })

  it('is a file of this machine, which is fetched wherever it stands; others are not', async () => {
    const statuses = [200, 404]
    await using there = closing(await receiver(() => statuses.shift() ?? 404))
    const places: readonly (readonly [string, Model, (link: string) => object])[] = [
      ['inputs.frameImages.0', videoReel, (link) => ({ inputs: { frameImages: [link] } })],
      ['inputs.audio', videoWan, (audio) => ({ inputs: { audio } })],
      ['keyframes.frame0.url', videoDream, (url) => ({ keyframes: { frame0: { type: 'image', url } } })],
      ['texture_image', model3d, (texture_image) => ({ texture_image })],
    ]
    for (const [place, model, at] of places) {
      statuses.splice(0, 2, 200, 404)
      const fetched = once(there.events, 'call')
      expect((await order(model, at(`${there.url}/cat.png`))).status).toBe(202)
      expect(await fetched).toMatchObject([{ method: 'GET' }])
      const { code, message } = await refused(model, at(`${there.url}/cat.png`))
      expect([code, message]).toEqual(['unreachable_file', `${place}: the file cannot be fetched`])
    }
    const { urls } = await sandbox.made(imageDesign, bodyOf(imageDesign))
    const frame = (...frameImages: string[]) => ({ inputs: { frameImages } })
    expect((await order(videoReel, frame(urls[0] ?? ''))).status).toBe(202)
    expect((await refused(videoReel, frame(`${urls[0]}.old`))).code).toBe('unreachable_file')
    expect((await order(videoReel, frame('https://example.invalid/cat.png'))).status).toBe(202)
    const gone = { positivePrompt: 'http://127.0.0.1:1/', webhookURL: 'http://127.0.0.1:1/' }
    expect((await order(videoReel, gone)).status).toBe(202)
  })
})
