// Makes videos without an encoder: the packets of a short loop are repeated and muxed to exactly the requested length and size.

import assert from 'node:assert/strict'
import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedVideoPacketSource,
  MovOutputFormat,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny'
import type { VideoSpec } from '../artifact-spec.ts'
import { clipFor, type Loop, repeat, withClip } from './clip.ts'
import { cropTo, type Frame } from './crop.ts'

const pictureLoop = (variant: number): Loop => ({ from: variant * 32, packets: 32, seconds: 1 })

const h264 = {
  clip: 'mp4',
  video: 'avc',
  sound: { file: 'sound.m4a', codec: 'aac', loop: { from: 48, packets: 48, seconds: 1.024 } },
} as const
const vp9 = {
  clip: 'webm',
  video: 'vp9',
  sound: { file: 'sound.webm', codec: 'opus', loop: { from: 50, packets: 50, seconds: 1 } },
} as const

const containers = {
  MP4: { ...h264, format: () => new Mp4OutputFormat({ fastStart: 'in-memory' }) },
  MOV: { ...h264, format: () => new MovOutputFormat({ fastStart: 'in-memory' }) },
  WEBM: { ...vp9, format: () => new WebMOutputFormat() },
}

export async function makeVideo({
  format,
  width,
  height,
  seconds,
  sound,
  variant,
}: VideoSpec): Promise<Buffer> {
  const container = containers[format]
  const target = new BufferTarget()
  const output = new Output({ format: container.format(), target })
  const picture = new EncodedVideoPacketSource(container.video)
  output.addVideoTrack(picture)
  const clip = await clipFor({ width, height }, container.clip)
  const tracks = [() => copyPicture(clip, picture, { width, height }, pictureLoop(variant), seconds)]
  if (sound) {
    const { file, codec, loop } = container.sound
    const chord = new EncodedAudioPacketSource(codec)
    output.addAudioTrack(chord)
    tracks.push(() => copySound(file, chord, loop, seconds))
  }
  await output.start()
  // The tracks are copied in parallel, so that the muxer can interleave them.
  await Promise.all(tracks.map((copy) => copy()))
  await output.finalize()
  assert(target.buffer, 'a finished output has its bytes')
  return Buffer.from(target.buffer)
}

async function copyPicture(
  file: string,
  to: EncodedVideoPacketSource,
  frame: Frame,
  loop: Loop,
  seconds: number,
) {
  await withClip(file, async (input) => {
    const track = await input.getPrimaryVideoTrack()
    const coded = await track?.getDecoderConfig()
    assert(track && coded, `${file} has a video track`)
    const decoderConfig = croppedConfig(coded, frame)
    for await (const packet of repeat(track, loop, seconds)) await to.add(packet, { decoderConfig })
  })
  to.close()
}

async function copySound(file: string, to: EncodedAudioPacketSource, loop: Loop, seconds: number) {
  await withClip(file, async (input) => {
    const track = await input.getPrimaryAudioTrack()
    const decoderConfig = await track?.getDecoderConfig()
    assert(track && decoderConfig, `${file} has an audio track`)
    for await (const packet of repeat(track, loop, seconds)) await to.add(packet, { decoderConfig })
  })
  to.close()
}

function croppedConfig(coded: VideoDecoderConfig, { width, height }: Frame): VideoDecoderConfig {
  if (coded.codedWidth === width && coded.codedHeight === height) return coded
  assert(coded.description instanceof Uint8Array, 'only H.264 can be cropped')
  const description = cropTo(coded.description, { width, height })
  return { ...coded, codedWidth: width, codedHeight: height, description }
}
