// Reads and writes WAV files, mixes their channels and resamples them. Streamed files are read too, whose header was never updated with the size: their
// data extends to the end of the file. (mediabunny also reads WAV, but believes a size of zero.)

import assert from 'node:assert/strict'

export interface Wav {
  readonly rate: number
  readonly channels: number
  readonly codec: Codec
  /** Samples per channel. */
  readonly frames: number
  readonly data: Buffer
}

type Codec = keyof typeof readers

/** Reads one sample, from -1 to 1. */
type Reader = (data: Buffer, at: number) => number

const readers = {
  'pcm-u8': (data, at) => (data.readUInt8(at) - 128) / 0x80,
  'pcm-s16': (data, at) => data.readInt16LE(at) / 0x8000,
  'pcm-s24': (data, at) => data.readIntLE(at, 3) / 0x80_0000,
  'pcm-s32': (data, at) => data.readInt32LE(at) / 0x8000_0000,
  'pcm-f32': (data, at) => data.readFloatLE(at),
  'pcm-f64': (data, at) => data.readDoubleLE(at),
} satisfies Record<string, Reader>

const integers: Readonly<Record<number, Codec>> = { 8: 'pcm-u8', 16: 'pcm-s16', 24: 'pcm-s24', 32: 'pcm-s32' }
const floats: Readonly<Record<number, Codec>> = { 32: 'pcm-f32', 64: 'pcm-f64' }

const bytesOf: Readonly<Record<Codec, number>> = {
  'pcm-u8': 1,
  'pcm-s16': 2,
  'pcm-s24': 3,
  'pcm-s32': 4,
  'pcm-f32': 4,
  'pcm-f64': 8,
}

const rates = { min: 4000, max: 192_000 }
const channelsMax = 8

/** Reads a WAV file; undefined when the bytes are not a WAV file, or the file is compressed (such as ADPCM) or empty. */
export function readWav(bytes: Buffer): Wav | undefined {
  if (bytes.length < 12 || bytes.toString('latin1', 8, 12) !== 'WAVE') return undefined
  if (!['RIFF', 'RF64'].includes(bytes.toString('latin1', 0, 4))) return undefined
  const { format, data } = chunksOf(bytes)
  const facts = format && factsOf(format)
  if (!facts || !data) return undefined
  const frames = Math.floor(data.length / (facts.channels * bytesOf[facts.codec]))
  return frames > 0 ? { ...facts, frames, data } : undefined
}

/** Chunks without content would make millions in one file. Real files have a few dozen. */
const chunksMax = 1000

function chunksOf(bytes: Buffer): { format?: Buffer; data?: Buffer } {
  let format: Buffer | undefined
  for (let at = 12, chunks = 0; at + 8 <= bytes.length && chunks < chunksMax; chunks += 1) {
    const name = bytes.toString('latin1', at, at + 4)
    const size = bytes.readUInt32LE(at + 4)
    const start = at + 8
    if (name === 'fmt ') format ??= bytes.subarray(start, start + size)
    if (name === 'data' && format) return { format, data: bytes.subarray(start, endOf(start, size)) }
    at = start + size + (size % 2)
  }
  return format ? { format } : {}
}

/** The header of a streamed file has a size of zero or the maximum; `subarray` stops at the end of the file. */
const endOf = (start: number, size: number): number | undefined => (size === 0 ? undefined : start + size)

function factsOf(format: Buffer): Pick<Wav, 'rate' | 'channels' | 'codec'> | undefined {
  if (format.length < 16) return undefined
  const channels = format.readUInt16LE(2)
  const rate = format.readUInt32LE(4)
  const codec = codecOf(tagOf(format), format.readUInt16LE(14))
  if (!codec || channels < 1 || channels > channelsMax) return undefined
  return rate >= rates.min && rate <= rates.max ? { rate, channels, codec } : undefined
}

/** The format tag, which in WAVE_FORMAT_EXTENSIBLE is the first part of a GUID. */
function tagOf(format: Buffer): number {
  const tag = format.readUInt16LE(0)
  return tag === 0xfffe && format.length >= 26 ? format.readUInt16LE(24) : tag
}

function codecOf(tag: number, bits: number): Codec | undefined {
  if (tag === 1) return integers[bits]
  return tag === 3 ? floats[bits] : undefined
}

/** A WAV of one channel with 16 bits a sample. */
export function writeWav(samples: Float32Array, rate: number): Buffer {
  const size = samples.length * 2
  const wav = Buffer.alloc(44 + size)
  wav.write('RIFF', 0, 'latin1')
  wav.writeUInt32LE(36 + size, 4)
  wav.write('WAVEfmt ', 8, 'latin1')
  for (const [at, value] of [16, 0x1_0001, rate, rate * 2, 0x10_0002].entries())
    wav.writeUInt32LE(value, 16 + 4 * at)
  wav.write('data', 36, 'latin1')
  wav.writeUInt32LE(size, 40)
  for (const [at, sample] of samples.entries())
    wav.writeInt16LE(Math.round(Math.min(1, Math.max(-1, sample)) * 0x7fff), 44 + 2 * at)
  return wav
}

/** Mixes all channels into one. */
export function mixDown({ data, frames, channels, codec }: Wav): Float32Array<ArrayBuffer> {
  const read: Reader = readers[codec]
  const size = bytesOf[codec]
  const mono = new Float32Array(frames)
  for (let frame = 0; frame < frames; frame += 1) {
    let sum = 0
    for (let channel = 0; channel < channels; channel += 1) {
      sum += read(data, (frame * channels + channel) * size)
    }
    const value = sum / channels
    mono[frame] = Number.isFinite(value) ? value : 0
  }
  return mono
}

/** The width of the resampling filter on each side, in samples of the lower rate. */
const reach = 16

/** Resamples sound with a windowed sinc filter, which has no aliasing, unlike linear interpolation. */
export function resample(samples: Float32Array, from: number, to: number): Float32Array {
  assert(Number.isInteger(from) && Number.isInteger(to) && from > 0 && to > 0, 'rates are whole')
  if (from === to) return samples
  const phases = to / gcd(from, to)
  const step = from / gcd(from, to)
  const cutoff = Math.min(1, phases / step)
  const taps = 2 * Math.ceil(reach / cutoff)
  // One kernel per phase: the position of an output sample between two input samples.
  const kernels = Array.from({ length: phases }, (_, phase) => kernelAt(phase / phases, taps, cutoff))
  const result = new Float32Array(Math.round((samples.length * to) / from))
  for (let index = 0; index < result.length; index += 1) {
    const phase = (index * step) % phases
    result[index] = convolve(samples, (index * step - phase) / phases - taps / 2 + 1, kernels[phase] ?? [])
  }
  return result
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))

function convolve(samples: Float32Array, first: number, kernel: ArrayLike<number>): number {
  let sum = 0
  for (let tap = 0; tap < kernel.length; tap += 1) sum += (samples[first + tap] ?? 0) * (kernel[tap] ?? 0)
  return sum
}

function kernelAt(shift: number, taps: number, cutoff: number): Float32Array {
  const kernel = new Float32Array(taps).map((_, tap) =>
    windowedSinc(tap - taps / 2 + 1 - shift, cutoff, taps / 2),
  )
  const sum = kernel.reduce((total, weight) => total + weight, 0)
  return kernel.map((weight) => weight / sum)
}

function windowedSinc(distance: number, cutoff: number, half: number): number {
  if (distance === 0) return cutoff
  const x = Math.PI * distance
  const window = Math.abs(distance) < half ? Math.cos(x / (2 * half)) ** 2 : 0
  return (Math.sin(x * cutoff) / x) * window
}
