// Matrices of 4 by 4, column by column as in OpenGL and glTF.

export type Matrix = readonly number[]
export type Vector = readonly [number, number, number]

export const identity: Matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]

const at = (values: readonly number[], index: number): number => values[index] ?? 0

export function multiply(a: Matrix, b: Matrix): Matrix {
  return identity.map((_, index) => {
    const row = index % 4
    const column = index - row
    return [0, 1, 2, 3].reduce((sum, k) => sum + at(a, k * 4 + row) * at(b, column + k), 0)
  })
}

/** @param w 1 for a point, 0 for a direction */
export function transform(matrix: Matrix, [x, y, z]: Vector, w: 0 | 1): Vector {
  const row = (n: number) =>
    at(matrix, n) * x + at(matrix, 4 + n) * y + at(matrix, 8 + n) * z + at(matrix, 12 + n) * w
  return [row(0), row(1), row(2)]
}

export const moved = ([x, y, z]: Vector): Matrix => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1]

/** The matrix of a node of glTF. @param rotation a unit quaternion */
export function placed(
  translation: readonly number[] = [0, 0, 0],
  rotation: readonly number[] = [0, 0, 0, 1],
  scale: readonly number[] = [1, 1, 1],
): Matrix {
  const [x, y, z, w] = [at(rotation, 0), at(rotation, 1), at(rotation, 2), at(rotation, 3)]
  const axes = [
    [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
    [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
    [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)],
  ]
  const turned = axes.flatMap((axis, n) => [...axis.map((one) => one * at(scale, n)), 0])
  return [...turned, at(translation, 0), at(translation, 1), at(translation, 2), 1]
}

/** A rotation around the vertical axis, then towards the viewer; both angles in radians. */
export function turned(yaw: number, pitch: number): Matrix {
  const [a, b, c, d] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)]
  const around: Matrix = [a, 0, -b, 0, 0, 1, 0, 0, b, 0, a, 0, 0, 0, 0, 1]
  return multiply([1, 0, 0, 0, 0, c, d, 0, 0, -d, c, 0, 0, 0, 0, 1], around)
}

/** @param aspect width divided by height */
export function perspective(aspect: number, near: number, far: number): Matrix {
  const f = 1 / Math.tan(Math.PI / 8)
  const depth = near - far
  const last = [0, 0, (far + near) / depth, -1, 0, 0, (2 * far * near) / depth, 0]
  // The full angle of view belongs to the shorter side.
  return [f / Math.max(aspect, 1), 0, 0, 0, 0, f * Math.min(aspect, 1), 0, 0, ...last]
}
