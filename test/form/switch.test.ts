// The answers that a draft keeps when its model is switched, and when it takes the settings of another order or of a preset.

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
import { settingsIn, withSettings } from '../../src/form/fit.ts'
import { carryAnswers, droppedBy, placeFiles } from '../../src/form/switch.ts'
import { catalogSettings } from '../support/catalog-settings.ts'

const picture: Attachment = { medium: 'image', file: 'photo', mime: 'image/jpeg', width: 640, height: 480 }

it('a picture stays the first frame although the other model names the field differently', () => {
  const prompt = { positivePrompt: 'a cat' }
  const dream = carryAnswers(videoReel, videoDream, { ...prompt, frames: [picture] })
  expect(dream).toEqual({ prompt: 'a cat', firstPicture: [picture] })
  expect(carryAnswers(videoDream, videoWan, dream)).toEqual({ ...prompt, frames: [picture] })
})

it('an address is carried like a file, and an id only where the other model takes ids', () => {
  const address: Attachment = { ...picture, file: 'https://a.example/1.png', given: 'link' }
  const id: Attachment = { ...picture, file: '123e4567-e89b-12d3-a456-426614174000', given: 'id' }
  expect(carryAnswers(videoReel, videoDream, { frames: [address, id] })).toEqual({ firstPicture: [address] })
  expect(carryAnswers(videoReel, videoWan, { frames: [address, id] })).toEqual({ frames: [address, id] })
})

it.each([
  [undefined, 'firstPicture'],
  ['first', 'firstPicture'],
  ['last', 'lastPicture'],
  ['-1', 'lastPicture'],
  ['3', undefined],
])('a picture with the note %s goes into the field of its frame, without the note', (note, name) => {
  const noted = note === undefined ? picture : { ...picture, note }
  const placed = name === undefined ? { ok: false } : { ok: true, answers: { [name]: [picture] } }
  expect(placeFiles(videoDream, [noted], 'one', true)).toEqual(placed)
})

const [a, b, c] = [
  { ...picture, file: 'a' },
  { ...picture, file: 'b' },
  { ...picture, file: 'c' },
] as const
const last = { note: 'last' }
const between = 'field-frames-between'

it.each<[Model, Answers, Model, Answers, string?]>([
  [videoReel, { frames: [{ ...a, ...last }] }, videoDream, { lastPicture: [a] }],
  [videoReel, { frames: [a, b] }, videoDream, { firstPicture: [a], lastPicture: [b] }],
  [videoWan, { frames: [{ ...a, ...last }, b] }, videoDream, { firstPicture: [b], lastPicture: [a] }],
  [videoReel, { frames: [a, b, c] }, videoWan, { frames: [a, c] }, between],
  [videoReel, { frames: [{ ...a, note: '5' }] }, videoWan, {}, between],
  [videoDream, { lastPicture: [a] }, videoReel, { frames: [{ ...a, ...last }] }],
  [videoDream, { firstPicture: [{ ...a, bytes: 15e6 }] }, videoWan, {}, 'field-first-frame'],
])(
  'pictures stay the first and the last frame of another model (case %#)',
  (from, answers, to, expected, dropped) => {
    const carried = carryAnswers(from, to, answers)
    expect(carried).toEqual(expected)
    const labels = droppedBy(from, to, answers, carried).map(({ label }) => label)
    expect(labels).toEqual(dropped === undefined ? [] : [dropped])
  },
)

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
  it.each<[Model, Answers, Model, Answers]>([
    [videoReel, { size: '1920x1088' }, videoDream, { aspect_ratio: '16:9' }],
    [videoReel, { size: '480x848' }, videoDream, { resolution: '540p', aspect_ratio: '9:16' }],
    // Their sizes differ.
    [videoReel, { size: '1088x1920' }, videoWan, { size: '1080x1920' }],
    [videoReel, { size: '640x640' }, videoWan, { size: '960x960' }],
    [videoWan, { size: '720p' }, videoReel, { size: '720p' }],
    [videoDream, { aspect_ratio: '3:4' }, videoWan, { size: '1248x1632' }],
    // The other model does not have the shape.
    [videoDream, { aspect_ratio: '21:9' }, videoReel, { size: '1920x1088' }],
    [imagePhoto, { aspectRatio: '9:16' }, imageDesign, { size: '9:16' }],
    [imageDesign, { size: '3:2' }, imagePhoto, { aspectRatio: '4:3' }],
  ])('keep quality and shape (case %#)', (from, answers, to, carried) => {
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

const media = videoReel.fields.find(({ kind }) => kind === 'media')?.name ?? ''
const own: Answers = { positivePrompt: 'a cat', [media]: [a], duration: 3 }
const other: Answers = { positivePrompt: 'a dog', [media]: [b], duration: 8 }

it('settings are replaced, reset and saved without the prompt and the files', () => {
  expect(media).not.toBe('')
  expect(withSettings(videoReel, own, other)).toEqual({ ...own, duration: 8 })
  const { duration: _, ...inputs } = own
  expect(withSettings(videoReel, own, {})).toEqual(inputs)
  expect(settingsIn(videoReel, own)).toEqual({ duration: 3 })
})
