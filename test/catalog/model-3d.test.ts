// MODEL-3D-TEXT against gateway-api.md, row by row: accepted and refused bodies, billing, and the requests that answers make.

import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import { readStandIn } from '../../src/catalog/media.ts'
import { model3d } from '../../src/catalog/model-3d.ts'

const base = { model: 'MODEL-3D-TEXT', prompt: 'a bronze owl' }

describe('accepted bodies', () => {
  it.each<[string, object]>([
    ['only what is required', {}],
    ['a prompt of 1 character', { prompt: 'x' }],
    ['a prompt of 600 code points', { prompt: '🦉'.repeat(600) }],
    ...['preview', 'full'].map((mode): [string, object] => [mode, { mode }]),
    ...['standard', 'lowpoly', 'smart-topology'].map((type): [string, object] => [
      type,
      { model_type: type },
    ]),
    ...['triangle', 'quad'].map((topology): [string, object] => [topology, { topology }]),
    ['100 faces', { target_polycount: 100 }],
    ['300000 faces', { target_polycount: 300_000 }],
    ['300000 faces of lowpoly', { target_polycount: 300_000, model_type: 'lowpoly' }],
    ['15000 faces of smart-topology', { target_polycount: 15_000, model_type: 'smart-topology' }],
    ['no remeshing', { should_remesh: false }],
    ...['off', 'auto', 'on'].map((mode): [string, object] => [`symmetry ${mode}`, { symmetry_mode: mode }]),
    ['PBR', { enable_pbr: true }],
    ...['a-pose', 't-pose'].map((pose): [string, object] => [pose, { pose_mode: pose }]),
    ['a texture prompt of 600 characters', { texture_prompt: 'x'.repeat(600) }],
    ['a texture image', { texture_image: 'https://example.com/bronze.png' }],
    [
      'a texture image beside a texture prompt',
      { texture_image: 'https://example.com/b.png', texture_prompt: 'b' },
    ],
    ...['standard', '2k', '4k'].map((geometry): [string, object] => [
      geometry,
      { geometry_resolution: geometry },
    ]),
    ['4k with the standard type', { geometry_resolution: '4k', model_type: 'standard' }],
    ['standard geometry with lowpoly', { geometry_resolution: 'standard', model_type: 'lowpoly' }],
    ['rigging', { enable_rigging: true }],
    ['the least height', { enable_rigging: true, rigging_height_meters: 0.01 }],
    ['a usual height', { enable_rigging: true, rigging_height_meters: 1.85 }],
    ['animation with rigging', { enable_rigging: true, enable_animation: true }],
    ['no animation without rigging', { enable_rigging: false, enable_animation: false }],
    ['the first motion', { enable_rigging: true, enable_animation: true, animation_action_id: 0 }],
    ['the last motion', { enable_rigging: true, enable_animation: true, animation_action_id: 696 }],
    ['a seed', { seed: 42 }],
    ['a seed below zero', { seed: -1 }],
    ['a tower', { enable_rigging: true, rigging_height_meters: 5000 }],
  ])('accepts a body with %s', (_, change) => {
    expect(model3d.request.safeParse({ ...base, ...change }).error?.issues ?? []).toEqual([])
  })
})

