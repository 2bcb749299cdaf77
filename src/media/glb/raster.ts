// Finds the front triangle of every pixel. Shading comes later, once per pixel, however many triangles overlap there.

import { clamp, f32, u32 } from './numbers.ts'

export interface Frame {
  readonly size: number
  /** The nearness of each pixel; greater is nearer, zero is background. */
  readonly nearness: Float32Array
  /** The number of the triangle at each pixel, counted from one; zero is background. */
  readonly triangles: Int32Array
}

/** Whether a triangle covers a pixel, by the weights of its second and third vertex there. */
export type Test = (triangle: number, shareB: number, shareC: number, x: number, y: number) => boolean

export const emptyFrame = (size: number): Frame => ({
  size,
  nearness: new Float32Array(size * size),
  triangles: new Int32Array(size * size),
})

/** @param points x, y, nearness of each @param first the number of the first triangle */
export function rasterize(
  frame: Frame,
  points: Float32Array,
  corners: Uint32Array,
  first: number,
  test?: Test,
): void {
  for (let at = 0; at < corners.length; at += 3) {
    const a = u32(corners, at) * 3
    const b = u32(corners, at + 1) * 3
    const c = u32(corners, at + 2) * 3
    fill(frame, points, a, b, c, first + at / 3, test)
  }
}

function fill(
  { size, nearness, triangles }: Frame,
  points: Float32Array,
  a: number,
  b: number,
  c: number,
  triangle: number,
  test: Test | undefined,
): void {
  const [ax, ay, near] = [f32(points, a), f32(points, a + 1), f32(points, a + 2)]
  const [bx, by] = [f32(points, b) - ax, f32(points, b + 1) - ay]
  const [cx, cy] = [f32(points, c) - ax, f32(points, c + 1) - ay]
  const area = bx * cy - by * cx
  // The condition also excludes NaN, which a point may contain.
  if (!(Math.abs(area) > 1e-9)) return
  const [nearB, nearC] = [f32(points, b + 2) - near, f32(points, c + 2) - near]
  const left = clamp(Math.ceil(ax + Math.min(0, bx, cx) - 0.5), 0, size)
  const right = clamp(Math.floor(ax + Math.max(0, bx, cx) - 0.5), -1, size - 1)
  const top = clamp(Math.ceil(ay + Math.min(0, by, cy) - 0.5), 0, size)
  const bottom = clamp(Math.floor(ay + Math.max(0, by, cy) - 0.5), -1, size - 1)
  const [stepB, stepC] = [cy / area, -by / area]
  for (let y = top; y <= bottom; y += 1) {
    const [dx, dy] = [left + 0.5 - ax, y + 0.5 - ay]
    let shareB = (dx * cy - dy * cx) / area
    let shareC = (bx * dy - by * dx) / area
    for (let x = left, at = y * size + left; x <= right; x += 1, at += 1) {
      const here = near + shareB * nearB + shareC * nearC
      const isInside = Math.min(shareB, shareC, 1 - shareB - shareC) >= -1e-7
      if (isInside && here > f32(nearness, at) && (!test || test(triangle, shareB, shareC, x, y))) {
        nearness[at] = here
        triangles[at] = triangle
      }
      shareB += stepB
      shareC += stepC
    }
  }
}
