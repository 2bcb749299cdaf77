// Screen-space ambient occlusion: corners and creases get less light. It is computed at half the resolution, which makes no visible
// difference.

import type { Camera } from './camera.ts'
import { f32, i8 } from './numbers.ts'
import type { Frame } from './raster.ts'

const directions = 14
/** The radius of the samples, as a share of the size of the model. */
const radius = 0.09
const strength = 1.5

/** The unoccluded share of light, 0 to 1, at half the resolution. Normals range from -127 to 127. */
export function occlusion(camera: Camera, frame: Frame, normals: Int8Array, extent: number): Float32Array {
  const half = frame.size >> 1
  const raw = new Float32Array(half * half).fill(1)
  for (let y = 0; y < half; y += 1) {
    for (let x = 0; x < half; x += 1) {
      const at = y * 2 * frame.size + x * 2
      if (f32(frame.nearness, at) > 0)
        raw[y * half + x] = openness(camera, frame, normals, at, radius * extent)
    }
  }
  return smooth(smooth(raw, frame, 1), frame, half)
}

/** The unoccluded share of the hemisphere above a point, from a spiral of samples that is rotated for each pixel. */
function openness(camera: Camera, frame: Frame, normals: Int8Array, at: number, reach: number): number {
  const { size, nearness } = frame
  const near = f32(nearness, at)
  const column = at % size
  const row = (at - column) / size
  const reachPixels = reach * camera.focal * near
  const [nx, ny, nz] = facing(camera, normals, at)
  const turn = noise(column, row) * 2 * Math.PI
  const unit = 1 / (camera.focal * near)
  let blocked = 0
  for (let index = 0; index < directions; index += 1) {
    const angle = turn + index * 2.4
    const far = reachPixels * ((index + 0.5) / directions)
    const x = Math.round(column + Math.cos(angle) * far)
    const y = Math.round(row + Math.sin(angle) * far)
    if (x < 0 || y < 0 || x >= size || y >= size) continue
    const other = f32(nearness, y * size + x)
    if (other === 0) continue
    const closer = 1 / near - 1 / other
    const [dx, dy] = [(x - column) * unit, (row - y) * unit]
    const square = dx * dx + dy * dy + closer * closer
    const above = dx * nx + dy * ny + closer * nz - 0.02 * reach
    if (above > 0)
      blocked += (above / Math.sqrt(square + 1e-12)) * Math.max(0, 1 - square / (reach * reach * 2))
  }
  return Math.max(0.15, 1 - (strength * blocked) / directions)
}

/** The normal in camera space. */
function facing({ right, up, back }: Camera, normals: Int8Array, at: number): [number, number, number] {
  const x = i8(normals, at * 3) / 127
  const y = i8(normals, at * 3 + 1) / 127
  const z = i8(normals, at * 3 + 2) / 127
  return [
    x * right[0] + y * right[1] + z * right[2],
    x * up[0] + y * up[1] + z * up[2],
    x * back[0] + y * back[1] + z * back[2],
  ]
}

/** Interleaved gradient noise: evenly distributed in a small neighbourhood, and deterministic. */
function noise(x: number, y: number): number {
  const value = 52.9829189 * ((0.06711056 * x + 0.00583715 * y) % 1)
  return value - Math.floor(value)
}

/** Blurs along rows (a step of 1) or columns, not across edges. */
function smooth(values: Float32Array, { size, nearness }: Frame, step: number): Float32Array {
  const half = size >> 1
  const result = new Float32Array(values.length)
  for (let at = 0; at < values.length; at += 1) {
    const near = nearAt(nearness, size, at)
    if (near === 0) {
      result[at] = 1
      continue
    }
    let [total, weight] = [0, 0]
    for (let offset = -4; offset <= 4; offset += 1) {
      const other = at + offset * step
      const isSame = step > 1 || Math.floor(other / half) === Math.floor(at / half)
      const otherNear = isSame ? nearAt(nearness, size, other) : 0
      if (Math.abs(otherNear / near - 1) > 0.03) continue
      total += f32(values, other)
      weight += 1
    }
    result[at] = total / weight
  }
  return result
}

function nearAt(nearness: Float32Array, size: number, at: number): number {
  const half = size >> 1
  const x = at % half
  return f32(nearness, ((at - x) / half) * 2 * size + x * 2)
}
