// Reads the default scene of a GLB as triangles in world space. A skinned mesh is posed by its bones as they are in the file.

import assert from 'node:assert/strict'
import {
  type Accessor,
  type Document,
  type Material,
  MathUtils,
  type mat4,
  type Node,
  Primitive,
} from '@gltf-transform/core'
import type { Mesh, Surface } from './scene.ts'
import { readSurfaces } from './surfaces.ts'
import { directionMatrix, type Points, type Skinning, skinPoints, transformPoints } from './transform.ts'

const trianglesMax = 2_000_000
const pointsMax = 3_000_000

interface Placed {
  readonly node: Node
  readonly primitive: Primitive
}

/** @throws Error when there are more triangles or points than are drawn */
export async function readMeshes(document: Document): Promise<Mesh[]> {
  const placed = placedIn(document)
  const corners = placed.reduce((total, { primitive }) => total + cornersOf(primitive), 0)
  if (corners > trianglesMax * 3) throw new Error('too many triangles')
  // A mesh with few triangles but many instances could fill the memory with points.
  const points = placed.reduce((total, { primitive }) => total + pointsOf(primitive), 0)
  if (points > pointsMax) throw new Error('too many points')
  const materials = placed.map(({ primitive }) => primitive.getMaterial())
  const used = new Set<Material>(materials.filter((material) => material !== null))
  const surfaceOf = await readSurfaces(used)
  return placed.flatMap((one) => readMesh(one, surfaceOf(one.primitive.getMaterial())) ?? [])
}

function placedIn(document: Document): Placed[] {
  const root = document.getRoot()
  const scene = root.getDefaultScene() ?? root.listScenes()[0]
  const placed: Placed[] = []
  scene?.traverse((node) => {
    for (const primitive of node.getMesh()?.listPrimitives() ?? []) placed.push({ node, primitive })
  })
  return placed
}

const pointsOf = (primitive: Primitive): number => primitive.getAttribute('POSITION')?.getCount() ?? 0

/** The number of corners; an upper bound for every mode. */
function cornersOf(primitive: Primitive): number {
  const count = primitive.getIndices()?.getCount() ?? pointsOf(primitive)
  return primitive.getMode() === Primitive.Mode.TRIANGLES ? count : count * 3
}

function readMesh({ node, primitive }: Placed, surface: Surface): Mesh | undefined {
  const points = numbersOf(primitive.getAttribute('POSITION'), 'VEC3')
  if (!points) return undefined
  const count = points.length / 3
  const corners = trianglesOf(primitive, count)
  if (!corners || corners.some((corner) => corner >= count)) return undefined
  const place = placer(node, primitive, count)
  const normals = numbersOf(primitive.getAttribute('NORMAL'), 'VEC3', count)
  const set = primitive.getMaterial()?.getBaseColorTextureInfo()?.getTexCoord() ?? 0
  return {
    points: place.points(points),
    normals: normals && place.directions(normals),
    coordinates: numbersOf(primitive.getAttribute(`TEXCOORD_${set}`), 'VEC2', count),
    colors: colorsOf(primitive.getAttribute('COLOR_0'), count),
    corners,
    surface,
  }
}

/** The numbers of an attribute; undefined when the attribute is missing or its count differs from that of the points. */
function numbersOf(accessor: Accessor | null, type: string, count?: number): Float32Array | undefined {
  const array = accessor?.getArray()
  if (!accessor || !array || accessor.getType() !== type) return undefined
  if (count !== undefined && accessor.getCount() !== count) return undefined
  if (array instanceof Float32Array) return array
  if (!accessor.getNormalized()) return Float32Array.from(array)
  const component = accessor.getComponentType()
  return Float32Array.from(array, (value) => MathUtils.decodeNormalizedInt(value, component))
}

function colorsOf(accessor: Accessor | null, count: number): Float32Array | undefined {
  const colors = numbersOf(accessor, 'VEC4', count)
  const opaque = colors ? undefined : numbersOf(accessor, 'VEC3', count)
  if (!opaque) return colors
  return Float32Array.from({ length: count * 4 }, (_, at) =>
    at % 4 === 3 ? 1 : (opaque[(at >> 2) * 3 + (at % 4)] ?? 0),
  )
}

/** The triangles of a primitive; undefined for primitives of points and lines. */
function trianglesOf(primitive: Primitive, count: number): Uint32Array | undefined {
  const { TRIANGLES, TRIANGLE_STRIP, TRIANGLE_FAN } = Primitive.Mode
  const indices = primitive.getIndices()?.getArray()
  const order = indices ? Uint32Array.from(indices) : Uint32Array.from({ length: count }, (_, index) => index)
  const mode = primitive.getMode()
  if (mode === TRIANGLES) return order.subarray(0, order.length - (order.length % 3))
  const triangles = Array.from({ length: Math.max(0, order.length - 2) }, (_, index) => index)
  const corner = (index: number) => order[index] ?? 0
  if (mode === TRIANGLE_FAN) {
    return Uint32Array.from(triangles.flatMap((index) => [corner(0), corner(index + 1), corner(index + 2)]))
  }
  if (mode !== TRIANGLE_STRIP) return undefined
  return Uint32Array.from(
    triangles.flatMap((index) => [
      corner(index),
      corner(index + 1 + (index % 2)),
      corner(index + 2 - (index % 2)),
    ]),
  )
}

function placer(node: Node, primitive: Primitive, count: number) {
  const skinning = skinningOf(node, primitive, count)
  if (!skinning) {
    const matrix = node.getWorldMatrix()
    const upright = directionMatrix(matrix)
    return {
      points: (points: Points) => transformPoints(matrix, points),
      directions: (normals: Points) => transformPoints(upright, normals),
    }
  }
  const upright = { ...skinning, bones: skinning.bones.map(directionMatrix) }
  return {
    points: (points: Points) => skinPoints(skinning, points),
    directions: (normals: Points) => skinPoints(upright, normals),
  }
}

function skinningOf(node: Node, primitive: Primitive, count: number): Skinning | undefined {
  const skin = node.getSkin()
  const joints = numbersOf(primitive.getAttribute('JOINTS_0'), 'VEC4', count)
  const weights = numbersOf(primitive.getAttribute('WEIGHTS_0'), 'VEC4', count)
  if (!skin || !joints || !weights) return undefined
  const inverse = skin.getInverseBindMatrices()
  const bones = skin.listJoints().map((joint, index) => {
    const world = joint.getWorldMatrix()
    return inverse ? multiply(world, matrixAt(inverse, index)) : world
  })
  return { bones, joints, weights }
}

function matrixAt(accessor: Accessor, index: number): mat4 {
  const matrix: mat4 = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
  assert(accessor.getType() === 'MAT4' && index < accessor.getCount(), 'there is a matrix for each bone')
  accessor.getElement(index, matrix)
  return matrix
}

/** The product of two column-major 4 x 4 matrices. */
function multiply(a: mat4, b: mat4): mat4 {
  const column = (at: 0 | 4 | 8 | 12) => {
    const [x, y, z, w] = [b[at], b[at + 1] ?? 0, b[at + 2] ?? 0, b[at + 3] ?? 0]
    return [0, 1, 2, 3].map(
      (row) => (a[row] ?? 0) * x + (a[row + 4] ?? 0) * y + (a[row + 8] ?? 0) * z + (a[row + 12] ?? 0) * w,
    )
  }
  const result: mat4 = [...a]
  const numbers = [...column(0), ...column(4), ...column(8), ...column(12)]
  numbers.forEach((number, index) => {
    result[index] = number
  })
  return result
}
