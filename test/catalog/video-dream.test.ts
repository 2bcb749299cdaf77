// MODEL-VIDEO-DREAM against gateway-api.md, row by row: accepted and refused bodies, and billing.

import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import type { Answers, Attachment } from '../../src/catalog/field.ts'
import { standIn } from '../../src/catalog/media.ts'
import { videoDream } from '../../src/catalog/video-dream.ts'
import { wronglyAccepted, wronglyRefused } from '../support/gateway/bodies.ts'

const picture = { type: 'image', url: 'https://pictures.example.com/cat.png' }
const earlier = { type: 'generation', id: 'task_1' }
const base = { model: 'MODEL-VIDEO-DREAM', prompt: 'a cat surfing' }

const accepted = {
  resolution: ['540p', '720p', '1080p', '4k'],
  aspect_ratio: ['1:1', '16:9', '9:16', '4:3', '3:4', '21:9'],
  duration: ['5s', '9s'],
  loop: [true],
  'keyframes.frame0': [picture, earlier],
  'keyframes.frame1': [picture, earlier],
  keyframes: [
    { frame0: picture, frame1: picture },
    { frame0: earlier, frame1: picture },
  ],
  concepts: [[{ key: 'dolly_zoom' }, { key: 'orbit_left' }]],
  callback_url: ['https://bot.example.com/callbacks/x'],
}
const refused = {
  prompt: [undefined],
  resolution: ['480p', '4K'],
  duration: [5, '5', '10s'],
  aspect_ratio: ['2:1'],
  loop: ['yes'],
  'keyframes.frame0': [{ ...picture, id: 'task_1' }, picture.url],
  keyframes: [{ frame2: picture }, [picture]],
  concepts: [{ key: 'orbit_left' }],
}

it('the documented bodies are accepted, and others are refused', () => {
  expect(wronglyRefused(videoDream, base, accepted)).toEqual([])
  const first = (frame0: object) => ({ keyframes: { frame0 } })
  const others = [
    [first({ ...picture, type: 'video' }), 'keyframes.frame0.type'],
    [first({ type: 'image' }), 'keyframes.frame0.url'],
    [first({ ...picture, url: 'data:image/png;base64,iVBORw0KGgo=' }), 'keyframes.frame0.url'],
    [{ keyframes: { frame1: { type: 'generation' } } }, 'keyframes.frame1.id'],
    [{ concepts: [{}] }, 'concepts.0.key'],
    [{ concepts: ['orbit_left'] }, 'concepts.0'],
    [{ width: 1280 }, ''],
  ] as const
  expect(wronglyAccepted(videoDream, base, refused, others)).toEqual([])
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

  const own = (id: string) => ({ type: 'generation', id })
  const still = (file: string) => ({ type: 'image', url: link(file) })
  const ends = (frame0: object, frame1: object) => ({ keyframes: { frame0, frame1 } })
  const pictures = { firstPicture: [image('a')], lastPicture: [image('b')] }
  const keys = (...all: string[]) => ({ concepts: all.map((key) => ({ key })) })
  it.each<[string, Answers, object]>([
    ['nothing but the prompt', {}, {}],
    ['pictures at both ends', pictures, ends(still('a'), still('b'))],
    ['own videos', { continueMyVideo: 't1', leadToMyVideo: 't2' }, ends(own('t1'), own('t2'))],
    ['both', { continueMyVideo: 't1', lastPicture: [image('b')] }, ends(own('t1'), still('b'))],
    ['one effect', { concepts: 'orbit_left' }, keys('orbit_left')],
    ['several effects', { concepts: 'orbit_left, zoom,,orbit_left ' }, keys('orbit_left', 'zoom')],
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
})
