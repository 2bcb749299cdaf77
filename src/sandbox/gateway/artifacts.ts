// The files of results: the kept files in `files` (see test/fixtures/README.md) that stand for them, chosen by the request. What gateway-api.md
// leaves open (the length of speech, the size of a picture given by its ratio) is chosen here. The choice is kept with the task, so that the
// file can be read at any time.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { z } from 'zod'
import { codePoints } from '../../catalog/fields.ts'
import type { Modality, Model } from '../../catalog/model.ts'
import { GatewayRefusal } from './answer.ts'

const contentTypes = {
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  png: 'image/png',
  jpg: 'image/jpeg',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  // Little-endian; audio/L16 is big-endian (RFC 2586).
  pcm: 'application/octet-stream',
  flac: 'audio/flac',
  glb: 'model/gltf-binary',
} as const

export const artifactState = z.object({
  /** The kept file: a drawing, for a picture. */
  file: z.string(),
  /** Also the extension of its link. */
  format: z.enum(['mp4', 'webm', 'mov', 'png', 'jpg', 'mp3', 'wav', 'pcm', 'flac', 'glb']),
  /** The size of a picture. */
  frame: z.object({ width: z.int(), height: z.int() }).optional(),
  /** What tells a video from the others of its order. */
  mark: z.string().optional(),
  /** The seed that an answer states, for models that take one. */
  seed: z.number().optional(),
})
export type Artifact = z.output<typeof artifactState>

export const contentType = ({ format }: Artifact): string => contentTypes[format]

const wavHeader = 44

export async function readArtifact({ file, format, frame, mark }: Artifact): Promise<Buffer> {
  const bytes = await readFile(join(import.meta.dirname, 'files', file))
  if (frame) return picture(String(bytes), format, frame)
  if (format === 'pcm') return bytes.subarray(wavHeader)
  return mark === undefined ? bytes : Buffer.concat([bytes, markOf(format, mark)])
}

/** A part of a video that players skip: a box `free`, or an element `Void` of Matroska. */
function markOf(format: Artifact['format'], text: string): Buffer {
  if (format === 'webm') return Buffer.concat([Buffer.from([0xec, 0x80 | text.length]), Buffer.from(text)])
  const head = Buffer.alloc(8, 'free', 'latin1')
  head.writeUInt32BE(8 + text.length)
  return Buffer.concat([head, Buffer.from(text)])
}

/** Says that the picture does not follow the prompt. It is in the middle, since a longer ratio cuts the drawing off on both sides. */
const sample = `<g font-family="sans-serif" font-size="40" fill="#fff" stroke="#0007" stroke-width="6" paint-order="stroke"
  text-anchor="middle"><svg x="50%" y="50%" overflow="visible"><text y="-8">sample of the sandbox</text>
  <text y="48">пример из песочницы</text></svg></g></svg>`

/** A drawing, rasterised in the ordered size; what a longer ratio does not show is cut off on both sides. */
async function picture(drawing: string, format: Artifact['format'], { width, height }: Frame) {
  const sized = drawing.replace(/width="\d+" height="\d+"/, `width="${width}" height="${height}"`)
  const pixels = sharp(Buffer.from(sized.replace(/<\/svg>\s*$/, sample))).removeAlpha()
  return format === 'jpg' ? pixels.jpeg({ quality: 88 }).toBuffer() : pixels.png().toBuffer()
}

const seedOf = z.int().optional().catch(undefined)

/** @throws GatewayRefusal for a size that cannot be made */
export function artifactsOf(model: Model, body: Record<string, unknown>, random: () => number): Artifact[] {
  const { count, files = count } = model.delivers(body)
  const values = { ...model.defaultValues, ...model.values(body) }
  const first = seedOf.parse(values.seed) ?? Math.floor(random() * 2 ** 31)
  // MODEL-VIDEO-DREAM takes none.
  const takesSeed = model.fields.some(({ name }) => name === 'seed')
  const kinds: Readonly<Record<Modality, (at: number) => Artifact>> = {
    image: (at) => imageFor(values, first + at),
    object3d: () => object3dFor(values),
    audio: (at) => audioFor(model, values, first + at),
    video: (at) => ({
      ...videoFor(model, body, values, first + at),
      ...(takesSeed && seedOfVideo(first, at)),
    }),
  }
  return Array.from({ length: files }, (_, at) => kinds[model.modality](at))
}

/** The seed that the answer states for a video, within the maximum of its model. */
const seedOfVideo = (first: number, at: number) => ({ seed: at === 0 ? first : (first + at) % 2 ** 31 })

interface Frame {
  readonly width: number
  readonly height: number
}

const shapeOf = ({ width, height }: Frame): 'wide' | 'tall' | 'square' =>
  width > 1.25 * height ? 'wide' : height > 1.25 * width ? 'tall' : 'square'

