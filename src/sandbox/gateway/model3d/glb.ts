// 3D models as binary glTF 2.0.

import {
  type Buffer as Bytes,
  ColorUtils,
  Document,
  type Material,
  NodeIO,
  type Texture,
  type TypedArray,
  type vec4,
} from '@gltf-transform/core'
import type { Model3dSpec } from '../artifact-spec.ts'
import { animate, rig, weigh } from './rig.ts'
import { shapeOf } from './shapes.ts'
import type { Look, Piece } from './surface.ts'
import { texturePng } from './texture.ts'

/** More triangles make no visible difference, but files of many megabytes. */
const mostTriangles = 60_000

export async function makeModel3d(spec: Model3dSpec): Promise<Buffer> {
  const document = new Document()
  const bytes = document.createBuffer()
  const scene = document.createScene()
  const mesh = document.createMesh('body')
  const body = document.createNode('body').setMesh(mesh)
  scene.addChild(body)
  document.getRoot().setDefaultScene(scene)
  const texture = spec.textured ? await textureOf(document, spec.variant) : null
  for (const piece of shapeOf(spec.variant)(Math.min(spec.triangles, mostTriangles))) {
    const material = materialOf(document, piece.look, texture)
    mesh.addPrimitive(primitiveOf(document, bytes, piece, material, spec.rigged))
  }
  const spine = spec.rigged ? rig(document, bytes, scene, body) : []
  if (spec.animated) animate(document, bytes, spine, body)
  return Buffer.from(await new NodeIO().writeBinary(document))
}

async function textureOf(document: Document, variant: number): Promise<Texture> {
  return document
    .createTexture('print')
    .setMimeType('image/png')
    .setImage(await texturePng(variant))
}

function materialOf(document: Document, look: Look, texture: Texture | null): Material {
  const material = document.createMaterial().setRoughnessFactor(look.rough).setMetallicFactor(look.metal)
  if (texture && look.print) return material.setBaseColorTexture(texture)
  const colour = ColorUtils.hexToFactor<vec4>(Number.parseInt(look.colour.slice(1), 16), [0, 0, 0, 1])
  return material.setBaseColorFactor(colour)
}

function primitiveOf(document: Document, bytes: Bytes, piece: Piece, material: Material, isRigged: boolean) {
  const accessor = (type: 'SCALAR' | 'VEC2' | 'VEC3', array: TypedArray) =>
    document.createAccessor().setType(type).setArray(array).setBuffer(bytes)
  const isSmall = piece.positions.length / 3 < 2 ** 16
  const primitive = document
    .createPrimitive()
    .setMaterial(material)
    .setAttribute('POSITION', accessor('VEC3', piece.positions))
    .setAttribute('NORMAL', accessor('VEC3', piece.normals))
    .setIndices(accessor('SCALAR', isSmall ? Uint16Array.from(piece.indices) : piece.indices))
  if (material.getBaseColorTexture()) primitive.setAttribute('TEXCOORD_0', accessor('VEC2', piece.uvs))
  if (!isRigged) return primitive
  const { joints, weights } = weigh(document, bytes, piece)
  return primitive.setAttribute('JOINTS_0', joints).setAttribute('WEIGHTS_0', weights)
}
