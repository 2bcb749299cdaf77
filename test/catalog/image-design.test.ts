// MODEL-IMAGE-DESIGN against gateway-api.md, row by row: accepted and refused bodies, billing, and the requests that answers make.

import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import { imageDesign } from '../../src/catalog/image-design.ts'
import { catalogSettings } from '../support/catalog-settings.ts'

const base = { model: 'MODEL-IMAGE-DESIGN', prompt: 'a poster of a jazz night' }
const styleId = '6f1c2a52-3b8e-4d0a-9c57-0f4f7a1f9e21'

describe('accepted bodies', () => {
  it.each<[string, object]>([
    ['only what is required', {}],
    ['a prompt of one message', { prompt: '🎷'.repeat(4096) }],
    ['a Russian prompt', { prompt: 'афиша джазового вечера' }],
    ...[1, 2, 3, 4, 5, 6].map((n): [string, object] => [`${n} pictures`, { n }]),
    ['a size in pixels', { size: '1024x768' }],
    ['a large size', { size: '4096x2160' }],
    ['a square ratio', { size: '1:1' }],
    ['a wide ratio', { size: '16:9' }],
    ['an unusual ratio', { size: '21:9' }],
    ...['any', 'realistic_image', 'digital_illustration', 'vector_illustration', 'icon'].map(
      (style): [string, object] => [style, { style }],
    ),
    ['a style that is not among those seen', { style: 'pixel_art' }],
    ['a custom style', { style_id: styleId }],
    ['a custom style beside a named one: not forbidden', { style: 'icon', style_id: styleId }],
    ['links', { response_format: 'url' }],
    ['base64', { response_format: 'b64_json' }],
    ['any controls', { controls: { colors: [{ rgb: [0, 255, 0] }], no_text: true } }],
    ['empty controls', { controls: {} }],
    ['asynchronous', { async: true }],
    ['synchronous', { async: false }],
  ])('accepts a body with %s', (_, change) => {
    expect(imageDesign.request.safeParse({ ...base, ...change }).error?.issues ?? []).toEqual([])
  })
})

describe('refused bodies', () => {
  it.each([
    ['no model', { model: undefined }, 'model'],
    ['no prompt', { prompt: undefined }, 'prompt'],
    ['an empty prompt', { prompt: '' }, 'prompt'],
    ['a prompt of 20001 characters', { prompt: 'x'.repeat(20_001) }, 'prompt'],
    ['no pictures', { n: 0 }, 'n'],
    ['seven pictures', { n: 7 }, 'n'],
    ['half a picture', { n: 1.5 }, 'n'],
    ['a number as text', { n: '2' }, 'n'],
    ['a size without a height', { size: '1024' }, 'size'],
    ['a size of three numbers', { size: '10x10x10' }, 'size'],
    ['a size in capitals', { size: '1024X768' }, 'size'],
    ['a size with spaces', { size: '1024 x 768' }, 'size'],
    ['a size of zero', { size: '0x768' }, 'size'],
    ['a ratio of zero', { size: '16:0' }, 'size'],
    ['a size beyond four digits', { size: '10000x10' }, 'size'],
    ['a size in words', { size: 'large' }, 'size'],
    ['a size as an object', { size: { width: 10 } }, 'size'],
    ['an empty style', { style: '' }, 'style'],
    ['a custom style that is no UUID', { style_id: 'my-style' }, 'style_id'],
    ['an unknown form of the answer', { response_format: 'png' }, 'response_format'],
    ['controls as text', { controls: 'bright' }, 'controls'],
    ['controls as a list', { controls: [] }, 'controls'],
    ['async as text', { async: 'yes' }, 'async'],
    ['a field of the photo model', { aspectRatio: '1:1' }, ''],
  ])('refuses a body with %s', (_, change, path) => {
    const parsed = imageDesign.request.safeParse({ ...base, ...change })
    expect(parsed.error?.issues.map((issue) => issue.path.join('.'))).toContain(path)
  })
})

