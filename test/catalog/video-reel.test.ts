// MODEL-VIDEO-REEL against gateway-api.md, row by row: accepted and refused bodies, billing, and the requests that sent files make.

import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import type { Answers, Attachment } from '../../src/catalog/field.ts'
import { standIn } from '../../src/catalog/media.ts'
import { videoReel } from '../../src/catalog/video-reel.ts'
import { catalogSettings } from '../support/catalog-settings.ts'
import { wronglyAccepted, wronglyRefused } from '../support/gateway/bodies.ts'

const base = { model: 'MODEL-VIDEO-REEL', positivePrompt: 'a cat surfing' }

const accepted = {
  positivePrompt: ['x'.repeat(5120), '🐈'.repeat(5120)],
  resolution: ['480p', '720p', '1080p'],
  duration: [3, 15, 3.5],
  seed: [42, -1],
  settings: [{ audio: true }, { promptExtend: false }],
  numberResults: [4],
  outputFormat: ['WEBM', 'MOV'],
  outputQuality: [20, 99],
  safety: [{ checkContent: true, mode: 'full' }],
  webhookURL: ['https://bot.example.com/callbacks/x'],
  uploadEndpoint: ['https://store.example.com/put?sig=1'],
}
const sizes = [
  { width: 1920, height: 1088 },
  { width: 560, height: 736 },
  { width: 1440, height: 1440 },
]
const refused = {
  model: [undefined],
  positivePrompt: [undefined, '', 'x'.repeat(5121)],
  resolution: ['4k'],
  duration: [2, 2.99, 16, 'много'],
  seed: [1.5],
  'settings.audio': ['yes'],
  numberResults: [0, 5, 1.5],
  outputFormat: ['GIF', 'mp4'],
  outputQuality: [19, 100],
  'safety.mode': ['slow'],
}

it('the documented bodies are accepted, and others are refused', () => {
  expect(wronglyRefused(videoReel, base, accepted, sizes)).toEqual([])
  const others = [
    [{ resolution: '720p', width: 1280, height: 720 }, 'resolution'],
    [{ width: 1280 }, 'height'],
    [{ height: 720 }, 'width'],
    [{ width: 1920, height: 1080 }, 'width'],
    [{ width: 848, height: 560 }, 'width'],
    [{ settings: { loud: true } }, 'settings'],
    [{ aspect_ratio: '16:9' }, ''],
  ] as const
  expect(wronglyAccepted(videoReel, base, refused, others)).toEqual([])
})

describe('billing: 18.49 per second, each result', () => {
  const catalog = createCatalog([videoReel], {})
  it.each([
    ['the defaults (5 s)', {}, 9245n],
    ['3 s', { duration: 3 }, 5547n],
    ['15 s', { duration: 15 }, 27735n],
    ['3.5 s, rounded up to a kopeck', { duration: 3.5 }, 6472n],
    ['four results of 15 s', { duration: 15, numberResults: 4 }, 110940n],
    ['a smaller preset: the unit is the second', { resolution: '480p' }, 9245n],
  ])('has the documented price for %s', (_, change, kopecks) => {
    expect(catalog.price(videoReel, { ...base, ...change })?.amount).toBe(kopecks)
  })
})

const uuid = '123e4567-e89b-12d3-a456-426614174000'
const url = 'https://pictures.example.com/cat.png'
const dataUri = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUg=='
const base64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAf'

