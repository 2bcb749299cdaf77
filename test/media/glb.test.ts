// Previews of 3D models: position and colour of what is drawn, and files that are refused.

import assert from 'node:assert/strict'
import { type Document, Primitive } from '@gltf-transform/core'
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
const middle = (image: Buffer) => hueAt(image, 0.5, 0.5)

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

  it('is deterministic', async () => {
    const { document } = model(cube())
    expect((await draw(document)).equals(await draw(document))).toBe(true)
  })

  it.each([1e-4, 1, 1e4])('fills the image at any scale (%d)', async (scale) => {
    const { document, node } = model(cube())
    node.setScale([scale, scale, scale]).setTranslation([5 * scale, 3 * scale, -7 * scale])
    const image = await draw(document)
    expect(await middle(image)).toBe('red')
    const { data } = await sharp(image).raw().toBuffer({ resolveWithObject: true })
    const filled = Array.from({ length: size * size }, (_, at) =>
      hue([data[at * 3] ?? 0, data[at * 3 + 1] ?? 0, data[at * 3 + 2] ?? 0]),
    ).filter((one) => one === 'red')
    expect(filled.length / size / size).toBeGreaterThan(0.3)
    expect(filled.length / size / size).toBeLessThan(0.6)
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

  it.each(['EXT_texture_webp', 'EXT_texture_avif'])(
    'shows a texture that is referenced by %s only',
    async (name) => {
      const { document } = model(square)
      const type = name === 'EXT_texture_webp' ? 'webp' : 'avif'
      const image = await colored(16, 16, [10, 10, 220]).toFormat(type).toBuffer()
      const texture = document.createTexture().setImage(image).setMimeType(`image/${type}`)
      document.getRoot().listMaterials()[0]?.setBaseColorFactor([1, 1, 1, 1]).setBaseColorTexture(texture)
      const bytes = await changed(document, (json) => ({
        ...json,
        extensionsRequired: [name],
        extensionsUsed: [name],
        textures: [{ extensions: { [name]: { source: 0 } } }],
      }))
      const pixels = await drawGlb(bytes, size)
      const at = (size * size + size) * 1.5
      expect(hue([pixels?.[at] ?? 0, pixels?.[at + 1] ?? 0, pixels?.[at + 2] ?? 0])).toBe('blue')
    },
  )

  describe('shifts, scales and rotates a texture as KHR_texture_transform says', () => {
    /** Red, blue; green, white. */
    const quarters = async () => {
      const part = async (color: Rgb, left: number, top: number) => ({
        input: await colored(8, 8, color).png().toBuffer(),
        left,
        top,
      })
      return colored(16, 16, [220, 10, 10])
        .composite([
          await part([10, 10, 220], 8, 0),
          await part([10, 220, 10], 0, 8),
          await part([240, 240, 240], 8, 8),
        ])
        .png()
        .toBuffer()
    }
    const half = { offset: [0.5, 0], scale: [0.5, 0.5] }

    it.each([
      ['nothing', {}, ['red', 'blue', 'green', 'grey']],
      ['a part', half, ['blue', 'blue', 'blue', 'blue']],
      // The coordinates turn counter-clockwise, so the texture turns clockwise.
      ['a turn', { rotation: Math.PI / 2, offset: [0, 1] }, ['green', 'red', 'grey', 'blue']],
      ['another set of coordinates', { ...half, texCoord: 1 }, ['blue', 'blue', 'blue', 'blue']],
    ])('%s', async (_, transform, expected) => {
      const document = newModel()
      const texture = document
        .createTexture()
        .setImage(await quarters())
        .setMimeType('image/png')
      const { primitive } = addShape(document, square, dull(document).setBaseColorTexture(texture))
      primitive.setAttribute('TEXCOORD_1', primitive.getAttribute('TEXCOORD_0'))
      const name = 'KHR_texture_transform'
      const bytes = await changed(document, (json) => ({
        ...json,
        extensionsUsed: [name],
        materials: [
          {
            pbrMetallicRoughness: {
              baseColorTexture: { index: 0, extensions: { [name]: transform } },
              metallicFactor: 0,
            },
          },
        ],
      }))
      const pixels = await drawGlb(bytes, size)
      const hueOf = (x: number, y: number) => {
        const at = (Math.round(y * size) * size + Math.round(x * size)) * 3
        return hue([pixels?.[at] ?? 0, pixels?.[at + 1] ?? 0, pixels?.[at + 2] ?? 0])
      }
      const corners = [hueOf(0.4, 0.4), hueOf(0.6, 0.4), hueOf(0.4, 0.6), hueOf(0.6, 0.6)]
      expect(corners).toEqual(expected)
    })
  })

  it('shows vertex colours', async () => {
    const document = newModel()
    const colors = [0, 1, 2, 3].flatMap(() => [0.02, 0.8, 0.02, 1])
    addShape(document, { ...square, colors }, dull(document))
    expect(await middle(await draw(document))).toBe('green')
  })

  it('shows what is in front, in any order of triangles', async () => {
    for (const [first, second] of [
      [0.3, -0.3],
      [-0.3, 0.3],
    ] as const) {
      const document = newModel()
      addShape(document, square, dull(document, red)).node.setTranslation([0, 0, first])
      addShape(document, square, dull(document, blue)).node.setTranslation([0, 0, second])
      expect(await middle(await draw(document))).toBe(first > second ? 'red' : 'blue')
    }
  })

  it('shows back faces too', async () => {
    const { document } = model({ ...square, corners: square.corners.toReversed() })
    expect(await middle(await draw(document))).toBe('red')
  })

  it.each([
    ['strip', Primitive.Mode.TRIANGLE_STRIP, [3, 0, 2, 1]],
    ['fan', Primitive.Mode.TRIANGLE_FAN, [0, 1, 2, 3]],
  ])('shows a %s of triangles', async (_, mode, corners) => {
    const { document, primitive } = model({ ...square, corners })
    assert(mode !== undefined)
    primitive.setMode(mode)
    const image = await draw(document)
    for (const x of [0.4, 0.6]) for (const y of [0.4, 0.6]) expect(await hueAt(image, x, y)).toBe('red')
  })

  it('shows a mesh without indices or material', async () => {
    const document = newModel()
    const points = square.corners.flatMap((corner) => square.points.slice(corner * 3, corner * 3 + 3))
    addShape(document, { points })
    const seen = await pixelOf(await draw(document), size / 2, size / 2)
    const beside = await pixelOf(await draw(document), 4, 4)
    expect(seen).not.toEqual(beside)
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

  it('places a mesh with a skin by its first bone, not by its node', async () => {
    const { document, node, primitive, accessor } = model(square)
    const bone = document.createNode().setTranslation([1.5, 0, 0])
    document.getRoot().getDefaultScene()?.addChild(bone)
    const four = (values: number[]) => new Float32Array([0, 1, 2, 3].flatMap(() => values))
    primitive.setAttribute('JOINTS_0', accessor('VEC4', new Uint16Array(four([0, 0, 0, 0]))))
    primitive.setAttribute('WEIGHTS_0', accessor('VEC4', four([1, 0, 0, 0])))
    node.setSkin(document.createSkin().addJoint(bone)).setTranslation([-9, 9, 9])
    addShape(document, square, dull(document, blue)).node.setTranslation([-1.5, 0, 0])
    const image = await draw(document)
    expect([await hueAt(image, 0.2, 0.5), await hueAt(image, 0.78, 0.5)]).toEqual(['blue', 'red'])
  })

  it('blends transparent surfaces and cuts out alpha masks', async () => {
    const seen = async (alpha: number, mode: 'BLEND' | 'MASK') => {
      const document = newModel()
      addShape(document, square, dull(document, blue)).node.setTranslation([0, 0, -0.3])
      const pane = dull(document, red, alpha).setAlphaMode(mode)
      addShape(document, square, pane).node.setTranslation([0, 0, 0.3])
      const image = await draw(document)
      const [r = 0, , b = 0] = await sharp(image)
        .extract({ left: size / 2 - 8, top: size / 2 - 8, width: 16, height: 16 })
        .resize(1, 1)
        .raw()
        .toBuffer()
      return [r > 60, b > 60]
    }
    expect(await seen(0.5, 'BLEND')).toEqual([true, true])
    expect(await seen(0.4, 'MASK')).toEqual([false, true])
    expect(await seen(0.6, 'MASK')).toEqual([true, false])
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
    ['an empty file', Buffer.alloc(0)],
    ['text', Buffer.from('glTF is a format for 3D models')],
    ['glTF 1', Buffer.concat([Buffer.from('glTF\x01\0\0\0\x20\0\0\0'), Buffer.alloc(20)])],
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

  it('of a file with too many numbers', async () => {
    const bytes = await changed(model(cube()).document, (json) => ({
      ...json,
      accessors: [{ type: 'VEC3', componentType: 5126, count: 2 ** 31 }],
    }))
    await expect(drawGlb(bytes, size)).rejects.toThrow('too many numbers')
  })

  it('of more than two million triangles', async () => {
    const { document } = model({ ...square, corners: [] })
    const [mesh] = document.getRoot().listMeshes()
    const corners = new Uint32Array(3 * 2_000_001)
    const [buffer = null] = document.getRoot().listBuffers()
    const indices = document.createAccessor().setType('SCALAR').setArray(corners).setBuffer(buffer)
    mesh?.listPrimitives()[0]?.setIndices(indices)
    await expect(drawGlb(await glbOf(document), size)).rejects.toThrow('too many triangles')
  })

  it('of a large mesh with many instances', async () => {
    const { document, node } = model({ ...square, points: Array(300_000).fill(0) })
    const mesh = node.getMesh()
    const scene = document.getRoot().getDefaultScene()
    for (let copy = 0; copy < 60; copy += 1) scene?.addChild(document.createNode().setMesh(mesh))
    await expect(drawGlb(await glbOf(document), size)).rejects.toThrow('too many points')
  })

  it.each([
    ['no triangles', { ...square, points: square.points.map(() => Number.NaN) }],
    ['one point', { ...square, points: square.points.map(() => 1) }],
    ['indices out of range', { ...square, corners: [0, 1, 9] }],
  ])('of %s', async (_, shape) => {
    expect(await drawGlb(await glbOf(model(shape).document), size)).toBeUndefined()
  })

  it('of an empty scene', async () => {
    expect(await drawGlb(await glbOf(newModel()), size)).toBeUndefined()
  })

  it('after the timeout', async () => {
    expect(await previewGlb(await glbOf(model(cube()).document), 1)).toBeUndefined()
  })
})
