// Surfaces of revolution: a profile rotated around the y axis.

import type { Surface } from './surface.ts'

type Knot = readonly [radius: number, height: number]

/**
 * @param points of the profile, from bottom to top; it never quite reaches the axis, where normals are undefined
 * @param ribs factor on the radius at an angle
 */
export const revolved = (points: readonly Knot[], ribs: (angle: number) => number = () => 1): Surface => {
  const profile = smooth(points)
  return (u, v) => {
    const angle = u * 2 * Math.PI
    const [radius, height] = profile(v)
    const r = Math.max(1e-3, radius) * ribs(angle)
    return [r * Math.sin(angle), height, r * Math.cos(angle)]
  }
}

/** A Catmull-Rom spline. */
function smooth(points: readonly Knot[]): (v: number) => Knot {
  const knot = (i: number): Knot => points[Math.max(0, Math.min(points.length - 1, i))] ?? [0, 0]
  return (v) => {
    const place = Math.min(points.length - 1 - 1e-9, v * (points.length - 1))
    const i = Math.floor(place)
    const four = [knot(i - 1), knot(i), knot(i + 1), knot(i + 2)] as const
    return [catmullRom(four, 0, place - i), catmullRom(four, 1, place - i)]
  }
}

function catmullRom(four: readonly [Knot, Knot, Knot, Knot], axis: 0 | 1, t: number): number {
  const [a, b, c, d] = [four[0][axis], four[1][axis], four[2][axis], four[3][axis]]
  return b + (t / 2) * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))
}
