// The artifacts of the local gateway: pictures, sounds and 3D models are real files with exactly the requested properties.

import { crc32 } from 'node:zlib'
import { getBounds, NodeIO, type Primitive } from '@gltf-transform/core'
import { ALL_FORMATS, BufferSource, Input } from 'mediabunny'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { formatOf } from '../../../src/media/format.ts'
import { companionFormats } from '../../../src/sandbox/fault-schema.ts'
import {
  type ArtifactSpec,
  type AudioSpec,
  artifactSpec,
  type CompanionFormat,
  contentType,
  extension,
  type ImageSpec,
  type Model3dSpec,
  readArtifact,
  type VideoSpec,
} from '../../../src/sandbox/gateway/artifacts.ts'
import { facts } from '../../support/gateway/local-gateway.ts'

/** Reads the file of a spec after storing the spec as JSON, as the gateway does. */
const made = (spec: ArtifactSpec) => readArtifact(artifactSpec.parse(JSON.parse(JSON.stringify(spec))))

const image = (more: Partial<ImageSpec> = {}): ImageSpec => ({
  kind: 'image',
  format: 'PNG',
  width: 256,
  height: 256,
  variant: 0,
  ...more,
})
const audio = (more: Partial<AudioSpec> = {}): AudioSpec => ({
  kind: 'audio',
  format: 'wav',
  seconds: 2.5,
  variant: 0,
  voice: 'speech',
  ...more,
})
const model3d = (more: Partial<Model3dSpec> = {}): Model3dSpec => ({
  kind: 'model3d',
  format: 'GLB',
  textured: false,
  rigged: false,
  animated: false,
  ...more,
})

describe('artifacts', () => {
  it.each([
    [image(), 'image/png', 'png'],
    [image({ format: 'JPG' }), 'image/jpeg', 'jpg'],
    [audio({ format: 'mp3' }), 'audio/mpeg', 'mp3'],
    [audio({ format: 'wav' }), 'audio/wav', 'wav'],
    [audio({ format: 'pcm' }), 'application/octet-stream', 'pcm'],
    [audio({ format: 'flac' }), 'audio/flac', 'flac'],
    [model3d(), 'model/gltf-binary', 'glb'],
  ] as const)('have the content type and the extension of their format: %o', (spec, type, ending) => {
    expect(contentType(spec)).toBe(type)
    expect(extension(spec)).toBe(ending)
  })

  it('are refused outside their limits', () => {
    const wrong = [
      image({ width: 4097 }),
      image({ height: 0 }),
      image({ variant: 6 }),
      audio({ seconds: 601 }),
      audio({ seconds: 0 }),
    ]
    for (const spec of wrong) expect(artifactSpec.safeParse(spec).success).toBe(false)
  })
})

describe('videos', () => {
  const video = (more: Partial<VideoSpec> = {}): VideoSpec => ({
    kind: 'video',
    format: 'MP4',
    shape: 'wide',
    large: false,
    seconds: 5,
    sound: false,
    variant: 0,
    ...more,
  })

  it.each([
    { format: 'MP4', mime: 'video/mp4', codec: 'avc', soundCodec: 'aac' },
    { format: 'MOV', mime: 'video/quicktime', codec: 'avc', soundCodec: 'aac' },
    { format: 'WEBM', mime: 'video/webm', codec: 'vp9', soundCodec: 'opus' },
  ] as const)('in $format have their codec, shape and sound', async ({ format, mime, codec, soundCodec }) => {
    for (const sound of [true, false]) {
      for (const [shape, width, height] of [
        ['wide', 480, 270],
        ['square', 360, 360],
        ['tall', 270, 480],
      ] as const) {
        const found = await facts(await made(video({ format, shape, sound })))
        const seconds = expect.closeTo(5, 1)
        expect(found).toEqual({ mime, codec, sound: sound ? soundCodec : undefined, width, height, seconds })
      }
    }
  })

  it('in a high resolution have enough pixels to be continued', async () => {
    for (const shape of ['wide', 'square', 'tall'] as const) {
      const { width, height, seconds } = await facts(await made(video({ shape, large: true })))
      expect((width ?? 0) * (height ?? 0)).toBeGreaterThanOrEqual(1_866_240)
      expect(seconds).toBeCloseTo(5, 1)
    }
  })

  it('have two lengths in MP4', async () => {
    for (const [ordered, seconds] of [
      [1, 5],
      [7, 5],
      [8, 10],
      [15, 10],
    ] as const) {
      expect(await facts(await made(video({ seconds: ordered })))).toMatchObject({ seconds })
    }
  })
})

