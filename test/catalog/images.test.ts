// The requests that answers to the models of pictures and of 3D models make, and the texts that their fields take.

import { expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import type { Answers } from '../../src/catalog/field.ts'
import { imageDesign } from '../../src/catalog/image-design.ts'
import { imagePhoto } from '../../src/catalog/image-photo.ts'
import { readStandIn } from '../../src/catalog/media.ts'
import type { Model } from '../../src/catalog/model.ts'
import { model3d } from '../../src/catalog/model-3d.ts'
import { catalogSettings } from '../support/catalog-settings.ts'
import { fieldOf } from '../support/gateway/samples.ts'

const prompt = { prompt: 'a cat' }
const design = { model: imageDesign.id, ...prompt, n: 1, size: '1:1', async: true }
// One tier does not accept an image size, so 1K, which is usual, is not sent.
const photo = {
  model: imagePhoto.id,
  ...prompt,
  ...{ numberOfImages: 1, aspectRatio: '1:1', personGeneration: 'allow_adult', async: true },
}
const large = { imageSize: '2K', aspectRatio: '9:16', personGeneration: 'allow_all' }
const owl = {
  model: model3d.id,
  ...prompt,
  ...{ mode: 'full', model_type: 'standard', topology: 'triangle', target_polycount: 30_000 },
  ...{ should_remesh: true, symmetry_mode: 'auto', enable_pbr: false, geometry_resolution: 'standard' },
  enable_rigging: false,
}
const still = { rigging_height_meters: 1.7, enable_animation: true, animation_action_id: 5 }
const moving = { ...still, enable_rigging: true, pose_mode: 't-pose', texture_prompt: 'bronze', seed: 7 }
const style = { style: 'icon', other_style: 'pixel_art' }
const mesh = { model_type: 'smart-topology' }
const { geometry_resolution: _, ...coarse } = { ...owl, ...mesh, target_polycount: 15_000 }

it.each<[string, Model, Answers, object]>([
  ['the defaults of a picture, and no style', imageDesign, {}, design],
  ['a typed style, which overrides the chosen one', imageDesign, style, { ...design, style: 'pixel_art' }],
  ['the defaults of a photo, but one picture', imagePhoto, {}, photo],
  ['the usual size of a photo', imagePhoto, { imageSize: '1K' }, photo],
  ['chosen values of a photo', imagePhoto, large, { ...photo, ...large }],
  ['the defaults of a 3D model, and no pose', model3d, {}, owl],
  ['a 3D model with all options', model3d, moving, { ...owl, ...moving }],
  ['no height and no animation while rigging is off', model3d, still, owl],
  ['the maximum of faces of a smart mesh', model3d, mesh, coarse],
])('a request has %s', (_, model, answers, body) => {
  expect(createCatalog([model], {}).request(model, { ...prompt, ...answers })).toEqual(body)
})

it('a picture as the texture of a 3D model is sent as a link', () => {
  const image = { file: 'photo-1', medium: 'image', mime: 'image/jpeg' } as const
  const { texture_image } = model3d.write({ ...prompt, texture_image: [image] })
  expect(readStandIn(String(texture_image))).toEqual({ file: 'photo-1', mime: 'image/jpeg', via: 'link' })
})

it('the limit of faces depends on the kind of the mesh', () => {
  const faces = fieldOf(model3d, 'target_polycount', 'number')
  const limits = ['smart-topology', 'lowpoly'].map((type) => model3d.limit(faces, { model_type: type }))
  expect(limits).toEqual([15_000, undefined])
})

it("a request carries the operator's controls and response format", () => {
  const request = { controls: { no_text: true }, response_format: 'b64_json' }
  const catalog = createCatalog([imageDesign], catalogSettings.parse({ [imageDesign.id]: { request } }))
  expect(catalog.request(imageDesign, prompt)).toMatchObject(request)
})

it.each([
  ['request', 'operator'],
  ['defaults', 'card'],
] as const)('1K in "%s" sends no image size either', (key, audience) => {
  const settings = catalogSettings.parse({ [imagePhoto.id]: { [key]: { imageSize: '1K' } } })
  const catalog = createCatalog([imagePhoto], settings)
  const model = catalog.find(imagePhoto.id)
  expect(model?.fields.find(({ name }) => name === 'imageSize')).toMatchObject({ audience })
  expect(model && catalog.request(model, prompt)).not.toHaveProperty('imageSize')
})

/** The part of the texts that a field takes. */
function taken(model: Model, name: string, texts: readonly string[]) {
  return texts.filter(fieldOf(model, name, 'text').fits)
}

it('an exact size is written in one spelling, and overrides the ratio; what is no size is refused', () => {
  const sizes = ['1024x768', '1024 × 768', '1024*768', '1024X768', '1024х768', '21:9', '21 : 9']
  expect(taken(imageDesign, 'exact_size', sizes)).toEqual(sizes)
  const written = sizes.map((typed) => imageDesign.write({ exact_size: typed, size: '16:9' }).size)
  expect(written).toEqual([...Array(5).fill('1024x768'), '21:9', '21:9'])
  const wrong = ['1024', '1024x', 'x768', '1024x768x3', '1024 768', 'HD', '0x10', '16:0', '10000x10', '-1x5']
  expect(taken(imageDesign, 'exact_size', wrong)).toEqual([])
  const bodies = ['0x768', '16:0', '10000x10', '4096x2160'].map((size) => ({ ...design, size }))
  expect(bodies.map((body) => imageDesign.request.safeParse(body).success)).toEqual([
    false,
    false,
    false,
    true,
  ])
})

it('the prompt of a photo is taken only when it is English, within an estimate of its tokens', () => {
  const english = [
    ...['lighthouse', 'a café in Besançon, naïve style', 'cafe\u0301', 'a 🐈‍⬛ on a sofa ☕️ 🇫🇷'],
    ...['35mm, f/1.8, 5 °C, 100 %, ½, 10 µm — “golden hour”', 'cat '.repeat(480)],
  ]
  const foreign = ['маяк на рассвете', 'a sign that says Хлеб', 'a саt', '灯塔', 'منارة', 'შუქურა']
  const long = ['cat '.repeat(481), `${'x'.repeat(9)} `.repeat(212), 'x'.repeat(4097)]
  const all = [...english, ...foreign, ...long]
  expect(taken(imagePhoto, 'prompt', all)).toEqual(english)
  const isSent = (text: string) => imagePhoto.request.safeParse({ ...photo, prompt: text }).success
  expect(all.filter(isSent)).toEqual(english)
  const misfit = { reason: 'too-many-tokens', tokens: 481, max: 480, characters: 2112 }
  expect(fieldOf(imagePhoto, 'prompt', 'text').misfit?.('cat '.repeat(481))).toEqual(misfit)
})
