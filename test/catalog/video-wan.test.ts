// MODEL-VIDEO-WAN against gateway-api.md, row by row: accepted and refused bodies, and billing.

import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import type { Answers, Attachment } from '../../src/catalog/field.ts'
import { standIn } from '../../src/catalog/media.ts'
import { videoWan } from '../../src/catalog/video-wan.ts'
import { wronglyAccepted, wronglyRefused } from '../support/gateway/bodies.ts'

const uuid = '123e4567-e89b-12d3-a456-426614174000'
const url = 'https://pictures.example.com/cat.png'
const dataUri = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUg=='
const base64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAf'
const pictures = { inputs: { referenceImages: [url] } }
const videos = { inputs: { referenceVideos: [url] } }

const base = { model: 'MODEL-VIDEO-WAN', positivePrompt: 'a cat surfing' }

const frame = (one: unknown) => ({ image: dataUri, frame: one })
const accepted = {
  positivePrompt: ['x'.repeat(5000)],
  negativePrompt: ['x'.repeat(500)],
  resolution: ['720p', '1080p'],
  duration: [1, 15],
  seed: [2147483647],
  settings: [{ audio: false }, { promptEnhancer: false }, { shotType: 'single' }],
  safety: [{ checkContent: true, mode: 'full' }],
  'inputs.frameImages': [[dataUri], [uuid, base64], ...['first', 'last', '0', '-1'].map((at) => [frame(at)])],
  // More than the app offers.
  'inputs.referenceImages': [[uuid, url, dataUri, base64], Array(12).fill(url)],
  'inputs.referenceVideos': [[uuid, url], Array(12).fill(url)],
  'inputs.audio': [url],
  webhookURL: ['https://bot.example.com/callbacks/x'],
}
const acceptedTogether = [
  { width: 1920, height: 1080 },
  { width: 1248, height: 1632 },
  { numberResults: 4, outputFormat: 'MOV' },
  { ...pictures, settings: { shotType: 'multi' } },
  { ...videos, settings: { shotType: 'multi' } },
  { positivePrompt: undefined, inputs: { frameImages: [url] } },
  { ...pictures, duration: 10 },
  { ...videos, duration: 10 },
  { inputs: { frameImages: [url] }, duration: 15 },
  { inputs: { audio: uuid, frameImages: [url] } },
]
const refused = {
  positivePrompt: [undefined, 'x'.repeat(5001)],
  negativePrompt: ['x'.repeat(501)],
  // 480p is of Reel only.
  resolution: ['480p'],
  duration: [0, 16, 3.5],
  seed: [-1, 2147483648],
  numberResults: [5],
  'settings.shotType': ['triple'],
  'inputs.frameImages': [[], [url, url, url]],
  'inputs.referenceImages': [[]],
  'inputs.referenceVideos': [[]],
  'inputs.audio': [dataUri],
}
const refusedTogether = [
  // A pair and a switch of Reel.
  [{ width: 1920, height: 1088 }, 'width'],
  [{ settings: { promptExtend: true } }, 'settings'],
  [{ resolution: '720p', width: 1280, height: 720 }, 'resolution'],
  [{ width: 1280 }, 'height'],
  [{ settings: { shotType: 'multi' } }, 'inputs.referenceImages'],
  [{ inputs: { frameImages: [url] }, settings: { shotType: 'multi' } }, 'inputs.referenceImages'],
  [{ ...pictures, positivePrompt: undefined }, 'positivePrompt'],
  [{ ...videos, positivePrompt: undefined }, 'positivePrompt'],
  [{ inputs: { frameImages: [frame(12)] } }, 'inputs.frameImages.0'],
  [{ inputs: { frameImages: [{ frame: 'last' }] } }, 'inputs.frameImages.0'],
  [{ inputs: { referenceImages: [{ image: url }] } }, 'inputs.referenceImages.0'],
  [{ inputs: { referenceVideos: [dataUri] } }, 'inputs.referenceVideos.0'],
  [{ inputs: { frameImages: [url], referenceImages: [url] } }, 'inputs.frameImages'],
  [{ inputs: { frameImages: [url], referenceVideos: [url] } }, 'inputs.frameImages'],
  [{ inputs: { referenceImages: [url], referenceVideos: [url] } }, 'inputs.referenceImages'],
  [{ ...pictures, duration: 11 }, 'duration'],
  [{ ...videos, duration: 11 }, 'duration'],
] as const

