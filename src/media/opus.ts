// Encodes sound as OGG/Opus for Telegram's voice messages. Blocks its thread for most of a second per minute of sound, so it
// runs in a decoder process: see decoders.ts.

import assert from 'node:assert/strict'
import { Application, createEncoder, type OpusEncoderHandle, type SampleRate } from 'libopus-wasm'
import { BufferTarget, EncodedAudioPacketSource, EncodedPacket, OggOutputFormat, Output } from 'mediabunny'
import { mixDown, resample, type Wav } from './wav.ts'

const framesPerSecond = 50
/** OGG/Opus counts time at this rate, whatever rate is encoded. */
const fileRate = 48_000
const frameInFile = fileRate / framesPerSecond

const opusRates: readonly SampleRate[] = [8000, 12_000, 16_000, 24_000, 48_000]

/** The lowest rate of Opus that is not below this one. */
const opusRate = (rate: number): SampleRate => opusRates.find((known) => known >= rate) ?? fileRate

export async function encodeVoice(wav: Wav): Promise<Uint8Array<ArrayBuffer>> {
  const rate = opusRate(wav.rate)
  const samples = resample(mixDown(wav), wav.rate, rate)
  const encoder = await createEncoder({
    application: Application.Voip,
    bitrate: 32_000,
    channels: 1,
    sampleRate: rate,
  })
  const preSkip = (encoder.getLookahead() * fileRate) / rate
  const packets = encodeAll(encoder, samples, rate)
  encoder.free()
  return mux(packets, preSkip, (wav.frames / wav.rate) * fileRate, wav.rate)
}

/** Encodes all samples. The encoder delays them by its lookahead, so frames are added until the last sample has left it. */
function encodeAll(encoder: OpusEncoderHandle, samples: Float32Array, rate: number): Uint8Array[] {
  const size = rate / framesPerSecond
  const count = Math.ceil((samples.length + encoder.getLookahead()) / size)
  return Array.from({ length: count }, (_, index) => {
    const frame = new Float32Array(size)
    frame.set(samples.subarray(index * size, (index + 1) * size))
    return encoder.encodeFloat(frame)
  })
}

/** Writes the packets into an OGG file. Players drop `preSkip` samples at the beginning and all samples after `length`. */
async function mux(packets: readonly Uint8Array[], preSkip: number, length: number, sourceRate: number) {
  const target = new BufferTarget()
  const output = new Output({ format: new OggOutputFormat({ maximumPageDuration: 1 }), target })
  const source = new EncodedAudioPacketSource('opus')
  output.addAudioTrack(source)
  await output.start()
  const description = opusHead(preSkip, sourceRate)
  const decoderConfig = { codec: 'opus', numberOfChannels: 1, sampleRate: fileRate, description }
  for (const [index, packet] of packets.entries()) {
    const start = index * frameInFile
    const duration = Math.min(frameInFile, Math.round(preSkip + length) - start) / fileRate
    await source.add(new EncodedPacket(packet, 'key', start / fileRate, duration), { decoderConfig })
  }
  await output.finalize()
  assert(target.buffer, 'a finished output has its bytes')
  return new Uint8Array(target.buffer)
}

/** The identification header of RFC 7845, section 5.1. */
function opusHead(preSkip: number, sourceRate: number): Uint8Array {
  const head = Buffer.alloc(19)
  head.write('OpusHead', 'latin1')
  head.writeUInt8(1, 8)
  head.writeUInt8(1, 9)
  head.writeUInt16LE(preSkip, 10)
  head.writeUInt32LE(sourceRate, 12)
  return head
}
