// The floor under the model and its shadow. The shadow is made of the height of the model above each point of the floor: sharp
// where the model touches the floor, wide and faint where it does not.

import type { Bounds, Camera } from './camera.ts'
import { clamp, f32, mix, smoothstep, type Vec3 } from './numbers.ts'
import { emptyFrame, rasterize } from './raster.ts'
import type { Mesh } from './scene.ts'

const cells = 256
/** The margin of the floor on each side, as a share of the size of the model, so that the shadow ends within the floor. */
const margin = 0.6

/** The offset of the main lamp's shadow per unit of height: to the right and back. */
const away = [0.5, -0.45] as const

export interface Ground {
  readonly height: number
  readonly left: number
  readonly back: number
  readonly cell: number
  /** The shadow of each cell, from 0 to 1 (the darkest). */
  readonly shade: Float32Array
}

export function groundUnder(meshes: readonly Mesh[], { low, high }: Bounds): Ground {
  const extent = Math.max(high[0] - low[0], high[2] - low[2], (high[1] - low[1]) * 0.6)
  const side = extent * (1 + 2 * margin)
  const plan = {
    height: low[1],
    left: (low[0] + high[0] - side) / 2,
    back: (low[2] + high[2] - side) / 2,
    cell: side / cells,
  }
  const below = heightsOver(meshes, plan, [0, 0])
  const touching = blur(fade(below, extent * 0.05), 3)
  const wide = blur(fade(below, extent * 0.4), 14)
  const cast = blur(fade(heightsOver(meshes, plan, away), extent * 0.9), 7)
  const shade = touching.map(
    (value, at) => 1 - (1 - value * 0.55) * (1 - f32(wide, at) * 0.5) * (1 - f32(cast, at) * 0.34),
  )
  return { ...plan, shade }
}

/** The height of the model above each cell of the floor, sheared along the direction of the light; infinite where no model is above. */
function heightsOver(
  meshes: readonly Mesh[],
  { height, left, back, cell }: Omit<Ground, 'shade'>,
  [asideX, asideZ]: readonly [number, number],
) {
  const frame = emptyFrame(cells)
  for (const { points, corners } of meshes) {
    const plan = new Float32Array(points.length)
    for (let at = 0; at < points.length; at += 3) {
      const above = f32(points, at + 1) - height
      plan[at] = (f32(points, at) + above * asideX - left) / cell
      plan[at + 1] = (f32(points, at + 2) + above * asideZ - back) / cell
      plan[at + 2] = 1 / (1 + above / cell)
    }
    rasterize(frame, plan, corners, 1)
  }
  return frame.nearness.map((near) => (near > 0 ? (1 / near - 1) * cell : Number.POSITIVE_INFINITY))
}

const fade = (heights: Float32Array, reach: number) => heights.map((height) => Math.exp(-height / reach))

/** Blurs the values: three box filters in each direction approximate a Gaussian. */
function blur(values: Float32Array, reach: number): Float32Array {
  let result = values
  for (const step of [1, cells, 1, cells, 1, cells]) result = average(result, reach, step)
  return result
}

function average(values: Float32Array, reach: number, step: number): Float32Array {
  const result = new Float32Array(values.length)
  const across = step === 1 ? cells : 1
  for (let line = 0; line < cells; line += 1) {
    const start = line * across
    const read = (place: number) => (place >= 0 && place < cells ? f32(values, start + place * step) : 0)
    let total = 0
    for (let place = 0; place < reach; place += 1) total += read(place)
    for (let place = 0; place < cells; place += 1) {
      total += read(place + reach) - read(place - reach - 1)
      result[start + place * step] = total / (2 * reach + 1)
    }
  }
  return result
}

/** The darkness of the floor at a pixel; 0 above the horizon. */
export function shadeAt(ground: Ground, { eye, right, up, back, focal, size }: Camera, x: number, y: number) {
  const [side, height] = [(x + 0.5 - size / 2) / focal, (size / 2 - y - 0.5) / focal]
  const along = (axis: 0 | 1 | 2) => right[axis] * side + up[axis] * height - back[axis]
  const distance = (ground.height - eye[1]) / along(1)
  if (!(distance > 0) || along(1) >= 0) return 0
  const column = (eye[0] + along(0) * distance - ground.left) / ground.cell - 0.5
  const row = (eye[2] + along(2) * distance - ground.back) / ground.cell - 0.5
  if (column < 0 || row < 0 || column >= cells - 1 || row >= cells - 1) return 0
  const at = Math.floor(row) * cells + Math.floor(column)
  const share = column - Math.floor(column)
  const near = mix(f32(ground.shade, at), f32(ground.shade, at + 1), share)
  const far = mix(f32(ground.shade, at + cells), f32(ground.shade, at + cells + 1), share)
  return mix(near, far, row - Math.floor(row))
}

const light: Vec3 = [244, 245, 247]
const dim: Vec3 = [196, 202, 211]

/** The background, brightest in the middle; sRGB, not linear. */
export function backgroundAt(size: number, x: number, y: number): Vec3 {
  const away = Math.hypot((x / size - 0.5) * 1.05, y / size - 0.46)
  const share = smoothstep(0.05, 0.78, away)
  const channel = (axis: 0 | 1 | 2) => clamp(mix(light[axis], dim[axis], share), 0, 255)
  return [channel(0), channel(1), channel(2)]
}
