// The requests that answers to the models of videos make: frames, references, sounds, and the options that go together.

import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import type { Answers, Attachment, Medium } from '../../src/catalog/field.ts'
import { models } from '../../src/catalog/index.ts'
import { standIn } from '../../src/catalog/media.ts'
import { videoDream } from '../../src/catalog/video-dream.ts'
import { videoReel } from '../../src/catalog/video-reel.ts'
import { videoWan } from '../../src/catalog/video-wan.ts'
import { catalogSettings } from '../support/catalog-settings.ts'
import { fieldOf } from '../support/gateway/samples.ts'

const catalog = createCatalog(models, {})
const attached =
  (medium: Medium) =>
  (file: string, note?: string): Attachment => ({
    ...{ file, medium, mime: 'image/jpeg' },
    ...(note === undefined ? {} : { note }),
  })
const [image, sound, clip] = [attached('image'), attached('audio'), attached('video')]
const data = (file: string) => standIn(image(file), 'data')
const link = (file: string) => standIn(image(file), 'link')

const prompt = { positivePrompt: 'x' }
const both = [image('a'), image('b')]
const pictures = [data('a'), data('b')]
const voice = { 'inputs.audio': [sound('a')] }
const written = (answers: Answers) => videoReel.write({ ...prompt, ...answers })

describe('a request to Reel', () => {
  const uuid = '123e4567-e89b-12d3-a456-426614174000'
  const given = [
    { ...image('https://a.example/1.png'), given: 'link' as const },
    { ...image(uuid, 'last'), given: 'id' as const },
  ]
  const captions = ['first', '12', '0', '-1'].map((caption) => image('a', caption))
  const placed = ['first', 12, '0', '-1'].map((frame) => ({ image: data('a'), frame }))
  const characters = [image('a', '@кот'), image('b', '@dog'), sound('v', '@кот'), image('c', '@кот')]
  const tagged = [
    { type: 'image', images: [data('a'), data('c')], tag: '@кот', audio: link('v') },
    { type: 'image', images: [data('b')], tag: '@dog' },
  ]
  const continued = [{ type: 'extend', video: link('a'), tag: '@video' }]
  const imitated = [{ type: 'reference', video: link('a'), tag: '@танец' }]
  it.each<[string, Answers, string, unknown]>([
    ['frames without captions', { frames: both }, 'frameImages', pictures],
    ['frames with captions', { frames: [...captions, image('b')] }, 'frameImages', [...placed, data('b')]],
    ['addresses and ids', { frames: given }, 'frameImages', [given[0]?.file, { image: uuid, frame: 'last' }]],
    ['references', { references: both }, 'referenceImages', [{ type: 'image', images: pictures, tag: '@1' }]],
    ['references by captions, a voice among them', { references: characters }, 'referenceImages', tagged],
    ['a collage', { collage: both }, 'referenceImages', [{ type: 'grid', images: pictures, tag: '@1' }]],
    ['a video to continue', { continueVideo: [clip('a')] }, 'referenceVideos', continued],
    ['a video to imitate', { exampleVideo: [clip('a', '@танец')] }, 'referenceVideos', imitated],
    ['a voice', voice, 'audio', link('a')],
    ['no files after all', { references: [] }, 'referenceImages', undefined],
  ])('contains %s, and costs as much as without files', (_, answers, input, value) => {
    expect(written(answers)[`inputs.${input}`]).toEqual(value)
    const request = catalog.request(videoReel, { ...prompt, ...answers }) ?? {}
    expect(catalog.price(videoReel, request)?.amount).toBe(92_45n)
  })

  const character = { references: [image('a', '@a'), sound('v', '@a')] }
  it.each<[string, Answers, boolean | undefined]>([
    ['off without a voice', { references: [image('a', '@a')] }, false],
    ['on with a voice', voice, true],
    ['on with the voice of a character', character, true],
    ['off with a voice if the user has switched it off', { ...voice, 'settings.audio': false }, false],
    ['on without a voice if the user has switched it on', { 'settings.audio': true }, true],
    ['no option beside a video to continue', { continueVideo: [clip('a')] }, undefined],
    ['no option beside an example', { 'settings.audio': true, exampleVideo: [clip('a')] }, undefined],
  ])('has the sound %s', (_, answers, isOn) => {
    expect(written(answers)['settings.audio']).toBe(isOn)
  })

  const configured = (settings: object) =>
    createCatalog([videoReel], catalogSettings.parse({ [videoReel.id]: settings }))

  it('has the sound on with a voice although its default is off, unless the operator has fixed it', () => {
    const sounds = ['defaults', 'request'].map((key) => {
      const own = configured({ [key]: { 'settings.audio': false } }).find(videoReel.id)
      return own?.write({ ...prompt, ...voice })['settings.audio']
    })
    expect(sounds).toEqual([true, false])
  })

  it('has the surcharge of sound in its price when a voice has switched it on', () => {
    const own = configured({ surcharges: [{ when: { 'settings.audio': true }, add: '10' }] })
    const prices = [{}, voice].map((answers) => {
      const request = own.request(videoReel, { ...prompt, ...answers })
      return request && own.price(videoReel, request)?.amount
    })
    expect(prices).toEqual([92_45n, 102_45n])
  })
})

