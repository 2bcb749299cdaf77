// Small media files with known content.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { Document, type Material, type Primitive, type TypedArray, WebIO } from '@gltf-transform/core'
import sharp from 'sharp'
import { createMp3Encoder } from 'wasm-media-encoders'
import { encodeVoice } from '../../../src/media/sound.ts'

export interface WavSpec {
  readonly rate: number
  readonly channels: number
  readonly bits: 8 | 16 | 24 | 32
  readonly isFloat: boolean
  readonly isExtensible: boolean
  /** Chunks before the data chunk. */
  readonly before: readonly Buffer[]
  /** Chunks after the data chunk. */
  readonly after: readonly Buffer[]
  /** The size of the data chunk stated in its header; by default the true size. */
  readonly says: number | undefined
}

const usual: WavSpec = {
  rate: 24_000,
  channels: 1,
  bits: 16,
  isFloat: false,
  isExtensible: false,
  before: [],
  after: [],
  says: undefined,
}

/** @param sound gives the value of a channel at a time in seconds */
export function makeWav(
  seconds: number,
  sound: (time: number, channel: number) => number,
  changes: Partial<WavSpec> = {},
): Buffer {
  const spec = { ...usual, ...changes }
  const frames = Math.round(seconds * spec.rate)
  const samples = Array.from({ length: frames * spec.channels }, (_, index) =>
    sampleBytes(sound(Math.floor(index / spec.channels) / spec.rate, index % spec.channels), spec),
  )
  const data = Buffer.concat(samples)
  const dataSize = spec.says ?? data.length
  const body = [formatChunk(spec), ...spec.before, chunkHead('data', dataSize), data, ...spec.after]
  // A streamed file has the size that was known when its header was written.
  const known = spec.says === undefined ? undefined : Math.min(36 + spec.says, 0xffff_ffff)
  const size = known ?? body.reduce((total, part) => total + part.length, 4)
  return Buffer.concat([chunkHead('RIFF', size), Buffer.from('WAVE'), ...body])
}

function sampleBytes(value: number, { bits, isFloat }: WavSpec): Buffer {
  const bytes = Buffer.alloc(bits / 8)
  if (isFloat) bytes.writeFloatLE(value)
  else if (bits === 8) bytes.writeUInt8(Math.round(value * 127) + 128)
  else bytes.writeIntLE(Math.round(value * (2 ** (bits - 1) - 1)), 0, bits / 8)
  return bytes
}

function formatChunk({ rate, channels, bits, isFloat, isExtensible }: WavSpec): Buffer {
  const format = Buffer.alloc(isExtensible ? 40 : 16)
  const tag = isFloat ? 3 : 1
  const frame = (channels * bits) / 8
  format.writeUInt16LE(isExtensible ? 0xfffe : tag, 0)
  format.writeUInt16LE(channels, 2)
  format.writeUInt32LE(rate, 4)
  format.writeUInt32LE(rate * frame, 8)
  format.writeUInt16LE(frame, 12)
  format.writeUInt16LE(bits, 14)
  if (isExtensible) {
    format.writeUInt16LE(22, 16)
    format.writeUInt16LE(bits, 18)
    format.writeUInt16LE(tag, 24)
    format.write('000000001000800000aa00389b71', 26, 'hex')
  }
  return Buffer.concat([chunkHead('fmt ', format.length), format])
}

export function chunkHead(name: string, size: number): Buffer {
  const head = Buffer.alloc(8)
  head.write(name, 'latin1')
  head.writeUInt32LE(size, 4)
  return head
}

/** A voice message. */
export async function makeOgg(wav: Buffer): Promise<Buffer> {
  const ogg = await encodeVoice(wav)
  if (!ogg) throw new Error('no WAV')
  return ogg
}

export const sine =
  (hertz: number, volume = 0.5) =>
  (time: number): number =>
    volume * Math.sin(2 * Math.PI * hertz * time)

