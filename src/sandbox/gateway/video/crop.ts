// Crops an H.264 stream to a smaller frame without an encoder: its sequence parameter set (ITU-T H.264, 7.3.2.1.1) says how much
// of the coded picture is not shown, and nothing else in the stream depends on that. It handles what x264 writes for the clips
// (4:2:0, progressive, no scaling lists) and asserts that there is nothing else.

import assert from 'node:assert/strict'

export interface Frame {
  readonly width: number
  readonly height: number
}

/** @param description an avcC box; the frame is cut from the middle of the picture */
export function cropTo(description: Uint8Array, frame: Frame): Uint8Array {
  const box = Buffer.from(description)
  assert((box.readUInt8(5) & 31) === 1, 'one sequence parameter set')
  const end = 8 + box.readUInt16BE(6)
  const set = escaped(fromBits(withFrame(toBits(unescaped(box.subarray(8, end))), frame)))
  const length = Buffer.alloc(2)
  length.writeUInt16BE(set.length)
  return Buffer.concat([box.subarray(0, 6), length, set, box.subarray(end)])
}

const headBits = 32
const highProfile = 100

function withFrame(set: string, frame: Frame): string {
  assert(Number.parseInt(set.slice(8, 16), 2) === highProfile, 'the high profile')
  const read = reader(set, headBits)
  read.number() // seq_parameter_set_id
  assert(read.number() === 1, '4:2:0')
  assert(read.number() === 0 && read.number() === 0, '8 bits deep')
  assert(read.flags(2) === '00', 'no lossless bypass, no scaling lists')
  read.number() // log2_max_frame_num_minus4
  assert(read.number() === 2, 'output order is decoding order')
  read.number() // max_num_ref_frames
  read.flags(1) // gaps_in_frame_num_value_allowed_flag
  const coded = { width: 16 * (read.number() + 1), height: 16 * (read.number() + 1) }
  assert(read.flags(1) === '1', 'progressive')
  read.flags(1) // direct_8x8_inference_flag
  const start = read.at()
  if (read.flags(1) === '1') for (let side = 0; side < 4; side += 1) read.number()
  return set.slice(0, start) + cropping(coded, frame) + set.slice(read.at(), set.lastIndexOf('1') + 1)
}

/** The crop at the left, right, top and bottom, in pairs of pixels. */
function cropping(coded: Frame, frame: Frame): string {
  const sides = [coded.width - frame.width, coded.height - frame.height].flatMap((spare) => {
    assert(spare >= 0 && spare % 2 === 0, 'an even frame within the picture')
    const before = Math.floor(spare / 4)
    return [before, spare / 2 - before]
  })
  return sides.every((side) => side === 0) ? '0' : `1${sides.map(exponential).join('')}`
}

/** Encodes a number in Exp-Golomb: n + 1 in binary, preceded by one zero fewer than it has digits. */
function exponential(n: number): string {
  const digits = (n + 1).toString(2)
  return '0'.repeat(digits.length - 1) + digits
}

function reader(bits: string, from: number) {
  let at = from
  const flags = (count: number) => {
    at += count
    return bits.slice(at - count, at)
  }
  return {
    at: () => at,
    flags,
    number() {
      const zeros = bits.indexOf('1', at) - at
      return Number.parseInt(flags(2 * zeros + 1), 2) - 1
    },
  }
}

const toBits = (bytes: Buffer): string => [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')

function fromBits(bits: string): Buffer {
  const octets = bits.match(/.{1,8}/g) ?? []
  return Buffer.from(octets.map((octet) => Number.parseInt(octet.padEnd(8, '0'), 2)))
}

/** Inserts the bytes of emulation prevention: two zeros before a byte up to 3 could be a start code, so a 3 is put between them. */
function escaped(bytes: Buffer): Buffer {
  const out: number[] = []
  for (const byte of bytes) {
    if (byte <= 3 && endsInZeros(out)) out.push(3)
    out.push(byte)
  }
  return Buffer.from(out)
}

const unescaped = (bytes: Buffer): Buffer =>
  Buffer.from([...bytes].filter((byte, i) => byte !== 3 || !endsInZeros([...bytes.subarray(0, i)])))

const endsInZeros = (bytes: readonly number[]): boolean => bytes.at(-1) === 0 && bytes.at(-2) === 0
