// Changes sound, where no ffmpeg is needed: a WAV to a voice message, which is OGG/Opus; the sound of a user to what text models take, which
// is WAV or MP3, and AAC beside them in the native format. mediabunny reads, mixes, resamples and writes; libopus gives it the codec. Minutes
// of sound block the thread for seconds, so this runs in decoder processes: see decoders.ts.

import assert from 'node:assert/strict'
import {
  Application,
  createDecoder,
  createEncoder,
  isOpusError,
  type OpusDecoderHandle,
  type OpusEncoderHandle,
  type SampleRate,
} from 'libopus-wasm'
import {
  AdtsOutputFormat,
  AudioSample,
  BufferTarget,
  Conversion,
  type ConversionAudioOptions,
  CustomAudioDecoder,
  CustomAudioEncoder,
  EncodedPacket,
  type Input,
  MP3,
  OggOutputFormat,
  Output,
  type OutputFormat,
  registerDecoder,
  registerEncoder,
  WavOutputFormat,
} from 'mediabunny'
import { z } from 'zod'
import { withMedia } from './container.ts'
import type { HeardSound } from './convert.ts'

/** Samples per second: enough for speech, and what models reduce sound to. */
const heardRate = 16_000

const limits = z.object({ maxSeconds: z.number(), takesAac: z.boolean() })

/** @returns undefined when the sound is longer, or in a format that cannot be changed here */
export function soundForModel(bytes: Buffer, options: unknown): Promise<HeardSound | undefined> {
  const { maxSeconds, takesAac } = limits.parse(options)
  return withMedia(bytes, async (input) => {
    if ((await input.computeDuration()) > maxSeconds) return undefined
    if ((await input.getFormat()) === MP3) return { format: 'mp3', bytes }
    const codec = await (await input.getPrimaryAudioTrack())?.getCodec()
    if (codec === 'aac')
      return takesAac ? named('aac', await converted(input, new AdtsOutputFormat(), {})) : undefined
    const wav = { codec: 'pcm-s16', numberOfChannels: 1, sampleRate: heardRate } as const
    return named('wav', await converted(input, new WavOutputFormat(), wav))
  })
}

const named = (format: HeardSound['format'], bytes: Buffer | undefined) => bytes && { format, bytes }

const opusRates: readonly SampleRate[] = [8000, 12_000, 16_000, 24_000, 48_000]

export function encodeVoice(wav: Buffer): Promise<Buffer | undefined> {
  return withMedia(wav, async (input) => {
    const rate = (await (await input.getPrimaryAudioTrack())?.getSampleRate()) ?? 0
    // The lowest rate of Opus that is not below that of the sound.
    const sampleRate = opusRates.find((known) => known >= rate) ?? fileRate
    const format = new OggOutputFormat({ maximumPageDuration: 1 })
    return converted(input, format, { codec: 'opus', numberOfChannels: 1, sampleRate })
  })
}

/** Converts the sound of a file to another format. @param audio how to encode it; when empty, its packets are copied unchanged */
async function converted(
  input: Input,
  format: OutputFormat,
  audio: ConversionAudioOptions,
): Promise<Buffer | undefined> {
  const target = new BufferTarget()
  const conversion = await Conversion.init({
    input,
    output: new Output({ format, target }),
    video: { discard: true },
    audio,
    tracks: 'primary',
    ...(Object.keys(audio).length === 0 ? copied : {}),
    showWarnings: false,
  })
  if (!conversion.isValid) return undefined
  await conversion.execute()
  return target.buffer?.byteLength ? Buffer.from(target.buffer) : undefined
}

const copied = { copy: { mode: 'forced', shiftTolerance: Number.POSITIVE_INFINITY } } as const

// The codec Opus for mediabunny, which leaves codecs to browsers.

class OpusDecoder extends CustomAudioDecoder {
  #decoder: OpusDecoderHandle | undefined
  static override supports = (codec: string) => codec === 'opus'

  /** libopus mixes and resamples better than mediabunny does afterwards. */
  override async init() {
    this.#decoder = await createDecoder({ sampleRate: heardRate, channels: 1 })
  }
  /** A broken packet becomes silence. */
  override decode({ data: packet, timestamp }: EncodedPacket) {
    try {
      const data = this.#decoder?.decodeFloat(packet)
      const format = { format: 'f32', numberOfChannels: 1, sampleRate: heardRate, timestamp } as const
      if (data) this.onSample(new AudioSample({ ...format, data }))
    } catch (error) {
      if (!isOpusError(error)) throw error
    }
  }
  override flush() {}
  override close() {
    this.#decoder?.free()
  }
}

const packetsPerSecond = 50
/** OGG/Opus counts time at this rate, whatever rate is encoded. */
const fileRate = 48_000
const packetInFile = fileRate / packetsPerSecond

class OpusEncoder extends CustomAudioEncoder {
  #encoder: OpusEncoderHandle | undefined
  readonly #pieces: Buffer[] = []
  static override supports = (codec: string) => codec === 'opus'

  override async init() {
    const sampleRate = opusRates.find((known) => known === this.config.sampleRate)
    assert(sampleRate, 'the sound has a rate of Opus')
    const application = Application.Voip
    this.#encoder = await createEncoder({ application, bitrate: 32_000, channels: 1, sampleRate })
  }
  override encode(sample: AudioSample) {
    const piece = Buffer.alloc(sample.numberOfFrames * 4)
    sample.copyTo(piece, { planeIndex: 0, format: 'f32' })
    this.#pieces.push(piece)
  }
  override flush() {
    const encoder = this.#encoder
    assert(encoder, 'the encoder is open')
    const samples = new Float32Array(new Uint8Array(Buffer.concat(this.#pieces)).buffer)
    const { sampleRate } = this.config
    const toFile = fileRate / sampleRate
    const preSkip = encoder.getLookahead() * toFile
    // Players drop the first `preSkip` samples and all after the end.
    const end = preSkip + samples.length * toFile
    const description = opusHead(preSkip, sampleRate)
    const decoderConfig = { codec: 'opus', numberOfChannels: 1, sampleRate: fileRate, description }
    const size = sampleRate / packetsPerSecond
    // The encoder delays the samples, so packets are added until the last sample has left it.
    for (let start = 0, at = 0; start < end; start += packetInFile, at += size) {
      const frame = new Float32Array(size)
      frame.set(samples.subarray(at, at + size))
      const duration = Math.min(packetInFile, Math.round(end) - start) / fileRate
      const packet = new EncodedPacket(encoder.encodeFloat(frame), 'key', start / fileRate, duration)
      this.onPacket(packet, { decoderConfig })
    }
  }
  override close() {
    this.#encoder?.free()
  }
}

registerDecoder(OpusDecoder)
registerEncoder(OpusEncoder)

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
