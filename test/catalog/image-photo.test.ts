// MODEL-IMAGE-PHOTO against gateway-api.md, row by row: accepted and refused bodies, billing, and the requests that answers make.

import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import { imagePhoto } from '../../src/catalog/image-photo.ts'
import { catalogSettings } from '../support/catalog-settings.ts'
import { wronglyAccepted, wronglyRefused } from '../support/gateway/bodies.ts'

const base = { model: 'MODEL-IMAGE-PHOTO', prompt: 'a lighthouse at dawn' }

const english = [
  'lighthouse',
  'a café in Besançon, naïve style',
  'cafe\u0301',
  'a 🐈‍⬛ on a sofa ☕️ 🇫🇷',
  '35mm, f/1.8, 5 °C, 100 %, ½, 10 µm — “golden hour”',
  'cat '.repeat(480),
]

const foreign = ['маяк на рассвете', 'a sign that says Хлеб', 'a саt', '灯塔', 'منارة', 'შუქურა']

const accepted = {
  prompt: english,
  numberOfImages: [1, 2, 3, 4],
  imageSize: ['1K', '2K'],
  aspectRatio: ['1:1', '3:4', '4:3', '9:16', '16:9'],
  personGeneration: ['dont_allow', 'allow_adult', 'allow_all'],
  async: [true, false],
}
const refused = {
  model: [undefined],
  // At most 480 tokens, which are estimated by the words and by the characters.
  prompt: [undefined, '', ...foreign, 'cat '.repeat(481), `${'x'.repeat(9)} `.repeat(212), 'x'.repeat(4097)],
  numberOfImages: [0, 5, 2.5],
  imageSize: ['4K', '1k'],
  aspectRatio: ['3:2'],
  personGeneration: ['allow_children'],
  async: ['yes'],
}

it('the documented bodies are accepted, and others are refused', () => {
  expect(wronglyRefused(imagePhoto, base, accepted)).toEqual([])
  expect(wronglyAccepted(imagePhoto, base, refused, [[{ size: '1:1' }, '']])).toEqual([])
})

describe('a typed prompt', () => {
  const field = imagePhoto.fields.find(({ name }) => name === 'prompt')
  const fits = (prompt: string) => (field?.kind === 'text' ? field.fits(prompt) : undefined)

  it('is accepted only when it is English', () => {
    expect([english.filter(fits), foreign.filter(fits)]).toEqual([english, []])
  })

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

  it('write the documented defaults, but one picture, and no image size, since one tier does not accept it', () => {
    const usual = { numberOfImages: 1, aspectRatio: '1:1', personGeneration: 'allow_adult' }
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

it('the request of the model asks for a task', () => {
  const body = createCatalog([imagePhoto], {}).request(imagePhoto, { prompt: 'a cat' })
  expect(body).toMatchObject({ model: 'MODEL-IMAGE-PHOTO', async: true })
})

it('billing: 5.28 per image, one by default, whatever its size', () => {
  const catalog = createCatalog([imagePhoto], {})
  const body = catalog.request(imagePhoto, { prompt: 'a cat' }) ?? {}
  const price = catalog.price(imagePhoto, body)
  expect(price).toMatchObject({ amount: 528n, unit: 'image', quantity: 1, count: 1 })
  const rows = [
    [{}, 528n, 1],
    [{ numberOfImages: 1 }, 528n, 1],
    [{ numberOfImages: 3 }, 1584n, 3],
    [{ imageSize: '2K', numberOfImages: 1 }, 528n, 1],
  ] as const
  for (const [change, kopecks, count] of rows) {
    expect([change, catalog.price(imagePhoto, { ...base, ...change })?.amount]).toEqual([change, kopecks])
    expect(imagePhoto.delivers({ ...base, ...change })).toEqual({ kind: 'image', count })
  }
})
