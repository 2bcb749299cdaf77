// Surcharges with a condition on a field that the request leaves out, and the text by which requests are recognised.

import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import type { Answers } from '../../src/catalog/field.ts'
import { imagePhoto } from '../../src/catalog/image-photo.ts'
import { models } from '../../src/catalog/index.ts'
import type { Model } from '../../src/catalog/model.ts'
import { promptInRequest } from '../../src/catalog/request.ts'
import { videoReel } from '../../src/catalog/video-reel.ts'
import { videoWan } from '../../src/catalog/video-wan.ts'
import { catalogSettings } from '../support/catalog-settings.ts'
import { sampleAnswers } from '../support/gateway/samples.ts'

const catalogWith = (model: Model, settings: object) =>
  createCatalog(models, catalogSettings.parse({ [model.id]: settings }))

const surcharge = (when: object) => ({ surcharges: [{ when, add: '1' }] })

/** The labels of the surcharges in the price of these answers. */
function applied(model: Model, when: object, answers: Answers) {
  const catalog = catalogWith(model, surcharge(when))
  const body = catalog.request(model, { ...sampleAnswers(model), ...answers })
  return body && catalog.price(model, body)?.surcharges.map(({ label }) => label)
}

describe('a surcharge on a preset', () => {
  it.each([
    ['the preset alone', videoReel, '1080p', ['option-1080p-auto']],
    ['a pair of the preset', videoReel, '1088x1920', [{ '*': '1080p 9:16' }]],
    ['another preset', videoReel, '720p', undefined],
    ['a pair of another preset', videoReel, '1280x720', undefined],
    ['the pair of another model', videoWan, '1632x1248', [{ '*': '1080p 4:3' }]],
  ] as const)('applies by the size that is sent: %s', (_, model, size, label) => {
    expect(applied(model, { resolution: '1080p' }, { size })).toEqual(label ? [label] : [])
  })
})

it('a surcharge on a default applies although the default is not sent', () => {
  expect(applied(imagePhoto, { imageSize: '1K' }, {})).toEqual([[{ '*': '1K' }]])
  expect(applied(imagePhoto, { imageSize: '1K' }, { imageSize: '2K' })).toEqual([])
  expect(applied(videoReel, { 'safety.mode': 'none' }, {})).toEqual([[{ '*': 'none' }]])
})

it('a surcharge on a preset beside a fixed pair of another preset is refused at the start', () => {
  const request = { width: 1280, height: 720 }
  const settings = (resolution: string) => ({ request, ...surcharge({ resolution }) })
  expect(() => catalogWith(videoReel, settings('1080p'))).toThrow('"resolution" is always "720p"')
  expect(() => catalogWith(videoReel, settings('720p'))).not.toThrow()
})

const turns = [
  { speaker_id: 'Anna', text: 'hi' },
  { speaker_id: 'Boris', text: 'Is the ferry late?' },
]

it.each([
  ['a prompt', { prompt: 'a cat' }, 'a cat'],
  ['a text', { text: 'good morning' }, 'good morning'],
  ['a song with only a title', { title: 'Sea' }, 'Sea'],
  ['nothing', {}, undefined],
  ['turns of another shape', { turns: [{ speaker_id: 'Anna' }], title: 'Talk' }, 'Talk'],
] as const)('the text of a request with %s is found', (_, request, wanted) => {
  expect(promptInRequest(request)).toBe(wanted)
})

it('the text of a dialogue contains all its lines, since many begin with the same greeting', () => {
  expect(promptInRequest({ turns })).toBe('Anna: hi\nBoris: Is the ferry late?')
  expect(promptInRequest({ turns }, 20)).toBe('Anna: hi\nBoris: Is t…')
})
