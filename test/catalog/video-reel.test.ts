// MODEL-VIDEO-REEL against gateway-api.md, row by row: accepted and refused bodies, and billing.

import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import { videoReel } from '../../src/catalog/video-reel.ts'

const base = { model: 'MODEL-VIDEO-REEL', positivePrompt: 'a cat surfing' }

describe('accepted bodies', () => {
  it.each([
    ['only what is required', {}],
    ['prompt of 5120 characters', { positivePrompt: 'x'.repeat(5120) }],
    ['prompt of 5120 code points beyond the BMP', { positivePrompt: '🐈'.repeat(5120) }],
    ['480p', { resolution: '480p' }],
    ['720p', { resolution: '720p' }],
    ['1080p', { resolution: '1080p' }],
    ['a pair of the table', { width: 1920, height: 1088 }],
    ['another pair', { width: 560, height: 736 }],
    ['a square', { width: 1440, height: 1440 }],
    ['the shortest duration', { duration: 3 }],
    ['the longest duration', { duration: 15 }],
    ['a fractional duration', { duration: 3.5 }],
    ['a seed', { seed: 42 }],
    ['a seed below zero', { seed: -1 }],
    ['audio', { settings: { audio: true } }],
    ['no prompt extension', { settings: { promptExtend: false } }],
    ['four results', { numberResults: 4 }],
    ['WEBM', { outputFormat: 'WEBM' }],
    ['MOV', { outputFormat: 'MOV' }],
    ['the lowest quality', { outputQuality: 20 }],
    ['the highest quality', { outputQuality: 99 }],
    ['a content check', { safety: { checkContent: true, mode: 'full' } }],
    ['a webhook', { webhookURL: 'https://bot.example.com/callbacks/x' }],
    ['an upload endpoint', { uploadEndpoint: 'https://store.example.com/put?sig=1' }],
  ])('accepts a body with %s', (_, change) => {
    const parsed = videoReel.request.safeParse({ ...base, ...change })
    expect(parsed.error?.issues ?? []).toEqual([])
  })
})

describe('refused bodies', () => {
  it.each([
    ['no prompt', { positivePrompt: undefined }, 'positivePrompt'],
    ['an empty prompt', { positivePrompt: '' }, 'positivePrompt'],
    ['prompt of 5121 characters', { positivePrompt: 'x'.repeat(5121) }, 'positivePrompt'],
    ['no model', { model: undefined }, 'model'],
    ['an unknown resolution', { resolution: '4k' }, 'resolution'],
    ['resolution beside width and height', { resolution: '720p', width: 1280, height: 720 }, 'resolution'],
    ['width without height', { width: 1280 }, 'height'],
    ['height without width', { height: 720 }, 'width'],
    ['a pair that is not in the table', { width: 1920, height: 1080 }, 'width'],
    ['a swapped half of two pairs', { width: 848, height: 560 }, 'width'],
    ['duration 2', { duration: 2 }, 'duration'],
    ['duration 2.99', { duration: 2.99 }, 'duration'],
    ['duration 16', { duration: 16 }, 'duration'],
    ['duration as a word', { duration: 'много' }, 'duration'],
    ['a fractional seed', { seed: 1.5 }, 'seed'],
    ['audio as a string', { settings: { audio: 'yes' } }, 'settings.audio'],
    ['an unknown setting', { settings: { loud: true } }, 'settings'],
    ['no results', { numberResults: 0 }, 'numberResults'],
    ['five results', { numberResults: 5 }, 'numberResults'],
    ['half a result', { numberResults: 1.5 }, 'numberResults'],
    ['GIF', { outputFormat: 'GIF' }, 'outputFormat'],
    ['lower case mp4', { outputFormat: 'mp4' }, 'outputFormat'],
    ['quality 19', { outputQuality: 19 }, 'outputQuality'],
    ['quality 100', { outputQuality: 100 }, 'outputQuality'],
    ['an unknown safety mode', { safety: { mode: 'slow' } }, 'safety.mode'],
    ['a field of another model', { aspect_ratio: '16:9' }, ''],
  ])('refuses a body with %s', (_, change, path) => {
    const parsed = videoReel.request.safeParse({ ...base, ...change })
    expect(parsed.error?.issues.map((issue) => issue.path.join('.'))).toContain(path)
  })
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
