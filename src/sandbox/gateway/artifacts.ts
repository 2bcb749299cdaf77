// The files of results: fixtures in `files` (see test/fixtures/README.md), chosen by kind, format, shape and length. What is chosen is kept
// with the task, so that the file can be read at any time.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { z } from 'zod'

/** Given only for models that take a seed. It is reported and selects the variant; equal variants give equal pictures and sounds. */
const seed = z.number().optional()

const video = z.object({
  kind: z.literal('video'),
  format: z.enum(['MP4', 'WEBM', 'MOV']),
  // State files of older versions lack the shape.
  shape: z.enum(['wide', 'square', 'tall']).default('wide'),
  /** Has enough pixels to be continued by a model. */
  large: z.boolean().default(false),
  seconds: z.number().positive(),
  sound: z.boolean(),
  variant: z.int().nonnegative(),
  seed,
})

const side = z.int().min(1).max(4096)

const image = z.object({
  kind: z.literal('image'),
  format: z.enum(['PNG', 'JPG']),
  width: side,
  height: side,
  /** 0..5: one of the scenes. */
  variant: z.int().min(0).max(5),
  seed,
})

const audio = z.object({
  kind: z.literal('audio'),
  format: z.enum(['mp3', 'wav', 'pcm', 'flac']),
  seconds: z.number().positive().max(600),
  /** One of the two songs. */
  variant: z.int().nonnegative(),
  voice: z.enum(['speech', 'dialogue', 'music']),
  seed,
})

const model3d = z.object({
  kind: z.literal('model3d'),
  format: z.literal('GLB'),
  textured: z.boolean(),
  rigged: z.boolean(),
  animated: z.boolean(),
  seed,
})

export const artifactSpec = z.discriminatedUnion('kind', [video, image, audio, model3d])

export type VideoSpec = z.output<typeof video>
export type ImageSpec = z.output<typeof image>
export type AudioSpec = z.output<typeof audio>
export type Model3dSpec = z.output<typeof model3d>
export type ArtifactSpec = z.output<typeof artifactSpec>

const contentTypes: Readonly<Record<ArtifactSpec['format'], string>> = {
  MP4: 'video/mp4',
  WEBM: 'video/webm',
  MOV: 'video/quicktime',
  PNG: 'image/png',
  JPG: 'image/jpeg',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  // Little-endian; audio/L16 is big-endian (RFC 2586).
  pcm: 'application/octet-stream',
  flac: 'audio/flac',
  GLB: 'model/gltf-binary',
}

export const extension = ({ format }: ArtifactSpec): string => format.toLowerCase()

export const contentType = ({ format }: ArtifactSpec): string => contentTypes[format]

export async function readArtifact(spec: ArtifactSpec): Promise<Buffer> {
  switch (spec.kind) {
    case 'video':
      return videoFile(spec)
    case 'image':
      return picture(spec)
    case 'audio':
      return audioFile(spec)
    case 'model3d': {
      const joints = spec.animated ? '-animated' : spec.rigged ? '-rigged' : ''
      return fixture(`model${spec.textured ? '-textured' : ''}${joints}.glb`)
    }
  }
}

const fixture = (name: string): Promise<Buffer> => readFile(join(import.meta.dirname, 'files', name))

export const shapeOf = (width: number, height: number): VideoSpec['shape'] =>
  width > 1.25 * height ? 'wide' : height > 1.25 * width ? 'tall' : 'square'

/** Only MP4 has a long file, a large one and a second scene. The results of one order differ at least in the mark at their ends. */
async function videoFile({ format, shape, large, seconds, sound, variant }: VideoSpec): Promise<Buffer> {
  const isMp4 = format === 'MP4'
  const length = isMp4 && seconds > 7 ? 10 : 5
  const scene = !isMp4 || length === 10 ? 0 : large ? 'large' : variant % 2
  const name = `video-${scene}-${shape}-${length}${sound ? '-sound' : ''}.${format.toLowerCase()}`
  return Buffer.concat([await fixture(name), markOf(format, `variant ${variant}`)])
}

/** A part of the file that players skip: a box `free`, or an element `Void` of Matroska. */
function markOf(format: VideoSpec['format'], text: string): Buffer {
  if (format === 'WEBM') return Buffer.concat([Buffer.from([0xec, 0x80 | text.length]), Buffer.from(text)])
  const head = Buffer.alloc(8, 'free', 'latin1')
  head.writeUInt32BE(8 + text.length)
  return Buffer.concat([head, Buffer.from(text)])
}

/** Says that the picture does not follow the prompt. It is in the middle, since a longer ratio cuts the drawing off on both sides. */
const sample = `<g font-family="sans-serif" font-size="40" fill="#fff" stroke="#0007" stroke-width="6" paint-order="stroke"
  text-anchor="middle"><svg x="50%" y="50%" overflow="visible"><text y="-8">sample of the sandbox</text>
  <text y="48">пример из песочницы</text></svg></g></svg>`

/** A drawing, rasterised in the ordered size; what a longer ratio does not show is cut off on both sides. */
async function picture({ format, width, height, variant }: ImageSpec): Promise<Buffer> {
  const drawing = String(await fixture(`picture-${variant}-${shapeOf(width, height)}.svg`))
  const sized = drawing.replace(/width="\d+" height="\d+"/, `width="${width}" height="${height}"`)
  const pixels = sharp(Buffer.from(sized.replace(/<\/svg>\s*$/, sample))).removeAlpha()
  return format === 'JPG' ? pixels.jpeg({ quality: 88 }).toBuffer() : pixels.png().toBuffer()
}

const wavHeader = 44

/** The longest speech exists only as MP3, since in the other formats it is large. */
async function audioFile({ voice, format, seconds, variant }: AudioSpec): Promise<Buffer> {
  if (voice === 'music') return fixture(`song-${variant % 2}.mp3`)
  const longest = format === 'mp3' ? 30 : 6
  const name = voice === 'dialogue' ? voice : `speech-${seconds < 4 ? 2 : seconds < 15 ? 6 : longest}`
  const file = await fixture(`${name}.${format === 'pcm' ? 'wav' : format}`)
  return format === 'pcm' ? file.subarray(wavHeader) : file
}
