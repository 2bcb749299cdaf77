// Derives the specs of the artifacts from a request. What gateway-api.md leaves open (the length of speech, the size of a picture given by
// its ratio) is chosen here.

import { z } from 'zod'
import { codePoints } from '../../catalog/fields.ts'
import type { Modality, Model } from '../../catalog/model.ts'
import { GatewayRefusal } from './answer.ts'
import {
  type ArtifactSpec,
  type AudioSpec,
  type ImageSpec,
  type Model3dSpec,
  shapeOf,
  type VideoSpec,
} from './artifacts.ts'

const seedOf = z.int().optional().catch(undefined)

/** @throws GatewayRefusal for a size that cannot be made */
export function specsOf(model: Model, body: Record<string, unknown>, random: () => number): ArtifactSpec[] {
  const { count, files = count } = model.delivers(body)
  const values = { ...model.defaultValues, ...model.values(body) }
  const first = seedOf.parse(values.seed) ?? Math.floor(random() * 2 ** 31)
  const kinds: Readonly<Record<Modality, (i: number) => ArtifactSpec>> = {
    image: (i) => imageSpec(values, first + i),
    object3d: (i) => modelSpec(values, first + i),
    audio: (i) => audioSpec(model, values, first + i),
    video: (i) => ({ ...videoSpec(model, body, values, first + i), ...seedOfVideo(model, first, i) }),
  }
  return Array.from({ length: files }, (_, i) => kinds[model.modality](i))
}

/** The seed that the answer states for a video, within the maximum of its model. MODEL-VIDEO-DREAM takes none. */
function seedOfVideo(model: Model, first: number, index: number) {
  if (!model.fields.some(({ name }) => name === 'seed')) return {}
  return { seed: index === 0 ? first : (first + index) % 2 ** 31 }
}

const moving = z.object({
  width: z.int().default(16),
  height: z.int().default(9),
  aspect_ratio: z.string().optional(),
  resolution: z.string().optional(),
  outputFormat: z.enum(['MP4', 'WEBM', 'MOV']).default('MP4'),
  'settings.audio': z.boolean().default(false),
})

/** The fewest pixels of a video that a model continues. */
const leastContinued = 1_866_240

/** Videos are sold by the second, so their cost contains the length. A resolution without a size is a wide frame. */
function videoSpec(model: Model, body: Record<string, unknown>, values: object, seed: number): VideoSpec {
  const asked = moving.parse(values)
  const [across = asked.width, down = asked.height] = asked.aspect_ratio?.split(':').map(Number) ?? []
  return {
    kind: 'video',
    format: asked.outputFormat,
    shape: shapeOf(across, down),
    large:
      'width' in values
        ? asked.width * asked.height >= leastContinued
        : /1080p|4k/.test(asked.resolution ?? ''),
    seconds: model.cost(body).quantity,
    sound: asked['settings.audio'],
    variant: Math.abs(seed) % 4,
  }
}

const picture = z.object({
  size: z.string().default('1:1'),
  aspectRatio: z.string().optional(),
  imageSize: z.enum(['1K', '2K']).default('1K'),
})
/** The limit above which pictures are refused, not made smaller: "Vendor-invalid values are rejected by the vendor". */
const largestSide = 4096

function imageSpec(values: object, seed: number): ImageSpec {
  const { size, aspectRatio, imageSize } = picture.parse(values)
  const frame = exactFrame(size) ?? frameOfRatio(aspectRatio ?? size, imageSize === '2K' ? 2048 : 1024)
  return { kind: 'image', format: aspectRatio ? 'JPG' : 'PNG', ...frame, variant: Math.abs(seed) % 6, seed }
}

function exactFrame(size: string) {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(size) ?? []
  if (!width || !height) return undefined
  const frame = { width: Number(width), height: Number(height) }
  if (Math.max(frame.width, frame.height) > largestSide) {
    throw new GatewayRefusal(400, 'invalid_body', `size: at most ${largestSide}x${largestSide}`)
  }
  return frame
}

/** The frame of a ratio; its longer side is `long`: 1024 or 2048. */
function frameOfRatio(ratio: string, long: number) {
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
const songSeconds = 20

function audioSpec(model: Model, values: object, seed: number): AudioSpec {
  const asked = speech.parse(values)
  const common = { kind: 'audio', variant: Math.abs(seed) % 2 } as const
  if (model.commands[0] === 'music') return { ...common, format: 'mp3', seconds: songSeconds, voice: 'music' }
  const spoken = asked.text ?? (asked.turns ?? []).map(({ text }) => String(text)).join(' ')
  const pace = charactersPerSecond * asked['voice_setting.speed']
  const seconds = Math.min(600, Math.max(1, codePoints(spoken) / pace))
  if (model.commands[0] === 'dialogue') {
    return { ...common, format: 'wav', seconds, voice: asked.turns ? 'dialogue' : 'speech' }
  }
  return { ...common, format: asked['audio_setting.format'], seconds, voice: 'speech' }
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
function modelSpec(values: object, seed: number): Model3dSpec {
  const asked = object3d.parse(values)
  const textured =
    asked.mode === 'full' || asked.enable_pbr || Boolean(asked.texture_prompt ?? asked.texture_image)
  return {
    kind: 'model3d',
    format: 'GLB',
    textured,
    rigged: asked.enable_rigging,
    animated: asked.enable_animation,
    seed,
  }
}
