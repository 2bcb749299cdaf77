// Converting sound to voice messages of the same duration and content, and to the formats that text models take.

import assert from 'node:assert/strict'
import { createDecoder } from 'libopus-wasm'
import { EncodedPacketSink } from 'mediabunny'
import { describe, expect, it } from 'vitest'
import { withMedia } from '../../src/media/container.ts'
import { probeAudio, soundForModel, toVoice } from '../../src/media/convert.ts'
import { findFfmpeg, runFfmpeg } from '../../src/media/decoders.ts'
import {
  chunkHead,
  clip,
  fixture,
  makeMp3,
  makeOgg,
  makeWav,
  sine,
  type WavSpec,
} from '../support/media/media-files.ts'

const hasFfmpeg = await findFfmpeg()
const orSkipped = (name: string) => (hasFfmpeg ? name : `${name} (skipped: no ffmpeg here)`)

/** What a player plays: all decoded packets, without the samples that the header tells it to drop. */
async function played(ogg: Buffer): Promise<Float32Array> {
  const sound = await withMedia(ogg, async (input) => {
    const track = await input.getPrimaryAudioTrack()
    const head = (await track?.getDecoderConfig())?.description
    assert(track && head instanceof Uint8Array)
    const decoder = await createDecoder({ channels: 1, sampleRate: 48_000 })
    const samples: number[] = []
    for await (const packet of new EncodedPacketSink(track).packets()) {
      for (const sample of decoder.decodeFloat(packet.data)) samples.push(sample)
    }
    decoder.free()
    const preSkip = Buffer.from(head).readUInt16LE(10)
    const length = Math.round((await input.computeDuration()) * 48_000)
    return Float32Array.from(samples.slice(preSkip, preSkip + length))
  })
  assert(sound)
  return sound
}

/** Correlation: 1 for equal signals of any volume. */
function likeness(sound: Float32Array, expected: (time: number) => number): number {
  let [both, one, other] = [0, 0, 0]
  for (const [index, value] of sound.entries()) {
    const wanted = expected(index / 48_000)
    both += value * wanted
    one += value * value
    other += wanted * wanted
  }
  return both / Math.sqrt(one * other)
}

/** The samples of a WAV with one channel and 16 bits a sample. */
const samplesOf = (wav: Buffer) =>
  new Int16Array(new Uint8Array(wav.subarray(wav.indexOf('data') + 8)).buffer)

describe('a voice message', () => {
  /** A rising tone, so that a shift of half a millisecond is detected. The speech filters shift the phase of low tones a little. */
  const rising = (time: number) => 0.4 * Math.sin(2 * Math.PI * (250 * time + 150 * time * time))

  it.each([11_025, 48_000])('from %i Hz keeps its duration, without a shift', async (rate) => {
    const ogg = await makeOgg(makeWav(1.2345, rising, { rate }))
    const facts = await probeAudio(ogg)
    expect(facts).toMatchObject({ container: 'ogg', codec: 'opus' })
    expect(Math.abs((facts?.seconds ?? 0) - 1.2345)).toBeLessThan(0.001)
    expect(likeness(await played(ogg), rising)).toBeGreaterThan(0.9)
  })

  it('is made from WAV in a worker thread', async () => {
    const voice = await toVoice(makeWav(2.4, sine(300)))
    expect(voice).toMatchObject({ name: 'voice.ogg', seconds: 2 })
    assert(voice)
    // 32 kbit/s: about 4 kB per second.
    expect(voice.bytes.length).toBeLessThan(14_000)
    expect(await probeAudio(voice.bytes)).toMatchObject({ seconds: expect.closeTo(2.4, 3), codec: 'opus' })
  })

  it('made from OGG/Opus or MP3 is the unchanged file', async () => {
    const ogg = await makeOgg(makeWav(1, sine(300)))
    expect(await toVoice(ogg)).toEqual({ bytes: ogg, seconds: 1, name: 'voice.ogg' })
    const mp3 = await makeMp3(2)
    expect(await toVoice(mp3)).toEqual({ bytes: mp3, seconds: 2, name: 'voice.mp3' })
  })

  it.skipIf(!hasFfmpeg)(orSkipped('is made from FLAC by ffmpeg'), async () => {
    const flac = await asFlac(makeWav(1.5, sine(300)))
    expect(await probeAudio(flac)).toEqual({ seconds: 1.5, container: 'flac', codec: 'flac' })
    const voice = await toVoice(flac)
    expect(voice?.name).toBe('voice.ogg')
    assert(voice)
    expect(await probeAudio(voice.bytes)).toMatchObject({ seconds: expect.closeTo(1.5, 1), codec: 'opus' })
  })

  /** ffmpeg gets the OGG that is made of the WAV, not the WAV itself. */
  async function asFlac(wav: Buffer): Promise<Buffer> {
    const ogg = await toVoice(wav)
    assert(ogg)
    const options = ['-c:a', 'flac']
    const job = { bytes: ogg.bytes, reads: 'ogg', options, output: 'out.flac', timeoutMs: 20_000 } as const
    const flac = await runFfmpeg(job)
    assert(flac)
    return flac
  }

  it('is not made from raw sound, from a video, or from more than half an hour of sound', async () => {
    expect(await toVoice(makeWav(1, sine(300)).subarray(44))).toBeUndefined()
    expect(await toVoice(await clip('640x640.mp4'))).toBeUndefined()
    const stream = makeWav(1, () => 0, { rate: 4000, bits: 8, says: 0 })
    expect(await toVoice(Buffer.concat([stream, Buffer.alloc(4000 * 1800, 128)]))).toBeUndefined()
  })

  it('is not made after the timeout', async () => {
    expect(await toVoice(makeWav(2, sine(300)), 1)).toBeUndefined()
  })
})

