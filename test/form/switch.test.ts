// The answers that a draft keeps when its model is switched; see also test/scenarios/models.test.ts.

import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import type { Answers, Attachment } from '../../src/catalog/field.ts'
import { imageDesign } from '../../src/catalog/image-design.ts'
import { imagePhoto } from '../../src/catalog/image-photo.ts'
import { models } from '../../src/catalog/index.ts'
import type { Model } from '../../src/catalog/model.ts'
import { model3d } from '../../src/catalog/model-3d.ts'
import { videoDream } from '../../src/catalog/video-dream.ts'
import { videoReel } from '../../src/catalog/video-reel.ts'
import { videoWan } from '../../src/catalog/video-wan.ts'
import { carryAnswers, droppedBy } from '../../src/form/switch.ts'
import { catalogSettings } from '../support/catalog-settings.ts'

const picture: Attachment = { medium: 'image', file: 'photo', mime: 'image/jpeg', width: 640, height: 480 }

it('a picture stays the first frame although the other model names the field differently', () => {
  const prompt = { positivePrompt: 'a cat' }
  const dream = carryAnswers(videoReel, videoDream, { ...prompt, frames: [picture] })
  expect(dream).toEqual({ prompt: 'a cat', firstPicture: [picture] })
  expect(carryAnswers(videoDream, videoWan, dream)).toEqual({ ...prompt, frames: [picture] })
})

it('an address is carried like a file, and an id only where the other model takes ids', () => {
  const address: Attachment = {
    medium: 'image',
    file: 'https://a.example/1.png',
    given: 'link',
    mime: 'image/png',
  }
  const id: Attachment = {
    medium: 'image',
    file: '123e4567-e89b-12d3-a456-426614174000',
    given: 'id',
    mime: '',
  }
  expect(carryAnswers(videoReel, videoDream, { frames: [address, id] })).toEqual({ firstPicture: [address] })
  expect(carryAnswers(videoReel, videoWan, { frames: [address, id] })).toEqual({ frames: [address, id] })
})

describe('pictures that are carried to another model', () => {
  const at = (file: string, note?: string): Attachment =>
    note === undefined ? { ...picture, file } : { ...picture, file, note }
  const [a, b, c, _d] = ['a', 'b', 'c', 'd'].map((file) => at(file)) as [
    Attachment,
    Attachment,
    Attachment,
    Attachment,
  ]

  it.each<[string, Model, Answers, Model, Answers, string[]]>([
    ['a last frame', videoReel, { frames: [at('a', 'last')] }, videoDream, { lastPicture: [a] }, []],
    ['two', videoReel, { frames: [a, b] }, videoDream, { firstPicture: [a], lastPicture: [b] }, []],
    [
      'two in the other order',
      videoWan,
      { frames: [at('a', 'last'), at('b')] },
      videoDream,
      { firstPicture: [b], lastPicture: [a] },
      [],
    ],
    ['three', videoReel, { frames: [a, b, c] }, videoWan, { frames: [a, c] }, ['field-frames-between']],
    ['one in between', videoReel, { frames: [at('a', '5')] }, videoWan, {}, ['field-frames-between']],
    ['a last frame alone', videoDream, { lastPicture: [a] }, videoReel, { frames: [at('a', 'last')] }, []],
    [
      'a first frame that is too large, and a last one',
      videoDream,
      { firstPicture: [{ ...a, bytes: 15e6 }], lastPicture: [b] },
      videoWan,
      { frames: [at('b', 'last')] },
      ['field-first-frame'],
    ],
  ])('stay the first and the last frame: %s', (_, from, answers, to, expected, dropped) => {
    const carried = carryAnswers(from, to, answers)
    expect(carried).toEqual(expected)
    expect(droppedBy(from, to, answers, carried).map(({ label }) => label)).toEqual(dropped)
  })
})

it('settings that the other model lacks are named, but not those that are nearly kept, nor the prompt', () => {
  const answers = { prompt: 'a cat', loop: true, concepts: 'orbit', resolution: '4k', duration: '9s' }
  const dropped = droppedBy(videoDream, videoReel, answers, carryAnswers(videoDream, videoReel, answers))
  expect(dropped.map(({ label }) => label)).toEqual(['field-loop', 'field-effects'])
})

it.each([
  [videoReel, 15, videoDream, '9s'],
  [videoReel, 7, videoDream, '5s'],
  [videoReel, 3, videoDream, '5s'],
  [videoDream, '9s', videoReel, 9],
  [videoWan, 15, videoReel, 15],
])('a video keeps the nearest duration (case %#)', (from, duration, to, expected) => {
  expect(carryAnswers(from, to, { duration })).toEqual({ duration: expected })
})

describe('answers that are carried to another model', () => {
  it.each([
    ['Reel', 'Dream', videoReel, videoDream, { size: '1920x1088' }, { aspect_ratio: '16:9' }],
    [
      'Reel at a lower quality',
      'Dream',
      videoReel,
      videoDream,
      { size: '480x848' },
      { resolution: '540p', aspect_ratio: '9:16' },
    ],
    ['Reel', 'Wan, whose sizes differ', videoReel, videoWan, { size: '1088x1920' }, { size: '1080x1920' }],
    ['Reel at 480p', 'Wan', videoReel, videoWan, { size: '640x640' }, { size: '960x960' }],
    ['Wan', 'Reel', videoWan, videoReel, { size: '720p' }, { size: '720p' }],
    ['Dream', 'Wan', videoDream, videoWan, { aspect_ratio: '3:4' }, { size: '1248x1632' }],
    [
      'Dream in a shape that Reel has not',
      'Reel',
      videoDream,
      videoReel,
      { aspect_ratio: '21:9' },
      { size: '1920x1088' },
    ],
    ['Photo', 'Design', imagePhoto, imageDesign, { aspectRatio: '9:16' }, { size: '9:16' }],
    [
      'Design in a shape that Photo has not',
      'Photo',
      imageDesign,
      imagePhoto,
      { size: '3:2' },
      { aspectRatio: '4:3' },
    ],
  ] as const)('keep quality and shape from %s to %s', (_, __, from, to, answers, carried) => {
    expect(carryAnswers(from, to, answers)).toEqual(carried)
  })

  it.each([
    ['4k of Dream', videoDream, videoReel, { resolution: '4k' }, '1080p'],
    ['1080p of Reel', videoReel, videoDream, { size: '1920x1088' }, '720p'],
    ['4k of Dream', videoDream, videoWan, { resolution: '4k' }, '1080p'],
  ] as const)('never have a quality above the default: %s', (_, from, to, answers, quality) => {
    const { size, resolution } = to.complete(carryAnswers(from, to, answers))
    expect(resolution ?? size).toBe(quality)
  })

  it("keep the operator's default quality when it is lower", () => {
    const settings = catalogSettings.parse({ [videoWan.id]: { defaults: { resolution: '720p' } } })
    const wan = createCatalog(models, settings).find(videoWan.id)
    expect(wan && carryAnswers(videoDream, wan, { resolution: '1080p', aspect_ratio: '1:1' })).toEqual({
      size: '960x960',
    })
  })

  it('are not read as typed numbers: the three digits of a fraction stay a fraction', () => {
    const answers = { enable_rigging: true, rigging_height_meters: 1.125 }
    expect(carryAnswers(model3d, model3d, answers)).toMatchObject(answers)
  })
})
