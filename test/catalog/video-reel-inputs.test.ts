// The media inputs of MODEL-VIDEO-REEL against gateway-api.md, row by row, and the requests that sent files make.

import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import type { Answers, Attachment } from '../../src/catalog/field.ts'
import { standIn } from '../../src/catalog/media.ts'
import { videoReel } from '../../src/catalog/video-reel.ts'
import { catalogSettings } from '../support/catalog-settings.ts'

const uuid = '123e4567-e89b-12d3-a456-426614174000'
const url = 'https://pictures.example.com/cat.png'
const dataUri = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUg=='
const base64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAf'

const group = { type: 'image', images: [url], tag: '@cat' }
const tagged = (...tags: string[]) => tags.map((tag) => ({ ...group, tag }))
const video = { type: 'reference', video: url, tag: '@dance' }
const body = (inputs: object) => ({ model: 'MODEL-VIDEO-REEL', positivePrompt: 'a cat surfing', inputs })

describe('accepted inputs', () => {
  it.each<[string, object]>([
    ['a group of one picture', { referenceImages: [group] }],
    [
      'a group of five pictures of every sort',
      { referenceImages: [{ ...group, images: [uuid, url, dataUri, base64, url] }] },
    ],
    ['three groups', { referenceImages: tagged('@a', '@b', '@c') }],
    ['a voice of a group, as a link', { referenceImages: [{ ...group, audio: url }] }],
    ['a voice of a group, as a UUID', { referenceImages: [{ ...group, audio: uuid }] }],
    ['one grid', { referenceImages: [{ ...group, type: 'grid' }] }],
    ['plain frames of every sort', { frameImages: [uuid, url, dataUri, base64] }],
    ['eight frames', { frameImages: Array(8).fill(url) }],
    ...['first', 'last', '0', '-1', 12].map((frame): [string, object] => [
      `a frame at ${frame}`,
      { frameImages: [{ image: dataUri, frame }] },
    ]),
    ['frames with and without a position', { frameImages: [{ image: url, frame: 'last' }, url] }],
    ['a reference video', { referenceVideos: [video] }],
    ['a video to continue', { referenceVideos: [{ ...video, type: 'extend', video: uuid }] }],
    ['a voice for all', { audio: url }],
    ['a voice for all, as a UUID', { audio: uuid }],
    ['frames beside references', { frameImages: [url], referenceImages: [group] }],
    [
      'frames and a voice beside a reference video',
      { frameImages: [url], referenceVideos: [video], audio: url },
    ],
  ])('accepts %s', (_, inputs) => {
    expect(videoReel.request.safeParse(body(inputs)).error?.issues ?? []).toEqual([])
  })
})

