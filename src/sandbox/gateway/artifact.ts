// What an artifact is made from. It is kept with the task, so that the file itself can be made again at any time.

import { z } from 'zod'

const video = z.object({
  kind: z.literal('video'),
  format: z.enum(['MP4', 'WEBM', 'MOV']),
  width: z.int(),
  height: z.int(),
  seconds: z.number().positive(),
  sound: z.boolean(),
  /** 0..3: which of the differently coloured clips. */
  variant: z.int().min(0).max(3),
  /** Where the model takes one. */
  seed: z.number().optional(),
})

export const artifactSpec = z.discriminatedUnion('kind', [video])

export type VideoSpec = z.output<typeof video>
export type ArtifactSpec = z.output<typeof artifactSpec>

const videoTypes = { MP4: 'video/mp4', WEBM: 'video/webm', MOV: 'video/quicktime' } as const

export const extension = (spec: ArtifactSpec): string => spec.format.toLowerCase()

export const contentType = (spec: ArtifactSpec): string => videoTypes[spec.format]

/** Specs that make the same bytes have the same name. */
export function cacheName(spec: ArtifactSpec): string {
  const { width, height, seconds, sound, variant } = spec
  return `video-${width}x${height}-${seconds}s-${variant}${sound ? '-sound' : ''}.${extension(spec)}`
}
