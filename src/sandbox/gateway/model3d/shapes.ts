// The four models: a knot, a vase, a rocket and a bumpy ball. All stand on the ground and are about 2 m high.

import { revolved } from './lathe.ts'
import { cross, minus, type Piece, type Point, pieceOf, plus, type Surface, unit } from './surface.ts'

type Shape = (triangles: number) => readonly Piece[]

const turn = 2 * Math.PI

/** An upright trefoil knot: a tube along a line that goes around a ring twice while winding around it three times. */
const knot: Shape = (triangles) => {
  const outOf = (t: number): Point => [
    Math.cos(3 * t) * Math.cos(2 * t),
    Math.cos(3 * t) * Math.sin(2 * t),
    Math.sin(3 * t),
  ]
  const line = (t: number) => plus([0.6 * Math.cos(2 * t), 1 + 0.6 * Math.sin(2 * t), 0], outOf(t), 0.25)
  const tube: Surface = (u, v) => {
    const [here, out] = [line(v * turn), outOf(v * turn)]
    const side = unit(cross(minus(line(v * turn + 1e-4), here), out))
    return plus(plus(here, out, 0.15 * Math.cos(u * turn)), side, 0.15 * Math.sin(u * turn))
  }
  return [pieceOf(tube, triangles, 9, { colour: '#e0a526', rough: 0.3, metal: 0.9, print: [1, 12] })]
}

const vase: Shape = (triangles) => {
  const outside = [
    [0, 0],
    [0.26, 0],
    [0.33, 0.03],
    [0.5, 0.5],
    [0.56, 0.85],
    [0.46, 1.25],
    [0.24, 1.55],
    [0.23, 1.75],
  ] as const
  const inside = [
    [0.33, 1.98],
    [0.31, 2],
    [0.2, 1.75],
    [0.2, 1.5],
    [0.4, 1.2],
    [0.45, 0.6],
    [0.25, 0.1],
    [0, 0.08],
  ] as const
  const surface = revolved([...outside, ...inside], (angle) => 1 + 0.025 * Math.cos(14 * angle))
  return [pieceOf(surface, triangles, 1.6, { colour: '#2f7fb5', rough: 0.25, metal: 0, print: [4, 8] })]
}

const rocket: Shape = (triangles) => {
  const hull = revolved([
    [0.2, 0.3],
    [0.3, 0.5],
    [0.36, 0.8],
    [0.36, 1.1],
    [0.29, 1.45],
  ])
  const nose = revolved([
    [0.29, 1.45],
    [0.2, 1.7],
    [0.1, 1.88],
    [0.03, 1.97],
    [0, 1.99],
  ])
  const nozzle = revolved([
    [0, 0.34],
    [0.06, 0.3],
    [0.2, 0.12],
    [0.22, 0.14],
    [0.16, 0.32],
  ])
  const red = { colour: '#d6362f', rough: 0.35, metal: 0.1 }
  return [
    pieceOf(hull, triangles * 0.36, 1, { colour: '#eef1f4', rough: 0.35, metal: 0.2, print: [4, 4] }),
    pieceOf(nose, triangles * 0.16, 0.4, red),
    pieceOf(nozzle, triangles * 0.12, 0.5, { colour: '#4a4f57', rough: 0.4, metal: 0.9 }),
    ...[0, 1, 2].map((i) => pieceOf(finAt((i / 3) * turn), triangles * 0.08, 1, red)),
    ...[0.02, 0.5].map((at) =>
      pieceOf(porthole(at * turn), triangles * 0.06, 0.4, { colour: '#3fb4e8', rough: 0.1, metal: 0.3 }),
    ),
  ]
}

/** Lens-shaped in cross-section, swept down and away from the hull. */
const finAt =
  (angle: number): Surface =>
  (u, v) => {
    const chord = 0.42 * (1 - v) + 0.12
    const thick = 0.045 * (1 - v) + 0.004
    const [reach, middle] = [0.22 + 0.42 * v, 0.55 - 0.42 * v]
    const across = thick * Math.sin(u * turn)
    const height = middle + (chord / 2) * Math.cos(u * turn)
    return round([across, height, reach], angle)
  }

const porthole =
  (angle: number): Surface =>
  (u, v) => {
    const r = 0.13 * Math.max(2e-3, Math.cos((v * Math.PI) / 2))
    return round(
      [r * Math.sin(u * turn), 1.08 - r * Math.cos(u * turn), 0.33 + 0.07 * Math.sin((v * Math.PI) / 2)],
      angle,
    )
  }

const round = ([x, y, z]: Point, angle: number): Point => [
  x * Math.cos(angle) + z * Math.sin(angle),
  y,
  z * Math.cos(angle) - x * Math.sin(angle),
]

const ball: Shape = (triangles) => {
  const surface: Surface = (u, v) => {
    const fall = Math.PI * (2e-3 + v * (1 - 4e-3))
    const bumps = 0.1 * Math.sin(fall) ** 2 * Math.sin(8 * u * turn) * Math.sin(7 * fall)
    const r = 0.95 * (1 + bumps)
    return [
      r * Math.sin(fall) * Math.sin(u * turn),
      1 - r * Math.cos(fall),
      r * Math.sin(fall) * Math.cos(u * turn),
    ]
  }
  return [pieceOf(surface, triangles, 0.5, { colour: '#7d4fc9', rough: 0.55, metal: 0, print: [4, 2] })]
}

const shapes: readonly [Shape, Shape, Shape, Shape] = [knot, vase, rocket, ball]

export const shapeOf = (variant: number): Shape => shapes[variant % shapes.length] ?? shapes[0]