describe('refused inputs', () => {
  it.each<[string, object, string]>([
    ['no groups', { referenceImages: [] }, 'referenceImages'],
    ['four groups', { referenceImages: tagged('@a', '@b', '@c', '@d') }, 'referenceImages'],
    [
      'groups of two types',
      { referenceImages: [group, { ...group, type: 'grid', tag: '@b' }] },
      'referenceImages',
    ],
    [
      'two grids',
      { referenceImages: tagged('@a', '@b').map((one) => ({ ...one, type: 'grid' })) },
      'referenceImages',
    ],
    ['two groups of one tag', { referenceImages: tagged('@a', '@a') }, 'referenceImages'],
    ['a group of another type', { referenceImages: [{ ...group, type: 'style' }] }, 'referenceImages.0.type'],
    ['a group without a type', { referenceImages: [{ images: [url], tag: '@a' }] }, 'referenceImages.0.type'],
    ['a group without pictures', { referenceImages: [{ ...group, images: [] }] }, 'referenceImages.0.images'],
    [
      'a group of six pictures',
      { referenceImages: [{ ...group, images: Array(6).fill(url) }] },
      'referenceImages.0.images',
    ],
    [
      'a group without a tag',
      { referenceImages: [{ type: 'image', images: [url] }] },
      'referenceImages.0.tag',
    ],
    ['a tag without @', { referenceImages: tagged('cat') }, 'referenceImages.0.tag'],
    [
      'a voice of a group inside the request',
      { referenceImages: [{ ...group, audio: dataUri }] },
      'referenceImages.0.audio',
    ],
    ['a group that is only a picture', { referenceImages: [url] }, 'referenceImages.0'],
    ['an unknown key of a group', { referenceImages: [{ ...group, weight: 1 }] }, 'referenceImages.0'],
    ['no frames', { frameImages: [] }, 'frameImages'],
    ['nine frames', { frameImages: Array(9).fill(url) }, 'frameImages'],
    ['a frame that is no picture', { frameImages: ['cat'] }, 'frameImages.0'],
    ['a position without a picture', { frameImages: [{ frame: 'first' }] }, 'frameImages.0'],
    ['a frame in the middle', { frameImages: [{ image: url, frame: 'middle' }] }, 'frameImages.0'],
    ['half a frame', { frameImages: [{ image: url, frame: 1.5 }] }, 'frameImages.0'],
    ['no reference videos', { referenceVideos: [] }, 'referenceVideos'],
    ['two reference videos', { referenceVideos: [video, video] }, 'referenceVideos'],
    [
      'a video inside the request',
      { referenceVideos: [{ ...video, video: dataUri }] },
      'referenceVideos.0.video',
    ],
    ['a video of another type', { referenceVideos: [{ ...video, type: 'edit' }] }, 'referenceVideos.0.type'],
    ['a video without a tag', { referenceVideos: [{ type: 'extend', video: url }] }, 'referenceVideos.0.tag'],
    [
      'a video whose tag has no @',
      { referenceVideos: [{ ...video, tag: 'dance' }] },
      'referenceVideos.0.tag',
    ],
    ['a voice inside the request', { audio: dataUri }, 'audio'],
    [
      'pictures and a video to imitate',
      { referenceImages: [group], referenceVideos: [video] },
      'referenceImages',
    ],
    ['an input of nobody', { mask: url }, ''],
  ])('refuses %s', (_, inputs, path) => {
    const parsed = videoReel.request.safeParse(body(inputs))
    const wanted = path === '' ? 'inputs' : `inputs.${path}`
    expect(parsed.error?.issues.map((issue) => issue.path.join('.'))).toContain(wanted)
  })
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
  it.each<[string, Answers, string, unknown]>([
    ['frames without captions', { frames: [image('a'), image('b')] }, 'frameImages', [data('a'), data('b')]],
    [
      'frames with captions',
      { frames: [image('a', 'first'), image('b', '12'), image('c', '0'), image('d', '-1'), image('e')] },
      'frameImages',
      [
        { image: data('a'), frame: 'first' },
        { image: data('b'), frame: 12 },
        { image: data('c'), frame: '0' },
        { image: data('d'), frame: '-1' },
        data('e'),
      ],
    ],
    [
      'addresses and ids that were given in place of files',
      {
        frames: [
          { ...image('https://a.example/1.png'), given: 'link' },
          { ...image(uuid, 'last'), given: 'id' },
        ],
      },
      'frameImages',
      ['https://a.example/1.png', { image: uuid, frame: 'last' }],
    ],
    [
      'references without captions',
      { references: [image('a'), image('b')] },
      'referenceImages',
      [{ type: 'image', images: [data('a'), data('b')], tag: '@1' }],
    ],
    [
      'references by their captions, a voice among them',
      { references: [image('a', '@кот'), image('b', '@dog'), sound('v', '@кот'), image('c', '@кот')] },
      'referenceImages',
      [
        { type: 'image', images: [data('a'), data('c')], tag: '@кот', audio: link('v') },
        { type: 'image', images: [data('b')], tag: '@dog' },
      ],
    ],
    [
      'a collage',
      { collage: [image('a'), image('b')] },
      'referenceImages',
      [{ type: 'grid', images: [data('a'), data('b')], tag: '@1' }],
    ],
    [
      'a video to continue',
      { continueVideo: [clip('a')] },
      'referenceVideos',
      [{ type: 'extend', video: link('a'), tag: '@video' }],
    ],
    [
      'a video to imitate',
      { exampleVideo: [clip('a', '@танец')] },
      'referenceVideos',
      [{ type: 'reference', video: link('a'), tag: '@танец' }],
    ],
    ['a voice', { 'inputs.audio': [sound('a')] }, 'audio', link('a')],
    ['no files after all', { references: [] }, 'referenceImages', undefined],
  ])('contains %s', (_, answers, input, value) => {
    expect(written(answers)[`inputs.${input}`]).toEqual(value)
    expect(
      createCatalog([videoReel], {}).request(videoReel, { positivePrompt: 'x', ...answers }),
    ).toBeDefined()
  })

  it('has no sound option beside a reference video, which has a sound of its own', () => {
    expect(written({ 'settings.audio': true })).toHaveProperty(['settings.audio'], true)
    for (const name of ['continueVideo', 'exampleVideo']) {
      expect(written({ 'settings.audio': true, [name]: [clip('a')] })).not.toHaveProperty(['settings.audio'])
    }
  })

  it.each<[string, Answers]>([
    ['frames', { frames: [image('a')] }],
    ['a voice, with sound', { 'inputs.audio': [sound('a')] }],
  ])('costs as much as without files: %s', (_, answers) => {
    const catalog = createCatalog([videoReel], {})
    const request = catalog.request(videoReel, { positivePrompt: 'x', ...answers })
    expect(request && catalog.price(videoReel, request)?.amount).toBe(9245n)
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

const times = (count: number, note?: string) =>
  Array.from({ length: count }, (_, i) => image(`${note}${i}`, note))

describe('the files for a field', () => {
  it.each<[string, string, readonly Attachment[], boolean]>([
    ['five pictures of one character', 'references', times(5, '@a'), true],
    ['six pictures of one character', 'references', times(6, '@a'), false],
    ['three characters', 'references', [...times(5, '@a'), ...times(5, '@b'), ...times(5, '@c')], true],
    ['four characters', 'references', ['@a', '@b', '@c', '@d'].map((tag) => image(tag, tag)), false],
    ['a voice of its character', 'references', [image('a', '@a'), sound('v', '@a')], true],
    [
      'two voices of a character',
      'references',
      [image('a', '@a'), sound('v', '@a'), sound('w', '@a')],
      false,
    ],
    ['a voice of nobody', 'references', [image('a', '@a'), sound('v', '@b')], false],
    ['a caption that is no tag', 'references', [image('a', 'cat')], false],
    ['a collage of five', 'collage', times(5), true],
    ['a collage of six', 'collage', times(6), false],
    ['two collages', 'collage', [image('a', '@a'), image('b', '@b')], false],
    ['frames at both ends', 'frames', [image('a', 'first'), image('b', 'last')], true],
    ['a frame at an index', 'frames', [image('a', '7')], true],
    ['a frame nowhere', 'frames', [image('a', 'middle')], false],
    ['two first frames', 'frames', [image('a', 'first'), image('b', '0')], false],
    ['two last frames', 'frames', [image('a', '-1'), image('b', 'last')], false],
  ])('fit or are refused: %s', (_, name, attachments, fits) => {
    const field = videoReel.fields.find((one) => one.name === name)
    expect(field?.kind === 'media' && field.fits(attachments)).toBe(fits)
  })

  it.each([
    ['references', { max: 18, maxSeconds: 15, caption: 'tag', media: ['image', 'audio'] }],
    ['collage', { max: 5, caption: 'tag', media: ['image'] }],
    ['frames', { max: 8, caption: 'frame', media: ['image'] }],
    ['continueVideo', { max: 1, maxSeconds: 15, minPixels: 1866240, via: 'link', media: ['video'] }],
    ['exampleVideo', { max: 1, maxSeconds: 15, minPixels: 1866240, via: 'link', media: ['video'] }],
    ['inputs.audio', { max: 1, maxSeconds: 15, via: 'link', media: ['audio'] }],
  ])('of the kind %s have documented limits', (name, limits) => {
    expect(videoReel.fields.find((one) => one.name === name)).toMatchObject(limits)
  })
})
