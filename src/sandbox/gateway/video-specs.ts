// Derives the specs of the videos from a request: frame size, length and container.

import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Flat } from '../../catalog/field.ts'
import type { Model } from '../../catalog/model.ts'
import type { VideoSpec } from './artifact-spec.ts'
import type { Frame } from './video/crop.ts'

const asked = z.object({
  width: z.int().optional(),
  height: z.int().optional(),
  resolution: z.string().optional(),
  aspect_ratio: z.string().optional(),
  outputFormat: z.enum(['MP4', 'WEBM', 'MOV']).default('MP4'),
  'settings.audio': z.boolean().default(false),
  seed: z.number().optional(),
})

const size = z.object({ width: z.number(), height: z.number() })

export function videoSpecs(model: Model, body: Record<string, unknown>, random: () => number): VideoSpec[] {
  const values: Flat = { ...model.defaultValues, ...model.values(body) }
  const { outputFormat, seed, ...rest } = asked.parse(values)
  const hasSeed = model.fields.some((field) => field.name === 'seed')
  const first = seed ?? Math.floor(random() * 2 ** 31)
  return Array.from({ length: model.delivers(body).count }, (_, i) => ({
    kind: 'video',
    format: outputFormat,
    ...frameOf(model, rest),
    seconds: secondsOf(model, body),
    sound: rest['settings.audio'],
    variant: ((first % 4) + i) % 4,
    ...(hasSeed ? { seed: i === 0 ? first : (first + i) % 2 ** 31 } : {}),
  }))
}

function frameOf(model: Model, { width, height, resolution, aspect_ratio }: Partial<z.output<typeof asked>>) {
  if (width && height) return { width, height }
  return aspect_ratio ? frameOfRatio(aspect_ratio, resolution) : presetFrame(model, resolution)
}

/**
 * gateway-api.md does not show the frame sizes of MODEL-VIDEO-DREAM. Chosen here: a preset is a 16:9 frame (960x540, 1280x720,
 * 1920x1080, 3840x2160), turned upright for tall ratios; a ratio is the largest even frame that fits into it: 1:1 of 720p is
 * 720x720, 3:4 is 720x960, 21:9 is 1280x548. `loop` has no effect: a video of five or nine whole seconds always loops.
 */
function frameOfRatio(ratio: string, resolution = ''): Frame {
  const [across = 1, down = 1] = ratio.split(':').map(Number)
  const short = resolution === '4k' ? 2160 : Number.parseInt(resolution, 10)
  const long = (short * 16) / 9
  const [width, height] = across < down ? [short, long] : [long, short]
  const unit = Math.min(width / across, height / down)
  return { width: even(across * unit), height: even(down * unit) }
}

const even = (length: number): number => 2 * Math.floor(length / 2 + 1e-6)

/** A preset leaves the ratio to the model; here it is the 16:9 size in the catalog that is nearest to it. */
function presetFrame(model: Model, resolution = ''): Frame {
  const lines = Number.parseInt(resolution, 10)
  const pairs = model.fields
    .flatMap((field) => (field.kind === 'choice' ? field.options : []))
    .flatMap((option) => size.safeParse(option.set).data ?? [])
    .filter(({ width, height }) => Math.abs(width / height - 16 / 9) < 0.05)
    .toSorted((a, b) => Math.abs(a.height - lines) - Math.abs(b.height - lines))
  const nearest = pairs[0]
  assert(nearest, `${model.id} has no 16:9 size for "${resolution}"`)
  return nearest
}

/** The length of a video: videos are sold by the second, so their cost contains it. */
function secondsOf(model: Model, body: Record<string, unknown>): number {
  const { unit, quantity } = model.cost(body)
  assert(unit === 'second', `${model.id} is not sold by the second`)
  return quantity
}
