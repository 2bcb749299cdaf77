// Sound of users on its way to a text model: speech in a format that models take, which is WAV or MP3, and AAC beside them in the native
// format. OGG/Opus, in which Telegram records voices, is decoded here. Runs in a decoder process: see decoders.ts.

import { createDecoder, isOpusError } from 'libopus-wasm'
import {
  AdtsOutputFormat,
  BufferTarget,
  Conversion,
  EncodedPacketSink,
  type Input,
  type InputAudioTrack,
  MP3,
  Output,
} from 'mediabunny'
import { z } from 'zod'
import { withMedia } from './container.ts'
import type { HeardSound } from './convert.ts'
import { mixDown, readWav, resample, writeWav } from './wav.ts'

/** Samples per second: enough for speech, and what models reduce sound to. */
const rate = 16_000

const limits = z.object({ maxSeconds: z.number(), takesAac: z.boolean() })
type Limits = z.output<typeof limits>

/** @returns undefined when the sound is longer, or in a format that cannot be changed here */
export async function soundForModel(bytes: Buffer, options: unknown): Promise<HeardSound | undefined> {
  const most = limits.parse(options)
  const wav = readWav(bytes)
  if (!wav) return withMedia(bytes, (input) => convert(input, bytes, most))
  if (wav.frames > most.maxSeconds * wav.rate) return undefined
  return { format: 'wav', bytes: writeWav(resample(mixDown(wav), wav.rate, rate), rate) }
}

async function convert(input: Input, bytes: Buffer, most: Limits): Promise<HeardSound | undefined> {
  const track = await input.getPrimaryAudioTrack()
  const codec = await track?.getCodec()
  if (!track || (await input.computeDuration()) > most.maxSeconds) return undefined
  if ((await input.getFormat()) === MP3) return { format: 'mp3', bytes }
  if (codec === 'opus') return decodeOpus(track, most)
  return codec === 'aac' && most.takesAac ? copyAac(input) : undefined
}

/** A packet that is broken is heard as silence. */
async function decodeOpus(track: InputAudioTrack, { maxSeconds }: Limits): Promise<HeardSound | undefined> {
  const decoder = await createDecoder({ sampleRate: rate, channels: 1 })
  const pieces: Float32Array[] = []
  let frames = 0
  try {
    for await (const { data } of new EncodedPacketSink(track).packets()) {
      const piece = attempt(() => decoder.decodeFloat(data))
      if (!piece) continue
      frames += piece.length
      if (frames > (maxSeconds + 1) * rate) return undefined
      pieces.push(piece)
    }
  } finally {
    decoder.free()
  }
  const samples = new Float32Array(frames)
  let at = 0
  for (const piece of pieces) {
    samples.set(piece, at)
    at += piece.length
  }
  return frames > 0 ? { format: 'wav', bytes: writeWav(samples, rate) } : undefined
}

function attempt(decode: () => Float32Array): Float32Array | undefined {
  try {
    return decode()
  } catch (error) {
    if (isOpusError(error)) return undefined
    throw error
  }
}

/** The sound of a video or of an M4A without encoding. */
async function copyAac(input: Input): Promise<HeardSound | undefined> {
  const target = new BufferTarget()
  const output = new Output({ format: new AdtsOutputFormat(), target })
  const video = { discard: true }
  const copy = { mode: 'forced', shiftTolerance: Number.POSITIVE_INFINITY } as const
  const conversion = await Conversion.init({
    input,
    output,
    video,
    tracks: 'primary',
    copy,
    showWarnings: false,
  })
  if (!conversion.isValid) return undefined
  await conversion.execute()
  return target.buffer ? { format: 'aac', bytes: Buffer.from(target.buffer) } : undefined
}
