// Places the camera: in front of the model, a little to the right and above, so near that the model fills the image.

import { cross, dot, f32, normalize, scale, sum, type Vec3 } from './numbers.ts'
import type { Mesh } from './scene.ts'

export interface Camera {
  readonly size: number
  readonly eye: Vec3
  readonly right: Vec3
  readonly up: Vec3
  /** The direction from the model to the camera. */
  readonly back: Vec3
  /** The focal length in pixels. */
  readonly focal: number
}

export interface Bounds {
  readonly low: Vec3
  readonly high: Vec3
}

const yaw = (32 * Math.PI) / 180
const pitch = (19 * Math.PI) / 180
/** A long focal length has little perspective distortion. */
const halfView = Math.tan((13 * Math.PI) / 180)
const filled = 0.8

/** Calls `visit` for every vertex of every triangle. */
function forEachCorner(meshes: readonly Mesh[], visit: (x: number, y: number, z: number) => void): void {
  for (const { points, corners } of meshes) {
    for (const corner of corners) {
      const [x, y, z] = [f32(points, corner * 3), f32(points, corner * 3 + 1), f32(points, corner * 3 + 2)]
      if (Number.isFinite(x + y + z)) visit(x, y, z)
    }
  }
}

/** The bounds of all triangles; undefined when there are none. */
export function boundsOf(meshes: readonly Mesh[]): Bounds | undefined {
  let [lowX, lowY, lowZ] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  let [highX, highY, highZ] = [-lowX, -lowY, -lowZ]
  forEachCorner(meshes, (x, y, z) => {
    lowX = Math.min(lowX, x)
    lowY = Math.min(lowY, y)
    lowZ = Math.min(lowZ, z)
    highX = Math.max(highX, x)
    highY = Math.max(highY, y)
    highZ = Math.max(highZ, z)
  })
  const extent = Math.max(highX - lowX, highY - lowY, highZ - lowZ)
  return extent > 1e-12 && extent < 1e15
    ? { low: [lowX, lowY, lowZ], high: [highX, highY, highZ] }
    : undefined
}

export function cameraFor(meshes: readonly Mesh[], { low, high }: Bounds, size: number): Camera {
  const back: Vec3 = [Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), Math.cos(yaw) * Math.cos(pitch)]
  const right = normalize(cross([0, 1, 0], back))
  const up = cross(back, right)
  const center = scale(sum(low, high), 0.5)
  // How far each side of the view has to move outwards to include every point.
  const slope = halfView * filled
  const none = Number.NEGATIVE_INFINITY
  let [toRight, toLeft, toTop, toBottom] = [none, none, none, none]
  forEachCorner(meshes, (px, py, pz) => {
    const [x, y, z] = [px - center[0], py - center[1], pz - center[2]]
    const side = x * right[0] + y * right[1] + z * right[2]
    const height = x * up[0] + y * up[1] + z * up[2]
    const near = (x * back[0] + y * back[1] + z * back[2]) * slope
    toRight = Math.max(toRight, near + side)
    toLeft = Math.max(toLeft, near - side)
    toTop = Math.max(toTop, near + height)
    toBottom = Math.max(toBottom, near - height)
  })
  const distance = Math.max(toRight + toLeft, toTop + toBottom) / (2 * slope)
  const aside = scale(right, (toRight - toLeft) / 2)
  const above = scale(up, (toTop - toBottom) / 2)
  const eye = sum(center, aside, above, scale(back, distance))
  return { size, eye, right, up, back, focal: size / 2 / halfView }
}

/** Projects points: for each, x and y in the image, and the nearness (1 / distance). */
export function project(camera: Camera, points: Float32Array): Float32Array {
  const { eye, right, up, back, focal, size } = camera
  const result = new Float32Array(points.length)
  for (let at = 0; at < points.length; at += 3) {
    const ray: Vec3 = [f32(points, at) - eye[0], f32(points, at + 1) - eye[1], f32(points, at + 2) - eye[2]]
    const near = -1 / dot(ray, back)
    result[at] = size / 2 + focal * dot(ray, right) * near
    result[at + 1] = size / 2 - focal * dot(ray, up) * near
    result[at + 2] = near
  }
  return result
}
