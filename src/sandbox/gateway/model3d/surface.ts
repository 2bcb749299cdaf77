// Turns surfaces, functions of two parameters, into grids of triangles with normals.

export type Point = readonly [x: number, y: number, z: number]

/** The point at u and v, both from 0 to 1. Seen from outside, v increases upwards when u increases to the right. */
export type Surface = (u: number, v: number) => Point

export interface Look {
  /** For example `#ff8800`. */
  readonly colour: string
  /** From 0 (a mirror) to 1 (chalk). */
  readonly rough: number
  readonly metal: number
  /** Repetitions of the texture along u and v; a piece without them keeps its colour. */
  readonly print?: readonly [number, number]
}

/** Triangles with the same material. */
export interface Piece {
  readonly look: Look
  readonly positions: Float32Array<ArrayBuffer>
  readonly normals: Float32Array<ArrayBuffer>
  readonly uvs: Float32Array<ArrayBuffer>
  readonly indices: Uint32Array<ArrayBuffer>
}

/**
 * @param triangles approximate number
 * @param slim length of the surface along v divided by its length along u
 */
export function pieceOf(surface: Surface, triangles: number, slim: number, look: Look): Piece {
  const along = Math.max(1, Math.round(Math.sqrt((triangles / 2) * slim)))
  const around = Math.max(3, Math.round(triangles / 2 / along))
  const points = Array.from({ length: (around + 1) * (along + 1) }, (_, i) => ({
    u: (i % (around + 1)) / around,
    v: Math.floor(i / (around + 1)) / along,
  }))
  const [across, up] = look.print ?? [1, 1]
  return {
    look,
    positions: Float32Array.from(points.flatMap(({ u, v }) => surface(u, v))),
    normals: Float32Array.from(points.flatMap(({ u, v }) => normalAt(surface, u, v))),
    uvs: Float32Array.from(points.flatMap(({ u, v }) => [u * across, (1 - v) * up])),
    indices: Uint32Array.from(cellsOf(around, along)),
  }
}

function* cellsOf(around: number, along: number): Generator<number> {
  for (let row = 0; row < along; row += 1) {
    for (let column = 0; column < around; column += 1) {
      const low = row * (around + 1) + column
      const high = low + around + 1
      yield* [low, low + 1, high + 1, low, high + 1, high]
    }
  }
}

const nudge = 1e-4

function normalAt(surface: Surface, u: number, v: number): Point {
  const low = Math.max(0, v - nudge)
  const high = Math.min(1, v + nudge)
  return unit(
    cross(minus(surface(u + nudge, v), surface(u - nudge, v)), minus(surface(u, high), surface(u, low))),
  )
}

export const plus = (a: Point, b: Point, times = 1): Point => [
  a[0] + b[0] * times,
  a[1] + b[1] * times,
  a[2] + b[2] * times,
]

export const minus = (a: Point, b: Point): Point => plus(a, b, -1)

export const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

export function unit(a: Point): Point {
  const length = Math.hypot(...a)
  return [a[0] / length, a[1] / length, a[2] / length]
}
