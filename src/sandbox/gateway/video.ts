// From a request for a video to the specs of its artifacts: the size, the length and the container that were asked for.

import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Flat } from '../../catalog/field.ts'
import { flatten, type Model } from '../../catalog/model.ts'
import type { VideoSpec } from './artifact.ts'

const asked = z.object({
  width: z.int().optional(),
  height: z.int().optional(),
  resolution: z.string().optional(),
  outputFormat: z.enum(['MP4', 'WEBM', 'MOV']).default('MP4'),
  'settings.audio': z.boolean().default(false),
  seed: z.number().optional(),
})

interface Size {
  readonly width: number
  readonly height: number
}

const size = z.object({ width: z.number(), height: z.number() })

export function videoSpecs(model: Model, body: Record<string, unknown>, random: () => number): VideoSpec[] {
  const values: Flat = { ...model.write({}), ...flatten(body) }
  const { width, height, resolution, outputFormat, seed, ...rest } = asked.parse(values)
  const frame = width && height ? { width, height } : presetSize(model, resolution)
  const first = seed ?? Math.floor(random() * 2 ** 31)
  return Array.from({ length: model.delivers(body).count }, (_, i) => ({
    kind: 'video',
    format: outputFormat,
    ...frame,
    seconds: secondsOf(model, body),
    sound: rest['settings.audio'],
    variant: ((first % 4) + i) % 4,
    seed: first + i,
  }))
}

/** A preset leaves the proportions to the model: this one takes 16:9, from the pairs that the catalog lists. */
function presetSize(model: Model, resolution = ''): Size {
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

/** Videos are sold by the second, so the cost knows how long they are. */
export function secondsOf(model: Model, body: Record<string, unknown>): number {
  const { unit, quantity } = model.cost(body)
  assert(unit === 'second', `${model.id} is not sold by the second`)
  return quantity
}
