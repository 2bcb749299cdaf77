// Turned things: a profile going round the y axis.

import type { Surface } from './surface.ts'

type Knot = readonly [radius: number, height: number]

/** A profile through these points, from below. What is closed ends a hair from the axis, where normals still exist. */
export const turned = (points: readonly Knot[], ribs: (angle: number) => number = () => 1): Surface => {
  const profile = smooth(points)
  return (u, v) => {
    const angle = u * 2 * Math.PI
    const [radius, height] = profile(v)
    const r = Math.max(1e-3, radius) * ribs(angle)
    return [r * Math.sin(angle), height, r * Math.cos(angle)]
  }
}

/** A Catmull-Rom curve. */
function smooth(points: readonly Knot[]): (v: number) => Knot {
  const knot = (i: number): Knot => points[Math.max(0, Math.min(points.length - 1, i))] ?? [0, 0]
  return (v) => {
    const place = Math.min(points.length - 1 - 1e-9, v * (points.length - 1))
    const i = Math.floor(place)
    const four = [knot(i - 1), knot(i), knot(i + 1), knot(i + 2)] as const
    return [bend(four, 0, place - i), bend(four, 1, place - i)]
  }
}

function bend(four: readonly [Knot, Knot, Knot, Knot], axis: 0 | 1, t: number): number {
  const [a, b, c, d] = [four[0][axis], four[1][axis], four[2][axis], four[3][axis]]
  return b + (t / 2) * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))
}