it('the documented bodies are accepted, and others are refused', () => {
  expect(wronglyRefused(videoWan, base, accepted, acceptedTogether)).toEqual([])
  expect(wronglyAccepted(videoWan, base, refused, refusedTogether)).toEqual([])
})

describe('billing: 13.21 per second at 720p, 19.81 at 1080p, each result', () => {
  const catalog = createCatalog([videoWan], {})
  it.each([
    ['the defaults (1080p, 5 s)', {}, 9905n],
    ['720p', { resolution: '720p' }, 6605n],
    ['720p as a pair', { width: 832, height: 1088 }, 6605n],
    ['1080p as a pair', { width: 1440, height: 1440 }, 9905n],
    ['1 s', { duration: 1 }, 1981n],
    ['pictures cost nothing more', pictures, 9905n],
    ['four results of 15 s at 720p', { resolution: '720p', duration: 15, numberResults: 4 }, 79260n],
  ])('has the documented price for %s', (_, change, kopecks) => {
    expect(catalog.price(videoWan, { ...base, ...change })?.amount).toBe(kopecks)
  })
})

const image = (file: string, note?: string): Attachment => ({
  file,
  medium: 'image',
  mime: 'image/jpeg',
  ...(note === undefined ? {} : { note }),
})
const clip = (file: string): Attachment => ({ ...image(file), medium: 'video' })
const data = (file: string) => standIn(image(file), 'data')
const link = (file: string) => standIn(image(file), 'link')

describe('the request made from answers', () => {
  const catalog = createCatalog([videoWan], {})
  const prompt = { positivePrompt: 'x' }

  it('has the defaults and no media', () => {
    expect(catalog.request(videoWan, prompt)).toEqual({
      model: 'MODEL-VIDEO-WAN',
      positivePrompt: 'x',
      resolution: '1080p',
      duration: 5,
      settings: { audio: true, promptEnhancer: true },
      numberResults: 1,
      outputFormat: 'MP4',
    })
  })

  it.each<[string, Answers, object]>([
    ['frames alone', { frames: [image('a'), image('b')] }, { frameImages: [data('a'), data('b')] }],
    [
      'a last frame',
      { frames: [image('a', 'last')] },
      { frameImages: [{ image: data('a'), frame: 'last' }] },
    ],
    [
      'pictures',
      { ...prompt, referenceImages: [image('a'), image('b')] },
      { referenceImages: [data('a'), data('b')] },
    ],
    ['videos', { ...prompt, referenceVideos: [clip('a')] }, { referenceVideos: [link('a')] }],
    ['a sound', { ...prompt, 'inputs.audio': [{ ...image('a'), medium: 'audio' }] }, { audio: link('a') }],
  ])('contains %s', (_, answers, inputs) => {
    expect(catalog.request(videoWan, answers)?.inputs).toEqual(inputs)
  })

  it('can have several shots only with references', () => {
    const multi = { ...prompt, 'settings.shotType': 'multi' }
    expect(catalog.request(videoWan, multi)).not.toHaveProperty(['settings', 'shotType'])
    for (const name of ['referenceImages', 'referenceVideos']) {
      const request = catalog.request(videoWan, { ...multi, [name]: [clip('a')] })
      expect(request).toHaveProperty(['settings', 'shotType'], 'multi')
    }
  })

  it('has a lower maximum of the duration with references', () => {
    const duration = videoWan.fields.find(({ name }) => name === 'duration')
    const limit = (answers: Answers) => duration && videoWan.limit(duration, answers)
    expect(limit(prompt)).toBeUndefined()
    expect(limit({ ...prompt, referenceImages: [image('a')] })).toBe(10)
    expect(limit({ ...prompt, referenceVideos: [clip('a')] })).toBe(10)
  })
})
