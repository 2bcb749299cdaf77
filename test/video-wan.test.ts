// MODEL-VIDEO-WAN against gateway-api.md, row by row: what the document accepts and refuses, and what it bills.
// Media inputs are not sold yet, so a prompt is always required and they are refused.

import { describe, expect, it } from 'vitest'
import { createCatalog } from '../src/catalog/catalog.ts'
import { videoWan } from '../src/catalog/video-wan.ts'

const base = { model: 'MODEL-VIDEO-WAN', positivePrompt: 'a cat surfing' }

describe('accepted bodies', () => {
  it.each([
    ['only what is required', {}],
    ['prompt of 5000 characters', { positivePrompt: 'x'.repeat(5000) }],
    ['negative prompt of 500 characters', { negativePrompt: 'x'.repeat(500) }],
    ['720p', { resolution: '720p' }],
    ['1080p', { resolution: '1080p' }],
    ['a pair of its own table', { width: 1920, height: 1080 }],
    ['another pair of its own table', { width: 1248, height: 1632 }],
    ['the shortest duration', { duration: 1 }],
    ['the longest duration', { duration: 15 }],
    ['the largest seed', { seed: 2147483647 }],
    ['silence', { settings: { audio: false } }],
    ['no prompt enhancer', { settings: { promptEnhancer: false } }],
    ['four results as MOV', { numberResults: 4, outputFormat: 'MOV' }],
    ['a full content check', { safety: { checkContent: true, mode: 'full' } }],
    ['a webhook', { webhookURL: 'https://bot.example.com/callbacks/x' }],
  ])('%s', (_, change) => {
    expect(videoWan.request.safeParse({ ...base, ...change }).error?.issues ?? []).toEqual([])
  })
})

describe('refused bodies', () => {
  it.each([
    ['no prompt', { positivePrompt: undefined }, 'positivePrompt'],
    ['prompt of 5001 characters', { positivePrompt: 'x'.repeat(5001) }, 'positivePrompt'],
    ['negative prompt of 501 characters', { negativePrompt: 'x'.repeat(501) }, 'negativePrompt'],
    ['480p, which only Reel has', { resolution: '480p' }, 'resolution'],
    ['a pair that only Reel has', { width: 1920, height: 1088 }, 'width'],
    ['resolution beside width and height', { resolution: '720p', width: 1280, height: 720 }, 'resolution'],
    ['width without height', { width: 1280 }, 'height'],
    ['duration 0', { duration: 0 }, 'duration'],
    ['duration 16', { duration: 16 }, 'duration'],
    ['a fractional duration', { duration: 3.5 }, 'duration'],
    ['a negative seed', { seed: -1 }, 'seed'],
    ['a seed of 32 bits', { seed: 2147483648 }, 'seed'],
    ['the prompt switch of Reel', { settings: { promptExtend: true } }, 'settings'],
    ['five results', { numberResults: 5 }, 'numberResults'],
  ])('%s', (_, change, path) => {
    const parsed = videoWan.request.safeParse({ ...base, ...change })
    expect(parsed.error?.issues.map((issue) => issue.path.join('.'))).toContain(path)
  })
})

describe('billing: 13.21 per second at 720p, 19.81 at 1080p, each result', () => {
  const catalog = createCatalog([videoWan], {})
  it.each([
    ['the defaults (1080p, 5 s)', {}, 9905n],
    ['720p', { resolution: '720p' }, 6605n],
    ['720p as a pair', { width: 832, height: 1088 }, 6605n],
    ['1080p as a pair', { width: 1440, height: 1440 }, 9905n],
    ['1 s', { duration: 1 }, 1981n],
    ['four results of 15 s at 720p', { resolution: '720p', duration: 15, numberResults: 4 }, 79260n],
  ])('%s', (_, change, kopecks) => {
    expect(catalog.price(videoWan, { ...base, ...change })?.amount).toBe(kopecks)
  })
})