describe('a request to Wan', () => {
  it('has the defaults and no media', () => {
    const settings = { audio: true, promptEnhancer: true }
    const usual = { resolution: '1080p', duration: 5, settings, numberResults: 1, outputFormat: 'MP4' }
    expect(catalog.request(videoWan, prompt)).toEqual({ model: videoWan.id, ...prompt, ...usual })
  })

  const last = { image: data('a'), frame: 'last' }
  it.each<[string, Answers, object]>([
    ['frames alone', { frames: both }, { frameImages: pictures }],
    ['a last frame', { frames: [image('a', 'last')] }, { frameImages: [last] }],
    ['pictures', { ...prompt, referenceImages: both }, { referenceImages: pictures }],
    ['videos', { ...prompt, referenceVideos: [clip('a')] }, { referenceVideos: [link('a')] }],
    ['a sound', { ...prompt, ...voice }, { audio: link('a') }],
  ])('contains %s', (_, answers, inputs) => {
    expect(catalog.request(videoWan, answers)?.inputs).toEqual(inputs)
  })

  it('can have several shots, and a lower maximum of the duration, only with references', () => {
    const duration = fieldOf(videoWan, 'duration', 'number')
    const facts = [{}, { referenceImages: [clip('a')] }, { referenceVideos: [clip('a')] }].map((files) => {
      const answers = { ...prompt, ...files, 'settings.shotType': 'multi' }
      return [videoWan.write(answers)['settings.shotType'], videoWan.limit(duration, answers)]
    })
    expect(facts).toEqual([
      [undefined, undefined],
      ['multi', 10],
      ['multi', 10],
    ])
  })
})

describe('a request to Dream', () => {
  const usual = { resolution: '720p', aspect_ratio: '16:9', duration: '5s', loop: false }
  const own = (id: string) => ({ type: 'generation', id })
  const still = (file: string) => ({ type: 'image', url: link(file) })
  const ends = (frame0: object, frame1: object) => ({ keyframes: { frame0, frame1 } })
  const stills = { firstPicture: [image('a')], lastPicture: [image('b')] }
  const keys = (...all: string[]) => ({ concepts: all.map((key) => ({ key })) })
  it.each<[string, Answers, object]>([
    ['nothing but the prompt', {}, {}],
    ['pictures at both ends', stills, ends(still('a'), still('b'))],
    ['own videos', { continueMyVideo: 't1', leadToMyVideo: 't2' }, ends(own('t1'), own('t2'))],
    ['both', { continueMyVideo: 't1', lastPicture: [image('b')] }, ends(own('t1'), still('b'))],
    ['one effect', { concepts: 'orbit_left' }, keys('orbit_left')],
    ['several effects', { concepts: 'orbit_left, zoom,,orbit_left ' }, keys('orbit_left', 'zoom')],
  ])('contains %s, at the same price', (_, answers, more) => {
    const request = catalog.request(videoDream, { prompt: 'x', ...answers })
    expect(request).toEqual({ model: videoDream.id, prompt: 'x', ...usual, ...more })
    expect(request && catalog.price(videoDream, request)?.amount).toBe(264_10n)
  })

  it('takes effects that name something, and ids without spaces', () => {
    const fits = (name: string, typed: string) => fieldOf(videoDream, name, 'text').fits(typed)
    expect([' , ,', 'orbit_left'].map((typed) => fits('concepts', typed))).toEqual([false, true])
    expect(['two words', 'task_1'].map((typed) => fits('continueMyVideo', typed))).toEqual([false, true])
  })
})
