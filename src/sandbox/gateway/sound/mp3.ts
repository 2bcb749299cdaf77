// MP3 at a constant bitrate, encoded by LAME. Files are up to 0.2 s longer than requested (36 ms at 44100 Hz), because of the
// encoder's look-ahead and its filled last frame.
//
// MPEG allows 8 to 64 kbit/s at 8000 to 12000 Hz, 8 to 160 from 16000 Hz and 32 to 320 from 32000 Hz. Any other bitrate becomes
// the nearest allowed one.

import assert from 'node:assert/strict'
import { createMp3Encoder } from 'wasm-media-encoders'
import { pieces, type Sound } from './sound.ts'

export const mp3Rates = [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000] as const

const bitrates = [8, 16, 24, 32, 40, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320] as const

export async function mp3Of(sound: Sound, bitrate = 128_000): Promise<Buffer> {
  const encoder = await createMp3Encoder()
  const rate = mp3Rates.find((one) => one === sound.rate)
  assert(rate, `MP3 has no rate ${sound.rate}`)
  const channels = sound.loop.length === 1 ? 1 : 2
  encoder.configure({
    sampleRate: sound.rate,
    outputSampleRate: rate,
    channels,
    bitrate: nearestBitrate(rate, bitrate / 1000),
  })
  const parts: Buffer[] = []
  for await (const piece of pieces(sound, sound.rate)) parts.push(Buffer.from(encoder.encode(piece)))
  return Buffer.concat([...parts, encoder.finalize()])
}

function nearestBitrate(rate: number, wanted: number): (typeof bitrates)[number] {
  const [least, most] = rate >= 32000 ? [32, 320] : rate >= 16000 ? [8, 160] : [8, 64]
  return bitrates
    .filter((one) => one >= least && one <= most)
    .reduce((best, one) => (Math.abs(one - wanted) < Math.abs(best - wanted) ? one : best))
}
