// Reads a 3D model in binary glTF 2.0: its triangles with their colours and pictures. Skeletons and animations are left out, so a
// model stands as it was made. Compressed models (Draco, meshopt) cannot be read.

import { identity, type Matrix, multiply, placed, transform, type Vector } from './matrices.ts'

/** Triangles with the same colour and picture, in the coordinates of the model. */
export interface Part {
  /** Three numbers per corner; `normals` has the same layout. */
  readonly points: Float32Array
  /** All zero if the model has no normals. */
  readonly normals: Float32Array
  /** Two numbers per corner. */
  readonly coordinates: Float32Array
  /** Red, green and blue, 0 to 1. */
  readonly colour: readonly number[]
  readonly picture: Blob | undefined
}

/** Thrown when the page cannot show the model. */
export class NotShown extends Error {}

interface Gltf {
  scene?: number
  scenes?: { nodes?: number[] }[]
  nodes?: GltfNode[]
  meshes?: { primitives: Primitive[] }[]
  accessors?: Accessor[]
  bufferViews?: View[]
  materials?: {
    pbrMetallicRoughness?: { baseColorFactor?: number[]; baseColorTexture?: { index: number } }
  }[]
  textures?: { source?: number }[]
  images?: { bufferView?: number; mimeType?: string }[]
}
interface GltfNode {
  mesh?: number
  children?: number[]
  matrix?: number[]
  translation?: number[]
  rotation?: number[]
  scale?: number[]
}
interface Primitive {
  attributes: Record<string, number>
  indices?: number
  material?: number
  mode?: number
}
interface Accessor {
  bufferView?: number
  byteOffset?: number
  componentType: number
  normalized?: boolean
  count: number
  type: string
}
interface View {
  byteOffset?: number
  byteLength: number
  byteStride?: number
}
interface Model {
  readonly gltf: Gltf
  readonly binary: DataView
}

const magic = 0x46546c67
const triangles = 4
const deepestNode = 64

function chunksOf(file: ArrayBuffer): Model {
  const view = new DataView(file)
  if (view.byteLength < 20 || view.getUint32(0, true) !== magic) throw new NotShown('not a GLB')
  const length = view.getUint32(12, true)
  const gltf: Gltf = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 20, length)))
  const start = 20 + length + 8
  return { gltf, binary: new DataView(file, Math.min(start, file.byteLength)) }
}

interface Component {
  readonly bytes: number
  /** The divisor of a normalized integer. */
  readonly full: number
  read(view: DataView, at: number): number
}

const components: Readonly<Record<number, Component>> = {
  5121: { bytes: 1, full: 255, read: (view, at) => view.getUint8(at) },
  5123: { bytes: 2, full: 65_535, read: (view, at) => view.getUint16(at, true) },
  5125: { bytes: 4, full: 1, read: (view, at) => view.getUint32(at, true) },
  5126: { bytes: 4, full: 1, read: (view, at) => view.getFloat32(at, true) },
}
const widths: Readonly<Record<string, number>> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 }

function numbersOf({ gltf, binary }: Model, index: number): { width: number; values: Float64Array } {
  const accessor = gltf.accessors?.[index]
  const view = gltf.bufferViews?.[accessor?.bufferView ?? -1]
  const component = components[accessor?.componentType ?? 0]
  const width = widths[accessor?.type ?? ''] ?? 0
  if (!accessor || !view || !component || width === 0) throw new NotShown('numbers of an unknown kind')
  const stride = view.byteStride ?? width * component.bytes
  const start = (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0)
  const divisor = accessor.normalized ? component.full : 1
  const values = new Float64Array(accessor.count * width)
  for (let n = 0; n < values.length; n += 1) {
    const column = n % width
    const place = start + ((n - column) / width) * stride + column * component.bytes
    values[n] = component.read(binary, place) / divisor
  }
  return { width, values }
}

function pictureOf({ gltf, binary }: Model, texture: number | undefined): Blob | undefined {
  const image = gltf.images?.[gltf.textures?.[texture ?? -1]?.source ?? -1]
  const view = gltf.bufferViews?.[image?.bufferView ?? -1]
  if (!image || !view) return undefined
  const bytes = new Uint8Array(view.byteLength)
  for (const at of bytes.keys()) bytes[at] = binary.getUint8((view.byteOffset ?? 0) + at)
  return new Blob([bytes], { type: image.mimeType ?? 'image/png' })
}

function partOf(model: Model, primitive: Primitive, place: Matrix): Part {
  const { attributes, indices, material, mode = triangles } = primitive
  if (mode !== triangles || attributes.POSITION === undefined) throw new NotShown('no triangles')
  const points = numbersOf(model, attributes.POSITION)
  const corners =
    indices === undefined
      ? Float64Array.from({ length: points.values.length / 3 }, (_, n) => n)
      : numbersOf(model, indices).values
  const directed = (name: string, w: 0 | 1) => {
    const index = attributes[name]
    const result = new Float32Array(corners.length * 3)
    if (index === undefined) return result
    const { values } = numbersOf(model, index)
    for (const [n, corner] of corners.entries()) {
      const at = corner * 3
      const vector: Vector = [values[at] ?? 0, values[at + 1] ?? 0, values[at + 2] ?? 0]
      result.set(transform(place, vector, w), n * 3)
    }
    return result
  }
  const look = model.gltf.materials?.[material ?? -1]?.pbrMetallicRoughness
  return {
    points: directed('POSITION', 1),
    normals: directed('NORMAL', 0),
    coordinates: coordinatesOf(model, attributes.TEXCOORD_0, corners),
    colour: look?.baseColorFactor?.slice(0, 3) ?? [1, 1, 1],
    picture: pictureOf(model, look?.baseColorTexture?.index),
  }
}

function coordinatesOf(model: Model, index: number | undefined, corners: Float64Array): Float32Array {
  const result = new Float32Array(corners.length * 2)
  if (index === undefined) return result
  const { values } = numbersOf(model, index)
  for (const [n, corner] of corners.entries()) {
    result[n * 2] = values[corner * 2] ?? 0
    result[n * 2 + 1] = values[corner * 2 + 1] ?? 0
  }
  return result
}

function* partsOf(model: Model, index: number, above: Matrix, depth: number): Generator<Part> {
  const node = model.gltf.nodes?.[index]
  if (!node || depth > deepestNode) return
  const place = multiply(above, node.matrix ?? placed(node.translation, node.rotation, node.scale))
  for (const one of model.gltf.meshes?.[node.mesh ?? -1]?.primitives ?? []) yield partOf(model, one, place)
  for (const child of node.children ?? []) yield* partsOf(model, child, place, depth + 1)
}

/** @throws NotShown */
export function readGlb(file: ArrayBuffer): Part[] {
  try {
    const model = chunksOf(file)
    const { gltf } = model
    const roots = gltf.scenes?.[gltf.scene ?? 0]?.nodes ?? []
    const parts = roots.flatMap((root) => [...partsOf(model, root, identity, 0)])
    if (parts.length === 0) throw new NotShown('nothing to see')
    return parts
  } catch (error) {
    if (error instanceof NotShown) throw error
    throw new NotShown('a broken GLB', { cause: error })
  }
}