describe('pictures', () => {
  const sizes = [
    [1024, 1024],
    [1344, 768],
    [576, 1024],
    [2048, 2048],
    [4096, 1],
    [1, 4096],
    [1, 1],
  ] as const

  it.each(sizes)('of %i x %i pixels have that size and fewer than 2 MB', async (width, height) => {
    for (const [format, type] of [
      ['PNG', 'png'],
      ['JPG', 'jpeg'],
    ] as const) {
      const bytes = await made(image({ format, width, height, variant: 5 }))
      expect(await sharp(bytes).metadata()).toMatchObject({ format: type, width, height, channels: 3 })
      expect(bytes.length).toBeLessThan(2_000_000)
    }
  })

  it('show six different scenes with contrast', async () => {
    const means = new Set<string>()
    for (const variant of [0, 1, 2, 3, 4, 5]) {
      const { channels, isOpaque } = await sharp(await made(image({ variant }))).stats()
      expect(isOpaque).toBe(true)
      expect(channels.some(({ stdev }) => stdev > 20)).toBe(true)
      means.add(channels.map(({ mean }) => Math.round(mean / 8)).join())
    }
    expect(means.size).toBe(6)
  })
})

describe('sounds', () => {
  /** Properties of a sound file, read by an independent library. */
  async function heard(bytes: Buffer) {
    using input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS })
    const codec = await (await input.getPrimaryAudioTrack())?.getCodec()
    const seconds = Math.round(await input.computeDuration())
    return { mime: (await input.getMimeType()).split(';')[0], codec, seconds }
  }

  it.each([
    { format: 'mp3', mime: 'audio/mpeg', codec: 'mp3', long: 30 },
    { format: 'wav', mime: 'audio/wav', codec: 'pcm-s16', long: 6 },
    { format: 'flac', mime: 'audio/flac', codec: 'flac', long: 6 },
  ] as const)('of speech in $format have three lengths at most', async ({ format, mime, codec, long }) => {
    for (const [ordered, seconds] of [
      [1, 2],
      [6, 6],
      [600, long],
    ] as const) {
      expect(await heard(await made(audio({ format, seconds: ordered })))).toEqual({ mime, codec, seconds })
    }
  })

  it('in PCM are the samples of the WAV file', async () => {
    expect(await made(audio({ format: 'pcm' }))).toEqual((await made(audio())).subarray(44))
  })

  it('of dialogue have a low voice and a high one', async () => {
    const pcm = await made(audio({ voice: 'dialogue', format: 'pcm' }))
    const samples = Array.from({ length: pcm.length / 2 }, (_, i) => pcm.readInt16LE(2 * i))
    expect(pitchOf(samples.slice(6000, 18_000))).toBeLessThan(120)
    expect(pitchOf(samples.slice(32_000, 44_000))).toBeGreaterThan(160)
  })

  it('of music are two songs of twenty seconds', async () => {
    const songs = await Promise.all(
      [0, 1].map((variant) => made(audio({ format: 'mp3', voice: 'music', variant }))),
    )
    expect(songs[0]?.equals(songs[1] ?? Buffer.of())).toBe(false)
    for (const song of songs) {
      expect(await heard(song)).toEqual({ mime: 'audio/mpeg', codec: 'mp3', seconds: 20 })
    }
  })
})

/** The pitch of speech at 12 kHz, from the lag at which the sound is most like itself. */
function pitchOf(samples: readonly number[]): number {
  const likeness = (lag: number) =>
    samples.reduce((sum, sample, i) => sum + sample * (samples[i + lag] ?? 0), 0) / samples.length
  const lags = Array.from({ length: 130 }, (_, i) => i + 40)
  return 12_000 / lags.reduce((best, lag) => (likeness(lag) > likeness(best) ? lag : best))
}