describe('the sound of a question', () => {
  const tone = makeWav(2, sine(440))
  const heard = async (bytes: Buffer, takesAac = false, maxSeconds = 300) => {
    const sound = await soundForModel(bytes, { maxSeconds, takesAac })
    return typeof sound === 'object' ? sound : { format: sound, bytes: Buffer.alloc(0) }
  }

  it('is passed on or converted by its format, and refused when there is none or when it is too long', async () => {
    for (const [bytes, takesAac, format] of [
      [await makeMp3(2), false, 'mp3'],
      [await fixture('video-0-square-5-sound.mp4'), true, 'aac'],
      [await clip('sound.m4a'), true, 'aac'],
      [await fixture('video-0-square-5.mp4'), true, undefined],
      [Buffer.from('no sound'), true, undefined],
    ] as const)
      expect((await heard(bytes, takesAac)).format).toBe(format)
    // With a second for the recorder.
    expect((await heard(await makeOgg(tone), false, 1)).format).toBe('wav')
    expect((await heard(makeWav(3, sine(440)), false, 1)).format).toBe('too-long')
  })

  it('is as long and as loud in 16 kHz, with one channel, from OGG/Opus and from any WAV, also a streamed one', async () => {
    const list = Buffer.concat([chunkHead('LIST', 4), Buffer.from('INFO')])
    const odd = Buffer.concat([chunkHead('junk', 3), Buffer.from('data')])
    const specs: Partial<WavSpec>[] = [
      { rate: 44_100, channels: 2 },
      { bits: 8 },
      { bits: 24 },
      { bits: 32, isFloat: true },
      { isExtensible: true, channels: 2, bits: 24 },
      { before: [list, odd], after: [list] },
      { says: 0xffff_ffff },
      { says: 0 },
    ]
    const wavs = specs.map((spec) => makeWav(2, sine(440), spec))
    const wrong = []
    for (const [at, bytes] of [await makeOgg(tone), ...wavs].entries()) {
      const { format, bytes: wav } = await heard(bytes)
      const samples = samplesOf(wav)
      const loudness = Math.sqrt(samples.reduce((sum, one) => sum + (one / 0x8000) ** 2, 0) / samples.length)
      const facts = { format, channels: wav.readUInt16LE(22), rate: wav.readUInt32LE(24) }
      expect(facts).toEqual({ format: 'wav', channels: 1, rate: 16_000 })
      const isWrong = Math.abs(samples.length - 32_000) > 700 || Math.abs(loudness - 0.354) > 0.02
      if (isWrong) wrong.push([specs[at - 1], samples.length, loudness])
    }
    expect(wrong).toEqual([])
  })
})