const group = { type: 'image', images: [url], tag: '@cat' }
const tagged = (...tags: string[]) => tags.map((tag) => ({ ...group, tag }))
const video = { type: 'reference', video: url, tag: '@dance' }
const acceptedInputs = {
  'inputs.referenceImages': [
    [group],
    [{ ...group, images: [uuid, url, dataUri, base64, url] }],
    tagged('@a', '@b', '@c'),
    [{ ...group, audio: url }],
    [{ ...group, audio: uuid }],
    [{ ...group, type: 'grid' }],
  ],
  'inputs.frameImages': [
    [uuid, url, dataUri, base64],
    Array(8).fill(url),
    ...['first', 'last', '0', '-1', 12].map((frame) => [{ image: dataUri, frame }]),
    [{ image: url, frame: 'last' }, url],
  ],
  'inputs.referenceVideos': [[video], [{ ...video, type: 'extend', video: uuid }]],
  'inputs.audio': [url, uuid],
  inputs: [
    { frameImages: [url], referenceImages: [group] },
    { frameImages: [url], referenceVideos: [video], audio: url },
  ],
}
const refusedInputs = {
  'inputs.referenceImages': [
    [],
    tagged('@a', '@b', '@c', '@d'),
    [group, { ...group, type: 'grid', tag: '@b' }],
    tagged('@a', '@b').map((one) => ({ ...one, type: 'grid' })),
    tagged('@a', '@a'),
  ],
  'inputs.frameImages': [[], Array(9).fill(url)],
  'inputs.referenceVideos': [[], [video, video]],
  'inputs.audio': [dataUri],
  inputs: [{ mask: url }],
}
/** A wrong item of a list of inputs, and the path of the problem in the item. */
const wrongItems: Readonly<Record<string, readonly (readonly [unknown, string])[]>> = {
  referenceImages: [
    [{ ...group, type: 'style' }, '.type'],
    [{ images: [url], tag: '@a' }, '.type'],
    [{ ...group, images: [] }, '.images'],
    [{ ...group, images: Array(6).fill(url) }, '.images'],
    [{ type: 'image', images: [url] }, '.tag'],
    [{ ...group, tag: 'cat' }, '.tag'],
    [{ ...group, audio: dataUri }, '.audio'],
    [url, ''],
    [{ ...group, weight: 1 }, ''],
  ],
  frameImages: [
    ['cat', ''],
    [{ frame: 'first' }, ''],
    [{ image: url, frame: 'middle' }, ''],
    [{ image: url, frame: 1.5 }, ''],
  ],
  referenceVideos: [
    [{ ...video, video: dataUri }, '.video'],
    [{ ...video, type: 'edit' }, '.type'],
    [{ type: 'extend', video: url }, '.tag'],
    [{ ...video, tag: 'dance' }, '.tag'],
  ],
}

it('the documented inputs are accepted, and others are refused', () => {
  expect(wronglyRefused(videoReel, base, acceptedInputs)).toEqual([])
  const items = Object.entries(wrongItems).flatMap(([name, all]) =>
    all.map(([item, path]) => [{ inputs: { [name]: [item] } }, `inputs.${name}.0${path}`] as const),
  )
  const both = { inputs: { referenceImages: [group], referenceVideos: [video] } }
  const others = [...items, [both, 'inputs.referenceImages'] as const]
  expect(wronglyAccepted(videoReel, base, refusedInputs, others)).toEqual([])
})

const image = (file: string, note?: string): Attachment => ({
  file,
  medium: 'image',
  mime: 'image/jpeg',
  ...(note === undefined ? {} : { note }),
})
const sound = (file: string, note?: string): Attachment => ({ ...image(file, note), medium: 'audio' })
const clip = (file: string, note?: string): Attachment => ({ ...image(file, note), medium: 'video' })
const data = (file: string) => standIn(image(file), 'data')
const link = (file: string) => standIn(image(file), 'link')
const written = (answers: Answers) => videoReel.write({ positivePrompt: 'a cat surfing', ...answers })

