// MODEL-IMAGE-DESIGN against gateway-api.md, row by row: accepted and refused bodies, billing, and the requests that answers make.

import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import { imageDesign } from '../../src/catalog/image-design.ts'
import { catalogSettings } from '../support/catalog-settings.ts'
import { wronglyAccepted, wronglyRefused } from '../support/gateway/bodies.ts'

const base = { model: 'MODEL-IMAGE-DESIGN', prompt: 'a poster of a jazz night' }
const styleId = '6f1c2a52-3b8e-4d0a-9c57-0f4f7a1f9e21'

const accepted = {
  prompt: ['🎷'.repeat(4096), 'афиша джазового вечера'],
  n: [1, 2, 3, 4, 5, 6],
  size: ['1024x768', '4096x2160', '1:1', '16:9', '21:9'],
  style: ['any', 'realistic_image', 'digital_illustration', 'vector_illustration', 'icon', 'pixel_art'],
  style_id: [styleId],
  response_format: ['url', 'b64_json'],
  controls: [{ colors: [{ rgb: [0, 255, 0] }], no_text: true }, {}],
  async: [true, false],
}
const refused = {
  model: [undefined],
  prompt: [undefined, '', 'x'.repeat(20_001)],
  n: [0, 7, 1.5, '2'],
  size: ['1024', '10x10x10', '1024X768', '1024 x 768', '0x768', '16:0', '10000x10', 'large', { width: 10 }],
  style: [''],
  style_id: ['my-style'],
  response_format: ['png'],
  controls: ['bright', []],
  async: ['yes'],
}

it('the documented bodies are accepted, and others are refused', () => {
  expect(wronglyRefused(imageDesign, base, accepted, [{ style: 'icon', style_id: styleId }])).toEqual([])
  expect(wronglyAccepted(imageDesign, base, refused, [[{ aspectRatio: '1:1' }, '']])).toEqual([])
})

describe('the answers on a card', () => {
  const write = (answers: Parameters<typeof imageDesign.write>[0]) =>
    imageDesign.write({ prompt: 'a cat', ...answers })

  it('write the documented defaults, and no style', () => {
    expect(write({})).toEqual({ prompt: 'a cat', n: 1, size: '1:1' })
  })

  it('write an exact size in one spelling, which overrides the ratio, and refuse what is no size', () => {
    const sizes = ['1024x768', '1024 × 768', '1024*768', '1024X768', '1024х768', '21:9', '21 : 9']
    expect(sizes.filter((typed) => !fits('exact_size', typed))).toEqual([])
    const written = sizes.map((typed) => write({ exact_size: typed, size: '16:9' }).size)
    expect(written).toEqual([...Array(5).fill('1024x768'), '21:9', '21:9'])
    const wrong = ['1024', '1024x', 'x768', '1024x768x3', '1024 768', 'HD', '0x10', '10000x10', '-1x5']
    expect(wrong.filter((typed) => fits('exact_size', typed))).toEqual([])
  })

  it('write a typed style, which overrides the chosen one', () => {
    expect(write({ style: 'icon', other_style: 'pixel_art' })).toMatchObject({ style: 'pixel_art' })
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

it('billing: 5.28 per image, whatever its size', () => {
  const catalog = createCatalog([imageDesign], {})
  const rows = [
    [{}, 528n, 1],
    [{ n: 2 }, 1056n, 2],
    [{ n: 6 }, 3168n, 6],
    [{ size: '4096x4096' }, 528n, 1],
  ] as const
  for (const [change, kopecks, count] of rows) {
    expect([change, catalog.price(imageDesign, { ...base, ...change })?.amount]).toEqual([change, kopecks])
    expect(imageDesign.delivers({ ...base, ...change })).toEqual({ kind: 'image', count })
  }
})
