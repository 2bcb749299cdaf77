// MODEL-VIDEO-REEL against gateway-api.md, row by row: accepted and refused bodies, and billing.

import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import { videoReel } from '../../src/catalog/video-reel.ts'
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
