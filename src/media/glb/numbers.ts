// Access to typed arrays, and small vectors, for hot loops. One reader per type of array keeps the call sites monomorphic; an index
// out of range reads as zero.

export type Vec3 = readonly [number, number, number]

export const f32 = (values: Float32Array, index: number): number => values[index] ?? 0
export const u32 = (values: Uint32Array, index: number): number => values[index] ?? 0
export const i32 = (values: Int32Array, index: number): number => values[index] ?? 0
export const u8 = (values: Uint8Array, index: number): number => values[index] ?? 0
export const i8 = (values: Int8Array, index: number): number => values[index] ?? 0

export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

export const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

export const scale = (a: Vec3, factor: number): Vec3 => [a[0] * factor, a[1] * factor, a[2] * factor]

export const sum = (...vectors: readonly Vec3[]): Vec3 =>
  vectors.reduce<Vec3>((all, one) => [all[0] + one[0], all[1] + one[1], all[2] + one[2]], [0, 0, 0])

export const normalize = (a: Vec3): Vec3 => scale(a, 1 / Math.max(1e-30, Math.hypot(...a)))

export const clamp = (value: number, low: number, high: number): number =>
  Math.min(high, Math.max(low, value))

export const mix = (from: number, to: number, share: number): number => from + (to - from) * share

export function smoothstep(low: number, high: number, value: number): number {
  const share = clamp((value - low) / (high - low), 0, 1)
  return share * share * (3 - 2 * share)
}
