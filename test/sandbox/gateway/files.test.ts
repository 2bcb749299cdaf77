// The video files of the local gateway have the ordered properties.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Model } from '../../../src/catalog/model.ts'
import { videoDream } from '../../../src/catalog/video-dream.ts'
import { videoReel } from '../../../src/catalog/video-reel.ts'
import { videoWan } from '../../../src/catalog/video-wan.ts'
import { cropTo } from '../../../src/sandbox/gateway/video/crop.ts'
import {
  bytesOf,
  clock,
  facts,
  openNewGateway,
  removeGateway,
  type Sandbox,
} from '../../support/gateway/local-gateway.ts'

let sandbox: Sandbox

beforeEach(async () => {
  sandbox = await openNewGateway()
  await sandbox.post('/api/gateway/account', { balance: 100_000_000 })
})

afterEach(() => removeGateway(sandbox))

/** The first file of an order with its content type, as the gateway served it. */
async function fileOf(order: object) {
  const { data } = await sandbox.done(order)
  const answer = await fetch(data?.[0]?.url ?? '')
  const bytes = await bytesOf(answer)
  expect(answer.headers.get('content-length')).toBe(String(bytes.length))
  return { bytes, type: answer.headers.get('content-type') }
}

const sizesOf = (model: Model) =>
  model.fields
    .flatMap((field) => (field.kind === 'choice' && field.name === 'size' ? field.options : []))
    .map(({ set }) => set)

describe('the video files', () => {
  const reelPresets = { '480p': [848, 480], '720p': [1280, 720], '1080p': [1920, 1088] }
  const wanPresets = { '720p': [1280, 720], '1080p': [1920, 1080] }
  const formats = [
    { outputFormat: 'MP4', mime: 'video/mp4', codec: 'avc', soundCodec: 'aac' },
    { outputFormat: 'MOV', mime: 'video/quicktime', codec: 'avc', soundCodec: 'aac' },
    { outputFormat: 'WEBM', mime: 'video/webm', codec: 'vp9', soundCodec: 'opus' },
  ]
  const sized = [
    { model: videoReel, presets: reelPresets, lengths: [3, 3.7, 4.333, 5], count: 18 },
    { model: videoWan, presets: wanPresets, lengths: [1, 2, 5], count: 12 },
  ]
  const cases = sized.flatMap((one) => formats.map((format) => ({ ...one, ...format, id: one.model.id })))

  it.each(cases)('in $outputFormat of $id have the ordered properties, in every size', async (one) => {
    const { model, presets, lengths, outputFormat, mime, codec, soundCodec } = one
    const sizes = sizesOf(model)
    expect(sizes).toHaveLength(one.count)
    for (const [i, size] of sizes.entries()) {
      const audio = i % 2 === 0
      const duration = lengths[i % lengths.length] ?? 3
      const order = { model: model.id, positivePrompt: 'a cat', ...size, outputFormat, duration }
      const { bytes, type } = await fileOf({ ...order, settings: { audio } })
      expect(type).toBe(mime)
      const [width, height] = Object.entries(presets).find(([name]) => name === size.resolution)?.[1] ?? [
        size.width,
        size.height,
      ]
      const frames = Math.ceil(duration * 32)
      const sound = audio ? soundCodec : undefined
      const { seconds, keys, ...rest } = await facts(bytes)
      expect(rest).toEqual({ mime, codec, sound, width, height, frames, isOfItsSize: true })
      expect(Math.abs(seconds - duration)).toBeLessThanOrEqual(1 / 32)
      expect(keys).toEqual([0, 32, 64, 96, 128].filter((n) => n < frames))
    }
  })

  it.each([
    [{ resolution: '540p' }, { wide: 960, long: 720, short: 540, low: 410 }],
    [
      { resolution: '720p', loop: true },
      { wide: 1280, long: 960, short: 720, low: 548 },
    ],
    [
      { resolution: '1080p', duration: '9s' },
      { wide: 1920, long: 1440, short: 1080, low: 822 },
    ],
    [{ resolution: '4k' }, { wide: 3840, long: 2880, short: 2160, low: 1644 }],
  ])('of Dream with %j are MP4 in every aspect ratio', async (order, { wide, long, short, low }) => {
    const frames = {
      '16:9': [wide, short],
      '9:16': [short, wide],
      '1:1': [short, short],
      '4:3': [long, short],
      '3:4': [short, long],
      '21:9': [wide, low],
    }
    for (const [aspect_ratio, [width, height]] of Object.entries(frames)) {
      const { bytes } = await fileOf({ model: videoDream.id, prompt: 'a cat', aspect_ratio, ...order })
      const expected = { mime: 'video/mp4', codec: 'avc', sound: undefined, width, height, isOfItsSize: true }
      const seconds = 'duration' in order ? 9 : 5
      expect(await facts(bytes)).toMatchObject({ ...expected, seconds, frames: seconds * 32 })
    }
  })

  it('of Reel have by default 1920x1088 pixels and no sound, and its results differ', async () => {
    const { data = [] } = await sandbox.finished({ numberResults: 4 })
    const files = await Promise.all(data.map(async ({ url }) => bytesOf(await fetch(url))))
    expect(new Set(files.map(String)).size).toBe(4)
    for (const file of files) {
      expect(await facts(file)).toMatchObject({ width: 1920, height: 1088, sound: undefined, seconds: 3 })
    }
  })

  it('of Wan have by default 1920x1080 pixels and sound', async () => {
    const { bytes } = await fileOf({ model: videoWan.id, positivePrompt: 'a cat' })
    expect(await facts(bytes)).toMatchObject({ width: 1920, height: 1080, sound: 'aac', seconds: 5 })
  })

  it('of Dream have by default 1280x720 pixels and five seconds, and no seed', async () => {
    const order = { model: videoDream.id, prompt: 'a cat' }
    expect(await facts((await fileOf(order)).bytes)).toMatchObject({ width: 1280, height: 720, seconds: 5 })
    expect((await sandbox.done(order)).data).toEqual([{ url: expect.stringMatching(/\.mp4$/) }])
  })

  it('are served in byte ranges, and only when the task is completed', async () => {
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

describe('cropping a video stream', () => {
  // The decoder configuration of the clip 1920x1088. The expected results come from ffmpeg's filter `h264_metadata`.
  const clip = (set: string) =>
    Buffer.from(`01640033ffe1${set}02d4040405000003000100000300400f1832118001000668e843039cb0fdf8f800`, 'hex')
  const whole = clip('001f67640033ac4c2203c01136')

  it('changes only the size of the frame', () => {
    expect(cropTo(whole, { width: 1920, height: 1080 })).toEqual(clip('002067640033ac4c2203c0113ede'))
  })

  it('can be repeated on a cropped stream', () => {
    const once = cropTo(whole, { width: 1080, height: 1080 })
    expect(cropTo(once, { width: 960, height: 540 })).toEqual(cropTo(whole, { width: 960, height: 540 }))
    expect(() => cropTo(whole, { width: 1936, height: 1080 })).toThrow('within the picture')
  })
})
