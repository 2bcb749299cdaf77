// MODEL-VIDEO-DREAM against gateway-api.md, row by row: what the document accepts and refuses, and what it bills.
// Keyframes and concepts are not sold yet, so they are refused.

import { describe, expect, it } from 'vitest'
import { createCatalog } from '../src/catalog/catalog.ts'
import { videoDream } from '../src/catalog/video-dream.ts'

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
    ['a callback address', { callback_url: 'https://bot.example.com/callbacks/x' }],
  ])('%s', (_, change) => {
    expect(videoDream.request.safeParse({ ...base, ...change }).error?.issues ?? []).toEqual([])
  })
})

describe('refused bodies', () => {
  it.each([
    ['no prompt', { prompt: undefined }, 'prompt'],
    ['480p', { resolution: '480p' }, 'resolution'],
    ['4K in capitals', { resolution: '4K' }, 'resolution'],
    ['duration as a number', { duration: 5 }, 'duration'],
    ['duration without suffix', { duration: '5' }, 'duration'],
    ['duration 10s', { duration: '10s' }, 'duration'],
    ['an unknown ratio', { aspect_ratio: '2:1' }, 'aspect_ratio'],
    ['loop as a word', { loop: 'yes' }, 'loop'],
    ['width, which it does not know', { width: 1280 }, ''],
  ])('%s', (_, change, path) => {
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
  ])('%s', (_, change, kopecks) => {
    expect(catalog.price(videoDream, { ...base, ...change })?.amount).toBe(kopecks)
  })
})