describe('the request made from sent files', () => {
  const given = [
    { ...image('https://a.example/1.png'), given: 'link' as const },
    { ...image(uuid, 'last'), given: 'id' as const },
  ]
  const captions = ['first', '12', '0', '-1'].map((caption) => image('a', caption))
  const placed = ['first', 12, '0', '-1'].map((frame) => ({ image: data('a'), frame }))
  const characters = [image('a', '@кот'), image('b', '@dog'), sound('v', '@кот'), image('c', '@кот')]
  const both = [image('a'), image('b')]
  const images = [data('a'), data('b')]
  const continued = [{ type: 'extend', video: link('a'), tag: '@video' }]
  const imitated = [{ type: 'reference', video: link('a'), tag: '@танец' }]
  it.each<[string, Answers, string, unknown]>([
    ['frames without captions', { frames: both }, 'frameImages', images],
    ['frames with captions', { frames: [...captions, image('b')] }, 'frameImages', [...placed, data('b')]],
    ['addresses and ids', { frames: given }, 'frameImages', [given[0]?.file, { image: uuid, frame: 'last' }]],
    ['references', { references: both }, 'referenceImages', [{ type: 'image', images, tag: '@1' }]],
    [
      'references by their captions, a voice among them',
      { references: characters },
      'referenceImages',
      [
        { type: 'image', images: [data('a'), data('c')], tag: '@кот', audio: link('v') },
        { type: 'image', images: [data('b')], tag: '@dog' },
      ],
    ],
    ['a collage', { collage: both }, 'referenceImages', [{ type: 'grid', images, tag: '@1' }]],
    ['a video to continue', { continueVideo: [clip('a')] }, 'referenceVideos', continued],
    ['a video to imitate', { exampleVideo: [clip('a', '@танец')] }, 'referenceVideos', imitated],
    ['a voice', { 'inputs.audio': [sound('a')] }, 'audio', link('a')],
    ['no files after all', { references: [] }, 'referenceImages', undefined],
  ])('contains %s, and costs as much as without files', (_, answers, input, value) => {
    expect(written(answers)[`inputs.${input}`]).toEqual(value)
    const catalog = createCatalog([videoReel], {})
    const request = catalog.request(videoReel, { positivePrompt: 'x', ...answers }) ?? {}
    expect(catalog.price(videoReel, request)?.amount).toBe(9245n)
  })

  it('has no sound option beside a reference video, which has a sound of its own', () => {
    expect(written({ 'settings.audio': true })).toHaveProperty(['settings.audio'], true)
    for (const name of ['continueVideo', 'exampleVideo']) {
      expect(written({ 'settings.audio': true, [name]: [clip('a')] })).not.toHaveProperty(['settings.audio'])
    }
  })
})

describe('the sound of a video', () => {
  const voice = { 'inputs.audio': [sound('a')] }
  const character = { references: [image('a', '@a'), sound('v', '@a')] }

  it.each<[string, Answers, boolean]>([
    ['off without a voice', { references: [image('a', '@a')] }, false],
    ['on with a voice', voice, true],
    ['on with the voice of a character', character, true],
    ['off with a voice if the user has switched it off', { ...voice, 'settings.audio': false }, false],
    ['on without a voice if the user has switched it on', { 'settings.audio': true }, true],
  ])('is %s', (_, answers, expected) => {
    expect(written(answers)).toHaveProperty(['settings.audio'], expected)
  })

  it.each([
    ['on with a voice although its default is off', 'defaults', true],
    ['off with a voice if the operator has fixed it', 'request', false],
  ] as const)('is %s', (_, key, expected) => {
    const settings = catalogSettings.parse({ [videoReel.id]: { [key]: { 'settings.audio': false } } })
    const own = createCatalog([videoReel], settings).find(videoReel.id)
    expect(own?.write({ positivePrompt: 'x', ...voice })).toHaveProperty(['settings.audio'], expected)
  })

  it('has its surcharge in the price when a voice has switched it on', () => {
    const surcharges = [{ when: { 'settings.audio': true }, add: '10' }]
    const settings = catalogSettings.parse({ [videoReel.id]: { surcharges } })
    const catalog = createCatalog([videoReel], settings)
    const priceOf = (answers: Answers) => {
      const request = catalog.request(videoReel, { positivePrompt: 'x', ...answers })
      return request && catalog.price(videoReel, request)?.amount
    }
    expect([priceOf({}), priceOf(voice)]).toEqual([9245n, 10_245n])
  })
})
