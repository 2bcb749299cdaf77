// Previews of 3D models: position and colour of what is drawn, and files that are refused.

import assert from 'node:assert/strict'
import type { Document } from '@gltf-transform/core'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { isGlb, previewGlb } from '../../src/media/convert.ts'
import { drawGlb } from '../../src/media/glb/picture.ts'
import { probeImage } from '../../src/media/pictures.ts'
import {
  addShape,
  colored,
  cube,
  glbOf,
  glbOfJson,
  newModel,
  pixelOf,
  type Rgb,
  type Shape,
} from '../support/media/media-files.ts'

const size = 128
/** Long enough for a busy machine. */
const patientMs = 60_000

async function draw(document: Document): Promise<Buffer> {
  const pixels = await drawGlb(await glbOf(document), size)
  assert(pixels)
  return sharp(pixels, { raw: { width: size, height: size, channels: 3 } })
    .png()
    .toBuffer()
}

/** The dominant channel, if there is one: the background is grey. */
function hue([red, green, blue]: Rgb): 'red' | 'green' | 'blue' | 'grey' {
  const strongest = Math.max(red, green, blue)
  if (strongest - Math.min(red, green, blue) < 40) return 'grey'
  return strongest === red ? 'red' : strongest === green ? 'green' : 'blue'
}

const hueAt = async (image: Buffer, x: number, y: number) => hue(await pixelOf(image, x * size, y * size))

const dull = (document: Document, color: Rgb = [1, 1, 1], alpha = 1) =>
  document
    .createMaterial()
    .setBaseColorFactor([...color, alpha])
    .setMetallicFactor(0)

const red: Rgb = [0.8, 0.02, 0.02]
const blue: Rgb = [0.02, 0.02, 0.8]

/** Upright unit square that faces the camera. */
const square: Shape & { readonly corners: readonly number[] } = {
  points: [-0.5, -0.5, 0, 0.5, -0.5, 0, 0.5, 0.5, 0, -0.5, 0.5, 0],
  coordinates: [0, 1, 1, 1, 1, 0, 0, 0],
  corners: [0, 1, 2, 0, 2, 3],
}

function model(shape: Shape, color: Rgb = red) {
  const document = newModel()
  return { document, ...addShape(document, shape, dull(document, color)) }
}

describe('a preview', () => {
  it('is a JPEG of 1024 pixels with the model in the middle', async () => {
    const preview = await previewGlb(await glbOf(model(cube()).document), patientMs)
    assert(preview)
    expect(await probeImage(preview)).toEqual({ width: 1024, height: 1024, format: 'jpeg' })
    expect(hue(await pixelOf(preview, 512, 512))).toBe('red')
    expect(hue(await pixelOf(preview, 20, 20))).toBe('grey')
    expect(Math.min(...(await pixelOf(preview, 20, 20)))).toBeGreaterThan(150)
  })

  it('has textures in the right orientation', async () => {
    const document = newModel()
    const left = await colored(4, 8, [220, 10, 10]).png().toBuffer()
    const image = await colored(8, 8, [10, 10, 220])
      .composite([{ input: left, left: 0, top: 0 }])
      .png()
      .toBuffer()
    const texture = document.createTexture().setImage(image).setMimeType('image/png')
    addShape(document, square, dull(document).setBaseColorTexture(texture))
    const drawn = await draw(document)
    expect([await hueAt(drawn, 0.3, 0.5), await hueAt(drawn, 0.7, 0.5)]).toEqual(['red', 'blue'])
  })

  it('transforms a node with its parents', async () => {
    const { document, node } = model(square)
    const parent = document.createNode().setTranslation([1.5, 0, 0])
    document.getRoot().getDefaultScene()?.removeChild(node).addChild(parent)
    parent.addChild(node)
    addShape(document, square, dull(document, blue)).node.setTranslation([-1.5, 0, 0])
    const image = await draw(document)
    expect([await hueAt(image, 0.2, 0.5), await hueAt(image, 0.78, 0.5)]).toEqual(['blue', 'red'])
  })
})

it('no preview is made of what is no whole GLB, and none of one without a triangle or with wrong indices', async () => {
  for (const bytes of [
    Buffer.from('glTF is a format for 3D models'),
    Buffer.concat([Buffer.from('glTF\x02\0\0\0\xff\0\0\0'), Buffer.alloc(20)]),
  ])
    expect([isGlb(bytes), await previewGlb(bytes, patientMs)]).toEqual([false, undefined])
  for (const shape of [
    { ...square, points: square.points.map(() => Number.NaN) },
    { ...square, corners: [0, 1, 9] },
  ])
    expect(await drawGlb(await glbOf(model(shape).document), size)).toBeUndefined()
})

it('no preview is made of a file with compressed geometry, nor after the timeout', async () => {
  const extensions = ['KHR_draco_mesh_compression']
  const bytes = glbOfJson({ extensionsRequired: extensions, extensionsUsed: extensions })
  expect(isGlb(bytes)).toBe(true)
  await expect(drawGlb(bytes, size)).rejects.toThrow('KHR_draco_mesh_compression')
  expect(await previewGlb(bytes, patientMs)).toBeUndefined()
  expect(await previewGlb(await glbOf(model(cube()).document), 1)).toBeUndefined()
})