describe('the answers on a card', () => {
  const write = (answers: Parameters<typeof imageDesign.write>[0]) =>
    imageDesign.write({ prompt: 'a cat', ...answers })

  it('write the documented defaults, and no style', () => {
    expect(write({})).toEqual({ prompt: 'a cat', n: 1, size: '1:1' })
  })

  it('write a ratio and a style by a tap', () => {
    expect(write({ size: '16:9', style: 'icon', n: 3 })).toEqual({
      prompt: 'a cat',
      n: 3,
      size: '16:9',
      style: 'icon',
    })
  })

  it.each([
    ['1024x768', '1024x768'],
    ['1024 × 768', '1024x768'],
    ['1024*768', '1024x768'],
    ['1024X768', '1024x768'],
    ['1024х768', '1024x768'],
    ['21:9', '21:9'],
    ['21 : 9', '21:9'],
  ])('write the exact size %s as %s, which overrides the ratio', (typed, size) => {
    expect(fits('exact_size', typed)).toBe(true)
    expect(write({ exact_size: typed, size: '16:9' })).toMatchObject({ size })
  })

  it.each(['1024', '1024x', 'x768', '1024x768x3', '1024 768', 'HD', '0x10', '10000x10', '-1x5'])(
    'refuse the exact size %s',
    (typed) => expect(fits('exact_size', typed)).toBe(false),
  )

  it('write a typed style, which overrides the chosen one', () => {
    expect(write({ style: 'icon', other_style: 'pixel_art' })).toMatchObject({ style: 'pixel_art' })
  })

  it('hide the options while a typed value overrides them', () => {
    const field = (name: string) => imageDesign.fields.find((one) => one.name === name)
    expect(field('size')?.when?.({})).toBe(true)
    expect(field('size')?.when?.({ exact_size: '10x10' })).toBe(false)
    expect(field('style')?.when?.({})).toBe(true)
    expect(field('style')?.when?.({ other_style: 'pixel_art' })).toBe(false)
  })

  it('write a custom style, which has to be a UUID', () => {
    expect(write({ style_id: styleId })).toMatchObject({ style_id: styleId })
    expect(fits('style_id', styleId)).toBe(true)
    expect(fits('style_id', 'my-style')).toBe(false)
  })

  it('do not set fields of the operator and the app', () => {
    expect(write({ controls: '{}', response_format: 'b64_json', async: true })).not.toHaveProperty('controls')
    expect(write({ response_format: 'b64_json', async: true })).toEqual(write({}))
  })

  function fits(name: string, typed: string): boolean | undefined {
    const field = imageDesign.fields.find((one) => one.name === name)
    return field?.kind === 'text' ? field.fits(typed) : undefined
  }
})

describe('the request made from answers', () => {
  it('asks for a task', () => {
    expect(createCatalog([imageDesign], {}).request(imageDesign, { prompt: 'a cat' })).toEqual({
      model: 'MODEL-IMAGE-DESIGN',
      prompt: 'a cat',
      n: 1,
      size: '1:1',
      async: true,
    })
  })

  it("carries the operator's controls and response format", () => {
    const request = { controls: { no_text: true }, response_format: 'b64_json' }
    const catalog = createCatalog([imageDesign], catalogSettings.parse({ [imageDesign.id]: { request } }))
    expect(catalog.request(imageDesign, { prompt: 'a cat' })).toMatchObject(request)
  })
})

describe('billing: 5.28 per image', () => {
  const catalog = createCatalog([imageDesign], {})

  it('prices minimal answers', () => {
    const body = catalog.request(imageDesign, { prompt: 'a cat' }) ?? {}
    expect(catalog.price(imageDesign, body)).toMatchObject({
      amount: 528n,
      unit: 'image',
      quantity: 1,
      count: 1,
    })
  })

  it.each([
    ['the defaults (1 image)', {}, 528n, 1],
    ['2 images', { n: 2 }, 1056n, 2],
    ['6 images', { n: 6 }, 3168n, 6],
    ['a large size: the unit is the image', { size: '4096x4096' }, 528n, 1],
  ])('has the documented price for %s', (_, change, kopecks, count) => {
    expect(catalog.price(imageDesign, { ...base, ...change })?.amount).toBe(kopecks)
    expect(imageDesign.delivers({ ...base, ...change })).toEqual({ kind: 'image', count })
  })
})
