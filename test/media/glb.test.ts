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
  }, 60_000)

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

/** The file with its JSON replaced. */
async function changed(document: Document, change: (json: object) => object): Promise<Buffer> {
  const bytes = await glbOf(document)
  const length = bytes.readUInt32LE(12)
  const json: unknown = JSON.parse(bytes.toString('utf8', 20, 20 + length))
  assert(typeof json === 'object' && json)
  const text = Buffer.from(JSON.stringify(change(json)))
  const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')])
  const head = Buffer.from(bytes.subarray(0, 20))
  head.writeUInt32LE(padded.length, 12)
  const result = Buffer.concat([head, padded, bytes.subarray(20 + length)])
  result.writeUInt32LE(result.length, 8)
  return result
}

describe('no preview is made', () => {
  it.each([
    ['text', Buffer.from('glTF is a format for 3D models')],
    ['a part of a file', Buffer.concat([Buffer.from('glTF\x02\0\0\0\xff\0\0\0'), Buffer.alloc(20)])],
  ])('of %s', async (_, bytes) => {
    expect(isGlb(bytes)).toBe(false)
    expect(await previewGlb(bytes, patientMs)).toBeUndefined()
  })

  it('of a file with compressed geometry', async () => {
    const bytes = await changed(model(cube()).document, (json) => ({
      ...json,
      extensionsRequired: ['KHR_draco_mesh_compression'],
      extensionsUsed: ['KHR_draco_mesh_compression'],
    }))
    expect(isGlb(bytes)).toBe(true)
    await expect(drawGlb(bytes, size)).rejects.toThrow('KHR_draco_mesh_compression')
    expect(await previewGlb(bytes, patientMs)).toBeUndefined()
  })

  it.each([
    ['no triangles', { ...square, points: square.points.map(() => Number.NaN) }],
    ['indices out of range', { ...square, corners: [0, 1, 9] }],
  ])('of %s', async (_, shape) => {
    expect(await drawGlb(await glbOf(model(shape).document), size)).toBeUndefined()
  })

  it('after the timeout', async () => {
    expect(await previewGlb(await glbOf(model(cube()).document), 1)).toBeUndefined()
  })
})