export async function makeMp3(seconds: number): Promise<Buffer> {
  const encoder = await createMp3Encoder()
  encoder.configure({ sampleRate: 24_000, channels: 1, bitrate: 32 })
  const samples = Float32Array.from({ length: seconds * 24_000 }, (_, index) => sine(440)(index / 24_000))
  // The bytes are copied, since the next call of the encoder overwrites the returned array.
  const body = Buffer.from(encoder.encode([samples]))
  return Buffer.concat([body, encoder.finalize()])
}

/** A clip of four seconds in four colours. */
export const clip = (name: string): Promise<Buffer> =>
  readFile(join(import.meta.dirname, '../../fixtures/clips', name))

/** A file of the local gateway. */
export const fixture = (name: string): Promise<Buffer> =>
  readFile(join(import.meta.dirname, '../../../src/sandbox/gateway/files', name))

export type Rgb = readonly [number, number, number]

export const colored = (width: number, height: number, [r, g, b]: Rgb) =>
  sharp({ create: { width, height, channels: 3, background: { r, g, b } } })

/** A small PNG whose header claims this size. */
export async function bomb(width: number, height: number): Promise<Buffer> {
  const bytes = Buffer.from(await colored(16, 8, [40, 160, 60]).png().toBuffer())
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29)
  return bytes
}

/** Red, green and blue of one pixel. */
export async function pixelOf(image: Buffer, x: number, y: number): Promise<Rgb> {
  const [r = 0, g = 0, b = 0] = await sharp(image)
    .extract({ left: Math.floor(x), top: Math.floor(y), width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer()
  return [r, g, b]
}

export interface Shape {
  readonly points: readonly number[]
  readonly coordinates?: readonly number[]
  readonly corners?: readonly number[]
}

export function newModel(): Document {
  const document = new Document()
  document.createBuffer()
  document.getRoot().setDefaultScene(document.createScene())
  return document
}

export const glbOf = async (document: Document): Promise<Buffer> =>
  Buffer.from(await new WebIO().writeBinary(document))

export function addShape(document: Document, shape: Shape, material?: Material) {
  const accessor = (type: 'SCALAR' | 'VEC2' | 'VEC3' | 'VEC4', values: TypedArray) =>
    document
      .createAccessor()
      .setType(type)
      .setArray(values)
      .setBuffer(document.getRoot().listBuffers()[0] ?? null)
  const primitive: Primitive = document.createPrimitive().setMaterial(material ?? null)
  primitive.setAttribute('POSITION', accessor('VEC3', new Float32Array(shape.points)))
  if (shape.coordinates) {
    primitive.setAttribute('TEXCOORD_0', accessor('VEC2', new Float32Array(shape.coordinates)))
  }
  if (shape.corners) primitive.setIndices(accessor('SCALAR', new Uint32Array(shape.corners)))
  const node = document.createNode().setMesh(document.createMesh().addPrimitive(primitive))
  document.getRoot().getDefaultScene()?.addChild(node)
  return { node, primitive, accessor }
}

/** A unit cube around the origin. */
export function cube(): Shape & { readonly corners: readonly number[] } {
  const ends = [-0.5, 0.5]
  const points = ends.flatMap((x) => ends.flatMap((y) => ends.flatMap((z) => [x, y, z])))
  const sides = ['0132', '4675', '0451', '2376', '0264', '1573'].map((side) => [...side].map(Number))
  return { points, corners: sides.flatMap(([a = 0, b = 0, c = 0, d = 0]) => [a, b, c, a, c, d]) }
}

/** A GLB of this description and these numbers, with correct lengths. */
export function glbOfJson(json: object, binary = Buffer.alloc(0)): Buffer {
  const text = Buffer.from(JSON.stringify({ asset: { version: '2.0' }, ...json }))
  const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')])
  const head = Buffer.alloc(20)
  head.write('glTF', 'latin1')
  head.writeUInt32LE(2, 4)
  head.writeUInt32LE(padded.length, 12)
  head.write('JSON', 16, 'latin1')
  const binaryHead = Buffer.alloc(8, '\0\0\0\0BIN\0')
  binaryHead.writeUInt32LE(binary.length)
  const bytes = Buffer.concat([head, padded, ...(binary.length > 0 ? [binaryHead, binary] : [])])
  bytes.writeUInt32LE(bytes.length, 8)
  return bytes
}
