// Transforms points and normals of a mesh to world space, by the matrix of its node or by the bones of its skin.

import assert from 'node:assert/strict'
import type { mat4 } from '@gltf-transform/core'
import { cross, dot, f32, scale, type Vec3 } from './numbers.ts'

/** Three numbers per point. */
export type Points = Float32Array

export function transformPoints(m: mat4, points: Points): Points {
  const result = new Float32Array(points.length)
  for (let at = 0; at < points.length; at += 3) {
    const x = f32(points, at)
    const y = f32(points, at + 1)
    const z = f32(points, at + 2)
    result[at] = m[0] * x + m[4] * y + m[8] * z + m[12]
    result[at + 1] = m[1] * x + m[5] * y + m[9] * z + m[13]
    result[at + 2] = m[2] * x + m[6] * y + m[10] * z + m[14]
  }
  return result
}

/** The cofactor matrix, which transforms normals correctly under non-uniform scaling. */
export function directionMatrix(m: mat4): mat4 {
  const x: Vec3 = [m[0], m[1], m[2]]
  const y: Vec3 = [m[4], m[5], m[6]]
  const z: Vec3 = [m[8], m[9], m[10]]
  const sign = dot(x, cross(y, z)) < 0 ? -1 : 1
  const [a, b, c] = [cross(y, z), cross(z, x), cross(x, y)].map((column) => scale(column, sign))
  assert(a && b && c)
  return [...a, 0, ...b, 0, ...c, 0, 0, 0, 0, 1]
}

export interface Skinning {
  /** Per bone, from mesh space to world space. */
  readonly bones: readonly mat4[]
  /** Four bones and weights per point. */
  readonly joints: Float32Array
  readonly weights: Float32Array
}

/** Linear blend skinning. */
export function skinPoints({ bones, joints, weights }: Skinning, points: Points): Points {
  const result = new Float32Array(points.length)
  const count = points.length / 3
  for (let point = 0; point < count; point += 1) {
    const one = points.subarray(point * 3, point * 3 + 3)
    for (let influence = point * 4; influence < point * 4 + 4; influence += 1) {
      const weight = f32(weights, influence)
      const bone = bones[f32(joints, influence)]
      if (weight > 0 && bone) addTo(result, point * 3, transformPoints(bone, one), weight)
    }
  }
  return result
}

function addTo(result: Points, at: number, point: Points, weight: number): void {
  for (let axis = 0; axis < 3; axis += 1) {
    result[at + axis] = f32(result, at + axis) + f32(point, axis) * weight
  }
}