const moving = z.object({
  width: z.int().default(16),
  height: z.int().default(9),
  aspect_ratio: z.string().optional(),
  resolution: z.string().optional(),
  outputFormat: z
    .enum(['MP4', 'WEBM', 'MOV'])
    .default('MP4')
    .transform((name) => (({ MP4: 'mp4', WEBM: 'webm', MOV: 'mov' }) as const)[name]),
  'settings.audio': z.boolean().default(false),
})

/** The fewest pixels of a video that a model continues. */
const leastContinued = 1_866_240

/**
 * Videos are sold by the second, so their cost contains the length. A resolution without a size is a wide frame. Only MP4 has a long file, one
 * that is large enough to be continued, and a second scene.
 */
function videoFor(model: Model, body: Record<string, unknown>, values: object, seed: number): Artifact {
  const { outputFormat: format, ...asked } = moving.parse(values)
  const [width = asked.width, height = asked.height] = asked.aspect_ratio?.split(':').map(Number) ?? []
  const isLarge =
    'width' in values ? width * height >= leastContinued : /1080p|4k/.test(asked.resolution ?? '')
  const isMp4 = format === 'mp4'
  const length = isMp4 && model.cost(body).quantity > 7 ? 10 : 5
  const variant = Math.abs(seed) % 4
  const scene = !isMp4 || length === 10 ? 0 : isLarge ? 'large' : variant % 2
  const sound = asked['settings.audio'] ? '-sound' : ''
  const file = `video-${scene}-${shapeOf({ width, height })}-${length}${sound}.${format}`
  return { file, format, mark: `variant ${variant}` }
}

const image = z.object({
  size: z.string().default('1:1'),
  aspectRatio: z.string().optional(),
  imageSize: z.enum(['1K', '2K']).default('1K'),
})
/** The limit above which pictures are refused, not made smaller: "Vendor-invalid values are rejected by the vendor". */
const largestSide = 4096

function imageFor(values: object, seed: number): Artifact {
  const { size, aspectRatio, imageSize } = image.parse(values)
  const frame = exactFrame(size) ?? frameOfRatio(aspectRatio ?? size, imageSize === '2K' ? 2048 : 1024)
  const file = `picture-${Math.abs(seed) % 6}-${shapeOf(frame)}.svg`
  return { file, format: aspectRatio ? 'jpg' : 'png', frame, seed }
}

function exactFrame(size: string): Frame | undefined {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(size) ?? []
  if (!width || !height) return undefined
  if (Math.max(Number(width), Number(height)) > largestSide)
    throw new GatewayRefusal(400, 'invalid_body', `size: at most ${largestSide}x${largestSide}`)
  return { width: Number(width), height: Number(height) }
}

/** The frame of a ratio; its longer side is `long`: 1024 or 2048. */
function frameOfRatio(ratio: string, long: number): Frame {
  const [across = 1, down = 1] = ratio.split(':').map(Number)
  const unit = long / Math.max(across, down)
  return { width: Math.max(1, Math.round(across * unit)), height: Math.max(1, Math.round(down * unit)) }
}

const speech = z.object({
  text: z.string().optional(),
  turns: z.array(z.record(z.string(), z.unknown())).optional(),
  'voice_setting.speed': z.number().default(1),
  'audio_setting.format': z.enum(['mp3', 'pcm', 'flac', 'wav']).default('mp3'),
})
/** The average pace of speech. */
const charactersPerSecond = 14

/** The longest speech exists only as MP3, since in the other formats it is large. */
function audioFor(model: Model, values: object, seed: number): Artifact {
  const asked = speech.parse(values)
  const [command] = model.commands
  if (command === 'music') return { file: `song-${Math.abs(seed) % 2}.mp3`, format: 'mp3' }
  if (asked.turns) return { file: 'dialogue.wav', format: 'wav' }
  const format = command === 'dialogue' ? 'wav' : asked['audio_setting.format']
  const seconds = codePoints(asked.text ?? '') / (charactersPerSecond * asked['voice_setting.speed'])
  const length = seconds < 4 ? 2 : seconds < 15 || format !== 'mp3' ? 6 : 30
  return { file: `speech-${length}.${format === 'pcm' ? 'wav' : format}`, format }
}

const object3d = z.object({
  mode: z.string().default('full'),
  enable_pbr: z.boolean().default(false),
  texture_prompt: z.string().optional(),
  texture_image: z.string().optional(),
  enable_rigging: z.boolean().default(false),
  enable_animation: z.boolean().default(false),
})

/** A preview has no texture unless one was asked for. */
function object3dFor(values: object): Artifact {
  const asked = object3d.parse(values)
  const isTextured =
    asked.mode === 'full' || asked.enable_pbr || Boolean(asked.texture_prompt ?? asked.texture_image)
  const joints = asked.enable_animation ? '-animated' : asked.enable_rigging ? '-rigged' : ''
  return { file: `model${isTextured ? '-textured' : ''}${joints}.glb`, format: 'glb' }
}
