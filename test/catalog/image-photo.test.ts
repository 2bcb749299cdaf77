// MODEL-IMAGE-PHOTO against gateway-api.md, row by row: accepted and refused bodies, billing, and the requests that answers make.

import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import { imagePhoto } from '../../src/catalog/image-photo.ts'
import { catalogSettings } from '../support/catalog-settings.ts'

const base = { model: 'MODEL-IMAGE-PHOTO', prompt: 'a lighthouse at dawn' }

const english: [string, string][] = [
  ['one word', 'lighthouse'],
  ['accents', 'a café in Besançon, naïve style'],
  ['accents as combining marks', 'cafe\u0301'],
  ['emoji', 'a 🐈‍⬛ on a sofa ☕️ 🇫🇷'],
  ['digits and signs', '35mm, f/1.8, 5 °C, 100 %, ½, 10 µm — “golden hour”'],
  ['480 words', 'cat '.repeat(480)],
]

const foreign: [string, string][] = [
  ['Russian', 'маяк на рассвете'],
  ['one Russian word', 'a sign that says Хлеб'],
  ['one Cyrillic letter inside a word', 'a саt'],
  ['Chinese', '灯塔'],
  ['Arabic', 'منارة'],
  ['Georgian', 'შუქურა'],
]

describe('accepted bodies', () => {
  it.each<[string, object]>([
    ['only what is required', {}],
    ...english.map(([name, prompt]): [string, object] => [name, { prompt }]),
    ...[1, 2, 3, 4].map((count): [string, object] => [`${count} images`, { numberOfImages: count }]),
    ['1K', { imageSize: '1K' }],
    ['2K', { imageSize: '2K' }],
    ...['1:1', '3:4', '4:3', '9:16', '16:9'].map((ratio): [string, object] => [
      ratio,
      { aspectRatio: ratio },
    ]),
    ...['dont_allow', 'allow_adult', 'allow_all'].map((people): [string, object] => [
      people,
      { personGeneration: people },
    ]),
    ['asynchronous', { async: true }],
    ['synchronous', { async: false }],
  ])('accepts a body with %s', (_, change) => {
    expect(imagePhoto.request.safeParse({ ...base, ...change }).error?.issues ?? []).toEqual([])
  })
})

describe('refused bodies', () => {
  it.each<[string, object, string]>([
    ['no model', { model: undefined }, 'model'],
    ['no prompt', { prompt: undefined }, 'prompt'],
    ['an empty prompt', { prompt: '' }, 'prompt'],
    ...foreign.map(([name, prompt]): [string, object, string] => [name, { prompt }, 'prompt']),
    ['481 words, which are more than 480 tokens', { prompt: 'cat '.repeat(481) }, 'prompt'],
    ['2117 characters in long words', { prompt: `${'x'.repeat(9)} `.repeat(212) }, 'prompt'],
    ['4097 characters', { prompt: 'x'.repeat(4097) }, 'prompt'],
    ['no images', { numberOfImages: 0 }, 'numberOfImages'],
    ['five images', { numberOfImages: 5 }, 'numberOfImages'],
    ['half an image', { numberOfImages: 2.5 }, 'numberOfImages'],
    ['4K', { imageSize: '4K' }, 'imageSize'],
    ['lower case 1k', { imageSize: '1k' }, 'imageSize'],
    ['a ratio that it does not have', { aspectRatio: '3:2' }, 'aspectRatio'],
    ['an unknown rule for people', { personGeneration: 'allow_children' }, 'personGeneration'],
    ['async as text', { async: 'yes' }, 'async'],
    ['a field of the design model', { size: '1:1' }, ''],
  ])('refuses a body with %s', (_, change, path) => {
    const parsed = imagePhoto.request.safeParse({ ...base, ...change })
    expect(parsed.error?.issues.map((issue) => issue.path.join('.'))).toContain(path)
  })
})

describe('a typed prompt', () => {
  const field = imagePhoto.fields.find(({ name }) => name === 'prompt')
  const fits = (prompt: string) => (field?.kind === 'text' ? field.fits(prompt) : undefined)

  it.each(english)('is accepted when it is English: %s', (_, prompt) => expect(fits(prompt)).toBe(true))
  it.each(foreign)('is refused when it is not English: %s', (_, prompt) => expect(fits(prompt)).toBe(false))
  it('is refused by an estimate of its tokens, which the refusal names', () => {
    expect(fits('cat '.repeat(481))).toBe(false)
    expect(field?.kind === 'text' && field.misfit?.('cat '.repeat(481))).toEqual({
      reason: 'too-many-tokens',
      tokens: 481,
      max: 480,
      characters: 2112,
    })
  })
})

describe('the answers on a card', () => {
  const write = (answers: Parameters<typeof imagePhoto.write>[0]) =>
    imagePhoto.write({ prompt: 'a cat', ...answers })

  it('write the documented defaults, but no image size, since one tier does not accept it', () => {
    const usual = { numberOfImages: 4, aspectRatio: '1:1', personGeneration: 'allow_adult' }
    expect(write({})).toEqual({ prompt: 'a cat', ...usual })
    expect(write({ imageSize: '1K' })).toEqual(write({}))
  })

  it('write the chosen values', () => {
    const chosen = { numberOfImages: 1, imageSize: '2K', aspectRatio: '9:16', personGeneration: 'allow_all' }
    expect(write(chosen)).toEqual({ prompt: 'a cat', ...chosen })
  })
})

it.each([
  ['request', 'operator'],
  ['defaults', 'card'],
] as const)('1K in "%s" sends no image size, since one tier does not accept it', (key, audience) => {
  const settings = catalogSettings.parse({ [imagePhoto.id]: { [key]: { imageSize: '1K' } } })
  const catalog = createCatalog([imagePhoto], settings)
  const model = catalog.find(imagePhoto.id)
  expect(model?.fields.find(({ name }) => name === 'imageSize')).toMatchObject({ audience })
  expect(model && catalog.request(model, { prompt: 'a cat' })).not.toHaveProperty('imageSize')
})

it('the model is deprecated, and its request asks for a task', () => {
  expect(imagePhoto.status).toBe('deprecated')
  const body = createCatalog([imagePhoto], {}).request(imagePhoto, { prompt: 'a cat' })
  expect(body).toMatchObject({ model: 'MODEL-IMAGE-PHOTO', async: true })
})

describe('billing: 5.28 per image', () => {
  const catalog = createCatalog([imagePhoto], {})

  it('prices minimal answers as four images', () => {
    const body = catalog.request(imagePhoto, { prompt: 'a cat' }) ?? {}
    expect(catalog.price(imagePhoto, body)).toMatchObject({
      amount: 2112n,
      unit: 'image',
      quantity: 1,
      count: 4,
    })
  })

  it.each([
    ['the defaults (4 images)', {}, 2112n, 4],
    ['1 image', { numberOfImages: 1 }, 528n, 1],
    ['3 images', { numberOfImages: 3 }, 1584n, 3],
    ['2K: the unit is the image', { imageSize: '2K', numberOfImages: 1 }, 528n, 1],
  ])('has the documented price for %s', (_, change, kopecks, count) => {
    expect(catalog.price(imagePhoto, { ...base, ...change })?.amount).toBe(kopecks)
    expect(imagePhoto.delivers({ ...base, ...change })).toEqual({ kind: 'image', count })
  })
})