describe('refused bodies', () => {
  it.each([
    ['no model', { model: undefined }, 'model'],
    ['no prompt', { prompt: undefined }, 'prompt'],
    ['an empty prompt', { prompt: '' }, 'prompt'],
    ['a prompt of 601 characters', { prompt: 'x'.repeat(601) }, 'prompt'],
    ['an unknown mode', { mode: 'draft' }, 'mode'],
    ['an unknown type', { model_type: 'low-poly' }, 'model_type'],
    ['an unknown topology', { topology: 'quads' }, 'topology'],
    ['99 faces', { target_polycount: 99 }, 'target_polycount'],
    ['300001 faces', { target_polycount: 300_001 }, 'target_polycount'],
    ['half a face', { target_polycount: 1000.5 }, 'target_polycount'],
    [
      '15001 of smart-topology',
      { target_polycount: 15_001, model_type: 'smart-topology' },
      'target_polycount',
    ],
    ['remeshing as text', { should_remesh: 'yes' }, 'should_remesh'],
    ['symmetry as a boolean', { symmetry_mode: true }, 'symmetry_mode'],
    ['PBR as a number', { enable_pbr: 1 }, 'enable_pbr'],
    ['an unknown pose', { pose_mode: 'none' }, 'pose_mode'],
    ['a texture prompt of 601 characters', { texture_prompt: 'x'.repeat(601) }, 'texture_prompt'],
    [
      'a texture image as a data URI',
      { texture_image: 'data:image/png;base64,iVBORw0KGgo=' },
      'texture_image',
    ],
    ['a texture image as an id', { texture_image: '6f1c2a52-3b8e-4d0a-9c57-0f4f7a1f9e21' }, 'texture_image'],
    ['an unknown resolution', { geometry_resolution: '8k' }, 'geometry_resolution'],
    ['2k of lowpoly', { geometry_resolution: '2k', model_type: 'lowpoly' }, 'geometry_resolution'],
    ['4k of lowpoly', { geometry_resolution: '4k', model_type: 'lowpoly' }, 'geometry_resolution'],
    [
      '2k of smart-topology',
      { geometry_resolution: '2k', model_type: 'smart-topology' },
      'geometry_resolution',
    ],
    [
      '4k of smart-topology',
      { geometry_resolution: '4k', model_type: 'smart-topology' },
      'geometry_resolution',
    ],
    ['rigging as text', { enable_rigging: 'on' }, 'enable_rigging'],
    ['a height below 0.01', { enable_rigging: true, rigging_height_meters: 0.009 }, 'rigging_height_meters'],
    ['animation without rigging', { enable_animation: true }, 'enable_animation'],
    ['animation, rigging off', { enable_animation: true, enable_rigging: false }, 'enable_animation'],
    ['motion -1', { animation_action_id: -1 }, 'animation_action_id'],
    ['motion 697', { animation_action_id: 697 }, 'animation_action_id'],
    ['half a motion', { animation_action_id: 1.5 }, 'animation_action_id'],
    ['a fractional seed', { seed: 1.5 }, 'seed'],
    ['a callback address, which it does not have', { webhookURL: 'https://bot.example.com/x' }, ''],
  ])('refuses a body with %s', (_, change, path) => {
    const parsed = model3d.request.safeParse({ ...base, ...change })
    expect(parsed.error?.issues.map((issue) => issue.path.join('.'))).toContain(path)
  })
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

  it('omit the motion while animation is off', () => {
    const written = write({ enable_rigging: true, animation_action_id: 5 })
    expect(written).toEqual({ ...usual, enable_rigging: true, enable_animation: false })
  })

  it('omit the geometry of a mesh type that has only one', () => {
    expect(write({ model_type: 'lowpoly', geometry_resolution: '4k' })).not.toHaveProperty(
      'geometry_resolution',
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

  it.each([
    ['preview', 'standard', false, false, 12800n],
    ['preview', 'standard', true, false, 16000n],
    ['preview', 'standard', true, true, 17900n],
    ['preview', '2k', false, false, 16000n],
    ['preview', '2k', true, false, 19200n],
    ['preview', '2k', true, true, 21100n],
    ['preview', '4k', false, false, 19200n],
    ['preview', '4k', true, false, 22300n],
    ['preview', '4k', true, true, 24300n],
    ['full', 'standard', false, false, 19200n],
    ['full', 'standard', true, false, 22300n],
    ['full', 'standard', true, true, 24300n],
    ['full', '2k', false, false, 22300n],
    ['full', '2k', true, false, 25500n],
    ['full', '2k', true, true, 27500n],
    ['full', '4k', false, false, 25500n],
    ['full', '4k', true, false, 28700n],
    ['full', '4k', true, true, 30600n],
  ])(
    'has the documented price for %s %s, rigging %s, animation %s',
    (mode, geometry_resolution, rigging, animation, kopecks) => {
      const paid = { mode, geometry_resolution, enable_rigging: rigging, enable_animation: animation }
      const fromAnswers = catalog.request(model3d, { prompt: 'an owl', ...paid }) ?? {}
      expect(catalog.price(model3d, { ...base, ...paid })?.amount).toBe(kopecks)
      expect(catalog.price(model3d, fromAnswers)?.amount).toBe(kopecks)
    },
  )

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

  it('has exactly the rates of the table', () => {
    expect(Object.keys(model3d.rates)).toHaveLength(18)
  })

  it('ignores an animation that is on while rigging is off', () => {
    const body = catalog.request(model3d, { prompt: 'an owl', enable_animation: true }) ?? {}
    expect(catalog.price(model3d, body)?.amount).toBe(19200n)
  })
})
