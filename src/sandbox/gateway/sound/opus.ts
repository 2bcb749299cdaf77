// Opus in Ogg, which Telegram plays as a voice message.

import assert from 'node:assert/strict'
import { createEncoder, type OpusEncoderHandle } from 'libopus-wasm'
import { BufferTarget, EncodedAudioPacketSource, EncodedPacket, OggOutputFormat, Output } from 'mediabunny'
import { interleaved, pieces, type Sound } from './sound.ts'

export const opusRates = [8000, 12000, 16000, 24000, 48000] as const

const packetSeconds = 0.02
/** Opus counts samples at this rate, independent of the rate of the sound. */
const clockRate = 48_000

export async function opusOf(sound: Sound, bitrate = 48_000): Promise<Buffer> {
  const rate = opusRates.find((one) => one === sound.rate)
  assert(rate, `Opus has no rate ${sound.rate}`)
  const channels = sound.loop.length === 1 ? 1 : 2
  using encoder = await createEncoder({ sampleRate: rate, channels, bitrate })
  const skip = (encoder.getLookahead() * clockRate) / rate
  const target = new BufferTarget()
  const output = new Output({ format: new OggOutputFormat(), target })
  const track = new EncodedAudioPacketSource('opus')
  output.addAudioTrack(track)
  await output.start()
  const description = opusHead(channels, skip, rate)
  const decoderConfig = { codec: 'opus', numberOfChannels: channels, sampleRate: clockRate, description }
  for await (const packet of packets(encoder, sound, skip / clockRate))
    await track.add(packet, { decoderConfig })
  await output.finalize()
  assert(target.buffer, 'a finished output has its bytes')
  return Buffer.from(target.buffer)
}

/** @param lookahead seconds by which the encoder delays the sound; it is fed that much more sound */
async function* packets(
  encoder: OpusEncoderHandle,
  sound: Sound,
  lookahead: number,
): AsyncGenerator<EncodedPacket> {
  const size = packetSeconds * sound.rate
  const seconds = sound.frames / sound.rate + lookahead
  const frames = Math.ceil(seconds / packetSeconds - 1e-6) * size
  let at = 0
  for await (const piece of pieces({ ...sound, frames }, size)) {
    const duration = Math.min(packetSeconds, seconds - at)
    yield new EncodedPacket(encoder.encode(interleaved(piece)), 'key', at, duration)
    at += packetSeconds
  }
}

/** The identification header of RFC 7845, section 5.1. */
function opusHead(channels: number, skip: number, rate: number): Uint8Array {
  const head = Buffer.alloc(19)
  head.write('OpusHead')
  head.writeUInt8(1, 8)
  head.writeUInt8(channels, 9)
  head.writeUInt16LE(skip, 10)
  head.writeUInt32LE(rate, 12)
  return head
}
