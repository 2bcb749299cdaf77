// MP3 at a constant bitrate, by LAME. Files are up to a fifth of a second longer than asked (36 ms at 44100 Hz), because
// the encoder looks ahead and fills its last frame.
//
// MPEG has no 256 kbit/s below 32000 Hz: there 160 are the most, and 64 at 8000 to 12000 Hz. No 8, 16 or 24 kbit/s from
// 32000 Hz on either. What there is not becomes the nearest that there is.

import assert from 'node:assert/strict'
import { createMp3Encoder } from 'wasm-media-encoders'
import { pieces, type Sound } from './sound.ts'

export const mp3Rates = [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000] as const

const speeds = [8, 16, 24, 32, 40, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320] as const

export async function mp3Of(sound: Sound, bitrate = 128_000): Promise<Buffer> {
  const encoder = await createMp3Encoder()
  const rate = mp3Rates.find((one) => one === sound.rate)
  assert(rate, `MP3 has no rate ${sound.rate}`)
  const channels = sound.loop.length === 1 ? 1 : 2
  encoder.configure({
    sampleRate: sound.rate,
    outputSampleRate: rate,
    channels,
    bitrate: nearest(rate, bitrate / 1000),
  })
  const parts: Buffer[] = []
  for await (const piece of pieces(sound, sound.rate)) parts.push(Buffer.from(encoder.encode(piece)))
  return Buffer.concat([...parts, encoder.finalize()])
}

function nearest(rate: number, wanted: number): (typeof speeds)[number] {
  const [least, most] = rate >= 32000 ? [32, 320] : rate >= 16000 ? [8, 160] : [8, 64]
  return speeds
    .filter((speed) => speed >= least && speed <= most)
    .reduce((best, speed) => (Math.abs(speed - wanted) < Math.abs(best - wanted) ? speed : best))
}
