// MODEL-VIDEO-DREAM against gateway-api.md, row by row: accepted and refused bodies, and billing.

import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import type { Answers, Attachment } from '../../src/catalog/field.ts'
import { standIn } from '../../src/catalog/media.ts'
import { videoDream } from '../../src/catalog/video-dream.ts'

const picture = { type: 'image', url: 'https://pictures.example.com/cat.png' }
const earlier = { type: 'generation', id: 'task_1' }
const base = { model: 'MODEL-VIDEO-DREAM', prompt: 'a cat surfing' }

describe('accepted bodies', () => {
  it.each<[string, object]>([
    ['only what is required', {}],
    ...['540p', '720p', '1080p', '4k'].map((resolution): [string, object] => [resolution, { resolution }]),
    ...['1:1', '16:9', '9:16', '4:3', '3:4', '21:9'].map((ratio): [string, object] => [
      ratio,
      { aspect_ratio: ratio },
    ]),
    ['5s', { duration: '5s' }],
    ['9s', { duration: '9s' }],
    ['a loop', { loop: true }],
    ['a picture to start with', { keyframes: { frame0: picture } }],
    ['a picture to end with', { keyframes: { frame1: picture } }],
    ['pictures at both ends', { keyframes: { frame0: picture, frame1: picture } }],
    ['a video to continue', { keyframes: { frame0: earlier } }],
    ['a video to lead to', { keyframes: { frame1: earlier } }],
    ['a way from a video to a picture', { keyframes: { frame0: earlier, frame1: picture } }],
    ['concepts', { concepts: [{ key: 'dolly_zoom' }, { key: 'orbit_left' }] }],
    ['a callback address', { callback_url: 'https://bot.example.com/callbacks/x' }],
  ])('accepts a body with %s', (_, change) => {
    expect(videoDream.request.safeParse({ ...base, ...change }).error?.issues ?? []).toEqual([])
  })
})

describe('refused bodies', () => {
  it.each<[string, object, string]>([
    ['no prompt', { prompt: undefined }, 'prompt'],
    ['480p', { resolution: '480p' }, 'resolution'],
    ['4K in capitals', { resolution: '4K' }, 'resolution'],
    ['duration as a number', { duration: 5 }, 'duration'],
    ['duration without suffix', { duration: '5' }, 'duration'],
    ['duration 10s', { duration: '10s' }, 'duration'],
    ['an unknown ratio', { aspect_ratio: '2:1' }, 'aspect_ratio'],
    ['loop as a word', { loop: 'yes' }, 'loop'],
    [
      'a frame of another type',
      { keyframes: { frame0: { ...picture, type: 'video' } } },
      'keyframes.frame0.type',
    ],
    ['a picture without an address', { keyframes: { frame0: { type: 'image' } } }, 'keyframes.frame0.url'],
    [
      'a picture inside the request',
      { keyframes: { frame0: { ...picture, url: 'data:image/png;base64,iVBORw0KGgo=' } } },
      'keyframes.frame0.url',
    ],
    ['a video without an id', { keyframes: { frame1: { type: 'generation' } } }, 'keyframes.frame1.id'],
    ['a picture with an id', { keyframes: { frame0: { ...picture, id: 'task_1' } } }, 'keyframes.frame0'],
    ['a frame that is only an address', { keyframes: { frame0: picture.url } }, 'keyframes.frame0'],
    ['a third frame', { keyframes: { frame2: picture } }, 'keyframes'],
    ['keyframes as a list', { keyframes: [picture] }, 'keyframes'],
    ['a concept without a key', { concepts: [{}] }, 'concepts.0.key'],
    ['a concept that is only a key', { concepts: ['orbit_left'] }, 'concepts.0'],
    ['one concept, not a list', { concepts: { key: 'orbit_left' } }, 'concepts'],
    ['width, which it does not know', { width: 1280 }, ''],
  ])('refuses a body with %s', (_, change, path) => {
    const parsed = videoDream.request.safeParse({ ...base, ...change })
    expect(parsed.error?.issues.map((issue) => issue.path.join('.'))).toContain(path)
  })
})

describe('billing: 52.82 per second', () => {
  const catalog = createCatalog([videoDream], {})
  it.each([
    ['the defaults (5 s)', {}, 26410n],
    ['9 s', { duration: '9s' }, 47538n],
    ['4k: the document lists no other rate', { resolution: '4k' }, 26410n],
  ])('has the documented price for %s', (_, change, kopecks) => {
    expect(catalog.price(videoDream, { ...base, ...change })?.amount).toBe(kopecks)
  })
})

const image = (file: string): Attachment => ({ file, medium: 'image', mime: 'image/jpeg' })
const link = (file: string) => standIn(image(file), 'link')

describe('the request made from answers', () => {
  const catalog = createCatalog([videoDream], {})
  const defaults = { resolution: '720p', aspect_ratio: '16:9', duration: '5s', loop: false }

  it.each<[string, Answers, object]>([
    ['nothing but the prompt', {}, {}],
    [
      'pictures at both ends',
      { firstPicture: [image('a')], lastPicture: [image('b')] },
      { keyframes: { frame0: { type: 'image', url: link('a') }, frame1: { type: 'image', url: link('b') } } },
    ],
    [
      'an earlier video at both ends',
      { continueMyVideo: 'task_1', leadToMyVideo: 'task_2' },
      {
        keyframes: {
          frame0: { type: 'generation', id: 'task_1' },
          frame1: { type: 'generation', id: 'task_2' },
        },
      },
    ],
    [
      'a way from a video to a picture',
      { continueMyVideo: 'task_1', lastPicture: [image('b')] },
      {
        keyframes: {
          frame0: { type: 'generation', id: 'task_1' },
          frame1: { type: 'image', url: link('b') },
        },
      },
    ],
    ['one effect', { concepts: 'orbit_left' }, { concepts: [{ key: 'orbit_left' }] }],
    [
      'several effects, one of them twice',
      { concepts: 'orbit_left, dolly_zoom,,orbit_left ' },
      { concepts: [{ key: 'orbit_left' }, { key: 'dolly_zoom' }] },
    ],
  ])('contains %s', (_, answers, written) => {
    const request = catalog.request(videoDream, { prompt: 'x', ...answers })
    expect(request).toEqual({ model: 'MODEL-VIDEO-DREAM', prompt: 'x', ...defaults, ...written })
    expect(request && catalog.price(videoDream, request)?.amount).toBe(26410n)
  })

  it.each([
    ['concepts', ' , ,', false],
    ['concepts', 'orbit_left', true],
    ['continueMyVideo', 'two words', false],
    ['continueMyVideo', 'task_1', true],
  ])('has the field %s; whether "%s" is a valid value: %s', (name, typed, fits) => {
    const field = videoDream.fields.find((one) => one.name === name)
    expect(field?.kind === 'text' && field.fits(typed)).toBe(fits)
  })

  it('can use own videos and the effects of the gateway', () => {
    const sources = videoDream.fields.flatMap((one) =>
      one.kind === 'text' && one.source ? [one.source] : [],
    )
    expect(sources).toEqual(['videos', 'videos', 'concepts'])
  })
})