describe('3D models', () => {
  const read = async (spec: Model3dSpec) => new NodeIO().readBinary(await made(spec))
  const array = (primitive: Primitive, name: string) => primitive.getAttribute(name)?.getArray() ?? []

  it('stand on the ground and are two metres high', async () => {
    const document = await read(model3d())
    const { min, max } = getBounds(document.getRoot().getDefaultScene() ?? document.createScene())
    expect([min[1], max[1]]).toEqual([0, 2])
  })

  it('have a texture when it is requested, and a colour otherwise', async () => {
    const [texture] = (await read(model3d({ textured: true }))).getRoot().listTextures()
    expect((await sharp(texture?.getImage() ?? Buffer.of()).metadata()).format).toBe('png')
    const plain = (await read(model3d())).getRoot()
    expect(plain.listTextures()).toEqual([])
    expect(plain.listMaterials()[0]?.getBaseColorFactor()).not.toEqual([1, 1, 1, 1])
  })

  it('have joints with weights for every vertex when they are rigged', async () => {
    const root = (await read(model3d({ rigged: true }))).getRoot()
    const joints = root.listSkins()[0]?.listJoints().length ?? 0
    expect(joints).toBe(3)
    for (const primitive of root.listMeshes().flatMap((mesh) => mesh.listPrimitives())) {
      const weights = array(primitive, 'WEIGHTS_0')
      const sums = Array.from({ length: weights.length / 4 }, (_, i) =>
        [0, 1, 2, 3].reduce((sum, at) => sum + (weights[i * 4 + at] ?? 0), 0),
      )
      expect(sums).toHaveLength(array(primitive, 'POSITION').length / 3)
      expect(sums.every((sum) => Math.abs(sum - 1) < 1e-5)).toBe(true)
      expect(Math.max(...array(primitive, 'JOINTS_0'))).toBeLessThan(joints)
    }
    expect((await read(model3d())).getRoot().listSkins()).toEqual([])
  })

  it('move when they are animated', async () => {
    const root = (await read(model3d({ rigged: true, animated: true }))).getRoot()
    const channels = root.listAnimations()[0]?.listChannels() ?? []
    expect(channels.map((channel) => channel.getTargetNode()?.getName())).toEqual([
      'joint 0',
      'joint 1',
      'joint 2',
    ])
    expect((await read(model3d({ rigged: true }))).getRoot().listAnimations()).toEqual([])
  })
})

describe('companion files', () => {
  const companion = (format: CompanionFormat) => made({ kind: 'companion', format })

  it.each(companionFormats)('have the format that their name states: %s', async (format) => {
    const bytes = await companion(format)
    expect(formatOf(bytes, { type: '', urls: [] })?.extension).toBe(format)
  })

  it('are archives with correct checksums, aligned in USDZ', async () => {
    for (const [format, alignment, names] of [
      ['zip', 1, ['cube.obj', 'cube.mtl']],
      ['usdz', 64, ['cube.usda']],
    ] as const) {
      const bytes = await companion(format)
      const files = filesIn(bytes)
      expect(files.map(({ name }) => name)).toEqual(names)
      for (const { sum, content, at } of files) {
        expect(crc32(content)).toBe(sum)
        expect(at % alignment).toBe(0)
      }
      expect(bytes.readUInt16LE(bytes.length - 12)).toBe(names.length)
    }
  })

  it('include a glTF model that readers accept', async () => {
    const json = JSON.parse(String(await companion('gltf')))
    const document = await new NodeIO().readJSON({ json, resources: {} })
    expect(document.getRoot().listMeshes()).toHaveLength(1)
  })
})

/** The files in the central directory of an archive. */
function filesIn(zip: Buffer) {
  const count = zip.readUInt16LE(zip.length - 12)
  let entry = zip.readUInt32LE(zip.length - 6)
  return Array.from({ length: count }, () => {
    const nameLength = zip.readUInt16LE(entry + 28)
    const name = zip.toString('latin1', entry + 46, entry + 46 + nameLength)
    const [sum, size] = [zip.readUInt32LE(entry + 16), zip.readUInt32LE(entry + 20)]
    const header = zip.readUInt32LE(entry + 42)
    const at = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28)
    entry += 46 + nameLength
    return { name, sum, at, content: zip.subarray(at, at + size) }
  })
}
