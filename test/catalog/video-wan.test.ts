// MODEL-VIDEO-WAN against gateway-api.md, row by row: accepted and refused bodies, and billing.

import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import type { Answers, Attachment } from '../../src/catalog/field.ts'
import { standIn } from '../../src/catalog/media.ts'
import { videoWan } from '../../src/catalog/video-wan.ts'

const uuid = '123e4567-e89b-12d3-a456-426614174000'
const url = 'https://pictures.example.com/cat.png'
const dataUri = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUg=='
const base64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAf'
const pictures = { inputs: { referenceImages: [url] } }
const videos = { inputs: { referenceVideos: [url] } }

const base = { model: 'MODEL-VIDEO-WAN', positivePrompt: 'a cat surfing' }

describe('accepted bodies', () => {
  it.each<[string, object]>([
    ['only what is required', {}],
    ['prompt of 5000 characters', { positivePrompt: 'x'.repeat(5000) }],
    ['negative prompt of 500 characters', { negativePrompt: 'x'.repeat(500) }],
    ['720p', { resolution: '720p' }],
    ['1080p', { resolution: '1080p' }],
    ['a pair of its own table', { width: 1920, height: 1080 }],
    ['another pair of its own table', { width: 1248, height: 1632 }],
    ['the shortest duration', { duration: 1 }],
    ['the longest duration', { duration: 15 }],
    ['the largest seed', { seed: 2147483647 }],
    ['silence', { settings: { audio: false } }],
    ['no prompt enhancer', { settings: { promptEnhancer: false } }],
    ['four results as MOV', { numberResults: 4, outputFormat: 'MOV' }],
    ['a full content check', { safety: { checkContent: true, mode: 'full' } }],
    ['one shot', { settings: { shotType: 'single' } }],
    ['several shots of pictures', { ...pictures, settings: { shotType: 'multi' } }],
    ['several shots of videos', { ...videos, settings: { shotType: 'multi' } }],
    ['one frame', { inputs: { frameImages: [dataUri] } }],
    ['two frames', { inputs: { frameImages: [uuid, base64] } }],
    ...['first', 'last', '0', '-1'].map((frame): [string, object] => [
      `a frame at ${frame}`,
      { inputs: { frameImages: [{ image: dataUri, frame }] } },
    ]),
    ['frames without a prompt', { positivePrompt: undefined, inputs: { frameImages: [url] } }],
    ['pictures of every sort', { inputs: { referenceImages: [uuid, url, dataUri, base64] } }],
    ['more pictures than are offered', { inputs: { referenceImages: Array(12).fill(url) } }],
    ['videos', { inputs: { referenceVideos: [uuid, url] } }],
    ['more videos than are offered', { inputs: { referenceVideos: Array(12).fill(url) } }],
    ['10 seconds with pictures', { ...pictures, duration: 10 }],
    ['10 seconds with videos', { ...videos, duration: 10 }],
    ['15 seconds with frames', { inputs: { frameImages: [url] }, duration: 15 }],
    ['a sound', { inputs: { audio: url } }],
    ['a sound as a UUID beside frames', { inputs: { audio: uuid, frameImages: [url] } }],
    ['a webhook', { webhookURL: 'https://bot.example.com/callbacks/x' }],
  ])('accepts a body with %s', (_, change) => {
    expect(videoWan.request.safeParse({ ...base, ...change }).error?.issues ?? []).toEqual([])
  })
})

describe('refused bodies', () => {
  it.each<[string, object, string]>([
    ['no prompt', { positivePrompt: undefined }, 'positivePrompt'],
    ['prompt of 5001 characters', { positivePrompt: 'x'.repeat(5001) }, 'positivePrompt'],
    ['negative prompt of 501 characters', { negativePrompt: 'x'.repeat(501) }, 'negativePrompt'],
    ['480p, which only Reel has', { resolution: '480p' }, 'resolution'],
    ['a pair that only Reel has', { width: 1920, height: 1088 }, 'width'],
    ['resolution beside width and height', { resolution: '720p', width: 1280, height: 720 }, 'resolution'],
    ['width without height', { width: 1280 }, 'height'],
    ['duration 0', { duration: 0 }, 'duration'],
    ['duration 16', { duration: 16 }, 'duration'],
    ['a fractional duration', { duration: 3.5 }, 'duration'],
    ['a negative seed', { seed: -1 }, 'seed'],
    ['a seed of 32 bits', { seed: 2147483648 }, 'seed'],
    ['the prompt switch of Reel', { settings: { promptExtend: true } }, 'settings'],
    ['five results', { numberResults: 5 }, 'numberResults'],
    ['three shots', { settings: { shotType: 'triple' } }, 'settings.shotType'],
    ['several shots of nothing', { settings: { shotType: 'multi' } }, 'inputs.referenceImages'],
    [
      'several shots of frames',
      { inputs: { frameImages: [url] }, settings: { shotType: 'multi' } },
      'inputs.referenceImages',
    ],
    ['no prompt beside pictures', { ...pictures, positivePrompt: undefined }, 'positivePrompt'],
    ['no prompt beside videos', { ...videos, positivePrompt: undefined }, 'positivePrompt'],
    ['no frames', { inputs: { frameImages: [] } }, 'inputs.frameImages'],
    ['three frames', { inputs: { frameImages: [url, url, url] } }, 'inputs.frameImages'],
    ['a frame at an index', { inputs: { frameImages: [{ image: url, frame: 12 }] } }, 'inputs.frameImages.0'],
    ['a frame without a picture', { inputs: { frameImages: [{ frame: 'last' }] } }, 'inputs.frameImages.0'],
    ['no pictures', { inputs: { referenceImages: [] } }, 'inputs.referenceImages'],
    ['a group of Reel', { inputs: { referenceImages: [{ image: url }] } }, 'inputs.referenceImages.0'],
    ['no videos', { inputs: { referenceVideos: [] } }, 'inputs.referenceVideos'],
    ['a video inside the request', { inputs: { referenceVideos: [dataUri] } }, 'inputs.referenceVideos.0'],
    ['a sound inside the request', { inputs: { audio: dataUri } }, 'inputs.audio'],
    ['frames and pictures', { inputs: { frameImages: [url], referenceImages: [url] } }, 'inputs.frameImages'],
    ['frames and videos', { inputs: { frameImages: [url], referenceVideos: [url] } }, 'inputs.frameImages'],
    [
      'pictures and videos',
      { inputs: { referenceImages: [url], referenceVideos: [url] } },
      'inputs.referenceImages',
    ],
    ['11 seconds with pictures', { ...pictures, duration: 11 }, 'duration'],
    ['11 seconds with videos', { ...videos, duration: 11 }, 'duration'],
  ])('refuses a body with %s', (_, change, path) => {
    const parsed = videoWan.request.safeParse({ ...base, ...change })
    expect(parsed.error?.issues.map((issue) => issue.path.join('.'))).toContain(path)
  })
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

  it.each<[string, string, boolean]>([
    ['first', 'last', true],
    ['0', '-1', true],
    ['first', '0', false],
    ['first', '12', false],
  ])('accepts or refuses frames at %s and %s', (one, other, fits) => {
    const field = videoWan.fields.find(({ name }) => name === 'frames')
    expect(field?.kind === 'media' && field.fits([image('a', one), image('b', other)])).toBe(fits)
  })
})
