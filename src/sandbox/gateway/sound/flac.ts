// FLAC, the simplest that still packs: a fixed predictor of the second order, its errors Rice coded (RFC 9639).

import { createHash } from 'node:crypto'
import { BitWriter, crc8, crc16 } from './bits.ts'
import { interleaved, pieces, type Sound } from './sound.ts'
import { bytesOf } from './wav.ts'

const blockSize = 4096

/** Other rates are read from the header of the file. */
const rateCodes: Readonly<Record<number, number>> = {
  8000: 4,
  16000: 5,
  22050: 6,
  24000: 7,
  32000: 8,
  44100: 9,
  48000: 10,
}

export async function flacOf(sound: Sound): Promise<Buffer> {
  const digest = createHash('md5')
  const frames: Buffer[] = []
  for await (const piece of pieces(sound, blockSize)) {
    const samples = interleaved(piece)
    digest.update(bytesOf(samples))
    frames.push(frameOf(sound, samples, frames.length))
  }
  return Buffer.concat([Buffer.from('fLaC'), streamInfo(sound, digest.digest()), ...frames])
}

/** The only metadata block, and so marked as the last. */
function streamInfo({ rate, loop, frames }: Sound, digest: Buffer): Buffer {
  const block = Buffer.alloc(4 + 18)
  block.writeUInt32BE(0x80_00_00_22, 0)
  block.writeUInt16BE(blockSize, 4)
  block.writeUInt16BE(blockSize, 6)
  const format = (BigInt(rate) << 12n) | (BigInt(loop.length - 1) << 9n) | (15n << 4n)
  block.writeBigUInt64BE((format << 32n) | BigInt(frames), 14)
  return Buffer.concat([block, digest])
}

function frameOf({ rate, loop }: Sound, samples: Int16Array, index: number): Buffer {
  const channels = loop.length
  const count = samples.length / channels
  const start = [0xff, 0xf8, 0x70 | (rateCodes[rate] ?? 0), ((channels - 1) << 4) | (4 << 1)]
  const header = Buffer.from([...start, ...coded(index), (count - 1) >> 8, (count - 1) & 0xff])
  const bits = new BitWriter()
  for (let channel = 0; channel < channels; channel += 1) {
    writeSubframe(
      bits,
      Int16Array.from({ length: count }, (_, i) => samples[i * channels + channel] ?? 0),
    )
  }
  const body = Buffer.concat([header, Buffer.of(crc8(header)), bits.finish()])
  const sum = crc16(body)
  return Buffer.concat([body, Buffer.of(sum >> 8, sum & 0xff)])
}

/** A number as UTF-8 would write it. Ten minutes are 7032 frames at most, so three bytes are enough. */
function coded(index: number): number[] {
  if (index < 0x80) return [index]
  if (index < 0x800) return [0xc0 | (index >> 6), 0x80 | (index & 0x3f)]
  return [0xe0 | (index >> 12), 0x80 | ((index >> 6) & 0x3f), 0x80 | (index & 0x3f)]
}

const order = 2

function writeSubframe(bits: BitWriter, samples: Int16Array): void {
  const warm = Math.min(order, samples.length)
  // A tail shorter than the order has nothing to predict, and is written as it is.
  bits.write(samples.length > order ? (8 | order) << 1 : 1 << 1, 8)
  for (let i = 0; i < warm; i += 1) bits.write(samples[i] ?? 0, 16)
  if (samples.length > order) writeErrors(bits, errorsOf(samples))
}

/** What the line through the two samples before gets wrong, folded so that none is negative. */
function errorsOf(samples: Int16Array): Int32Array {
  return Int32Array.from({ length: samples.length - order }, (_, i) => {
    const error = (samples[i + 2] ?? 0) - 2 * (samples[i + 1] ?? 0) + (samples[i] ?? 0)
    return error >= 0 ? 2 * error : -2 * error - 1
  })
}

/** As a single partition, with the parameter that suits its mean. */
function writeErrors(bits: BitWriter, errors: Int32Array): void {
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length
  const parameter = Math.min(14, Math.max(0, Math.floor(Math.log2(mean + 1))))
  bits.write(0, 6)
  bits.write(parameter, 4)
  for (const error of errors) {
    bits.unary(error >> parameter)
    bits.write(error, parameter)
  }
}
