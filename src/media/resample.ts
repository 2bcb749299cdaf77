// Resamples sound with a windowed sinc filter, which has no aliasing, unlike linear interpolation.

import assert from 'node:assert/strict'

/** The width of the filter on each side, in samples of the lower rate. */
const reach = 16

export function resample(samples: Float32Array, from: number, to: number): Float32Array {
  assert(Number.isInteger(from) && Number.isInteger(to) && from > 0 && to > 0, 'rates are whole')
  if (from === to) return samples
  const divisor = gcd(from, to)
  const { kernels, taps } = kernelsFor(from / divisor, to / divisor)
  const step = from / divisor
  const phases = to / divisor
  const result = new Float32Array(Math.round((samples.length * to) / from))
  for (let index = 0; index < result.length; index += 1) {
    const position = index * step
    const phase = position % phases
    const first = (position - phase) / phases - taps / 2 + 1
    result[index] = convolve(samples, first, kernels, phase * taps, taps)
  }
  return result
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))

const at = (values: Float32Array, index: number): number => values[index] ?? 0

function convolve(
  samples: Float32Array,
  first: number,
  kernels: Float32Array,
  offset: number,
  taps: number,
): number {
  let sum = 0
  for (let tap = 0; tap < taps; tap += 1) sum += at(samples, first + tap) * at(kernels, offset + tap)
  return sum
}

/** One kernel per phase: the position of an output sample between two input samples. */
function kernelsFor(step: number, phases: number): { kernels: Float32Array; taps: number } {
  const cutoff = Math.min(1, phases / step)
  const taps = 2 * Math.ceil(reach / cutoff)
  const kernels = new Float32Array(phases * taps)
  for (let phase = 0; phase < phases; phase += 1) {
    const kernel = kernels.subarray(phase * taps, (phase + 1) * taps)
    for (let tap = 0; tap < taps; tap += 1) {
      kernel[tap] = windowedSinc(tap - taps / 2 + 1 - phase / phases, cutoff, taps / 2)
    }
    const sum = kernel.reduce((total, weight) => total + weight, 0)
    for (let tap = 0; tap < taps; tap += 1) kernel[tap] = at(kernel, tap) / sum
  }
  return { kernels, taps }
}

function windowedSinc(distance: number, cutoff: number, half: number): number {
  if (distance === 0) return cutoff
  const x = Math.PI * distance
  const window = Math.abs(distance) < half ? Math.cos(x / (2 * half)) ** 2 : 0
  return (Math.sin(x * cutoff) / x) * window
}
