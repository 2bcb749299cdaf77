// A minimal FLAC encoder: a fixed predictor of the second order, with Rice coded residuals (RFC 9639).

import { createHash } from 'node:crypto'
import { BitWriter, crc8, crc16 } from './bits.ts'
import { interleaved, pieces, type Sound } from './sound.ts'
import { bytesOf } from './wav.ts'

const blockSize = 4096

/** Codes of the usual rates. Decoders read any other rate from the header of the file. */
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

/** The only metadata block, so it is marked as the last. */
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
  const header = Buffer.from([...start, ...utf8Coded(index), (count - 1) >> 8, (count - 1) & 0xff])
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

/** The frame number, encoded like UTF-8. Ten minutes are at most 7032 frames, so three bytes are enough. */
function utf8Coded(index: number): number[] {
  if (index < 0x80) return [index]
  if (index < 0x800) return [0xc0 | (index >> 6), 0x80 | (index & 0x3f)]
  return [0xe0 | (index >> 12), 0x80 | ((index >> 6) & 0x3f), 0x80 | (index & 0x3f)]
}

const order = 2

function writeSubframe(bits: BitWriter, samples: Int16Array): void {
  const warmUp = Math.min(order, samples.length)
  // A block that is not longer than the order of the predictor is written verbatim.
  bits.write(samples.length > order ? (8 | order) << 1 : 1 << 1, 8)
  for (let i = 0; i < warmUp; i += 1) bits.write(samples[i] ?? 0, 16)
  if (samples.length > order) writeResiduals(bits, residualsOf(samples))
}

/** Differences from the line through the two previous samples, zigzag coded so that none is negative. */
function residualsOf(samples: Int16Array): Int32Array {
  return Int32Array.from({ length: samples.length - order }, (_, i) => {
    const error = (samples[i + 2] ?? 0) - 2 * (samples[i + 1] ?? 0) + (samples[i] ?? 0)
    return error >= 0 ? 2 * error : -2 * error - 1
  })
}

/** Writes the residuals as one partition, with the Rice parameter that suits their mean. */
function writeResiduals(bits: BitWriter, residuals: Int32Array): void {
  const mean = residuals.reduce((sum, residual) => sum + residual, 0) / residuals.length
  const parameter = Math.min(14, Math.max(0, Math.floor(Math.log2(mean + 1))))
  bits.write(0, 6)
  bits.write(parameter, 4)
  for (const residual of residuals) {
    bits.unary(residual >> parameter)
    bits.write(residual, parameter)
  }
}
