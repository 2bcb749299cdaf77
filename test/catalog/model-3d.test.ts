// MODEL-3D-TEXT against gateway-api.md, row by row: accepted and refused bodies, billing, and the requests that answers make.

import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import { readStandIn } from '../../src/catalog/media.ts'
import { model3d } from '../../src/catalog/model-3d.ts'
import { wronglyAccepted, wronglyRefused } from '../support/gateway/bodies.ts'

const base = { model: 'MODEL-3D-TEXT', prompt: 'a bronze owl' }

const accepted = {
  prompt: ['x', '🦉'.repeat(600)],
  mode: ['preview', 'full'],
  model_type: ['standard', 'lowpoly', 'smart-topology'],
  topology: ['triangle', 'quad'],
  target_polycount: [100, 300_000],
  should_remesh: [false],
  symmetry_mode: ['off', 'auto', 'on'],
  enable_pbr: [true],
  pose_mode: ['a-pose', 't-pose'],
  texture_prompt: ['x'.repeat(600)],
  texture_image: ['https://example.com/bronze.png'],
  geometry_resolution: ['standard', '2k', '4k'],
  enable_rigging: [true],
  seed: [42, -1],
}
const rigging = { enable_rigging: true }
const moving = { ...rigging, enable_animation: true }
const acceptedTogether = [
  { target_polycount: 300_000, model_type: 'lowpoly' },
  { target_polycount: 15_000, model_type: 'smart-topology' },
  { texture_image: 'https://example.com/b.png', texture_prompt: 'b' },
  { geometry_resolution: '4k', model_type: 'standard' },
  { geometry_resolution: 'standard', model_type: 'lowpoly' },
  ...[0.01, 1.85, 5000].map((rigging_height_meters) => ({ ...rigging, rigging_height_meters })),
  { enable_rigging: false, enable_animation: false },
  ...[undefined, 0, 696].map((animation_action_id) => ({ ...moving, animation_action_id })),
]
const refused = {
  model: [undefined],
  prompt: [undefined, '', 'x'.repeat(601)],
  mode: ['draft'],
  model_type: ['low-poly'],
  topology: ['quads'],
  target_polycount: [99, 300_001, 1000.5],
  should_remesh: ['yes'],
  symmetry_mode: [true],
  enable_pbr: [1],
  pose_mode: ['none'],
  texture_prompt: ['x'.repeat(601)],
  texture_image: ['data:image/png;base64,iVBORw0KGgo=', '6f1c2a52-3b8e-4d0a-9c57-0f4f7a1f9e21'],
  geometry_resolution: ['8k'],
  enable_rigging: ['on'],
  enable_animation: [true],
  animation_action_id: [-1, 697, 1.5],
  seed: [1.5],
}

it('the documented bodies are accepted, and others are refused', () => {
  expect(wronglyRefused(model3d, base, accepted, acceptedTogether)).toEqual([])
  const fine = ['2k', '4k'].flatMap((geometry_resolution) =>
    ['lowpoly', 'smart-topology'].map(
      (model_type) => [{ geometry_resolution, model_type }, 'geometry_resolution'] as const,
    ),
  )
  const others = [
    ...fine,
    [{ target_polycount: 15_001, model_type: 'smart-topology' }, 'target_polycount'],
    [{ ...rigging, rigging_height_meters: 0.009 }, 'rigging_height_meters'],
    [{ enable_animation: true, enable_rigging: false }, 'enable_animation'],
    [{ webhookURL: 'https://bot.example.com/x' }, ''],
  ] as const
  expect(wronglyAccepted(model3d, base, refused, others)).toEqual([])
})

const usual = {
  prompt: 'an owl',
  mode: 'full',
  model_type: 'standard',
  topology: 'triangle',
  target_polycount: 30_000,
  should_remesh: true,
  symmetry_mode: 'auto',
  enable_pbr: false,
  geometry_resolution: 'standard',
  enable_rigging: false,
}

describe('the answers on a card', () => {
  const write = (answers: Parameters<typeof model3d.write>[0]) =>
    model3d.write({ prompt: 'an owl', ...answers })

  it('write the documented defaults, no pose, and no fields of disabled options', () => {
    expect(write({})).toEqual(usual)
  })

  it('write every documented field', () => {
    const image = { file: 'photo-1', medium: 'image', mime: 'image/jpeg' } as const
    const all = {
      enable_rigging: true,
      rigging_height_meters: 1.7,
      enable_animation: true,
      animation_action_id: 5,
      pose_mode: 't-pose',
      texture_prompt: 'bronze',
      seed: 7,
    }
    const { texture_image, ...rest } = write({ ...all, texture_image: [image] })
    expect(rest).toEqual({ ...usual, ...all })
    expect(readStandIn(String(texture_image))).toEqual({ file: 'photo-1', mime: 'image/jpeg', via: 'link' })
    expect(Object.keys(rest).length + 2, 'with the image and the model').toBe(18)
  })

  it('omit the height and the animation while rigging is off', () => {
    expect(write({ rigging_height_meters: 1.7, enable_animation: true, animation_action_id: 5 })).toEqual(
      usual,
    )
  })

  it('lower the faces of the smart mesh to its maximum', () => {
    expect(write({ model_type: 'smart-topology' })).toMatchObject({ target_polycount: 15_000 })
    const faces = model3d.fields.find(({ name }) => name === 'target_polycount')
    expect(faces && model3d.limit(faces, { model_type: 'smart-topology' })).toBe(15_000)
    expect(faces && model3d.limit(faces, { model_type: 'lowpoly' })).toBeUndefined()
  })
})

describe('billing: by mode, geometry, rigging and animation', () => {
  const catalog = createCatalog([model3d], {})

  /** Roubles for the model alone, with rigging, and with rigging and animation. */
  const prices = `preview standard 128 160 179
    preview 2k 160 192 211
    preview 4k 192 223 243
    full standard 192 223 243
    full 2k 223 255 275
    full 4k 255 287 306`

  it('has the documented price for every mode, geometry, rigging and animation', () => {
    for (const row of prices.split('\n')) {
      const [mode = '', geometry_resolution = '', ...roubles] = row.trim().split(' ')
      for (const [extras, price] of roubles.entries()) {
        const more = { enable_rigging: extras > 0, enable_animation: extras > 1 }
        const paid = { mode, geometry_resolution, ...more }
        const fromAnswers = catalog.request(model3d, { prompt: 'an owl', ...paid }) ?? {}
        for (const body of [{ ...base, ...paid }, fromAnswers])
          expect([row, extras, catalog.price(model3d, body)?.amount]).toEqual([
            row,
            extras,
            BigInt(price) * 100n,
          ])
      }
    }
  })

  it('prices minimal answers as full and standard', () => {
    const body = catalog.request(model3d, { prompt: 'an owl' }) ?? {}
    expect(catalog.price(model3d, body)).toMatchObject({
      amount: 19200n,
      unit: 'request',
      quantity: 1,
      count: 1,
    })
    expect(catalog.price(model3d, base)?.amount).toBe(19200n)
    expect(model3d.delivers(body)).toEqual({ kind: 'model3d', count: 1 })
  })

  it('ignores an animation that is on while rigging is off', () => {
    const body = catalog.request(model3d, { prompt: 'an owl', enable_animation: true }) ?? {}
    expect(catalog.price(model3d, body)?.amount).toBe(19200n)
  })
})
