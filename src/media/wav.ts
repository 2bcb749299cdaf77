// Reads WAV files, including streamed ones, whose header was never updated with the size: their data extends to the end of the
// file. (mediabunny also reads WAV, but believes a size of zero.)

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
