// The spec from which an artifact is made. It is kept with the task, so that the file can be made again at any time.

import { z } from 'zod'
import { companionFormats } from '../fault-schema.ts'

/** Given only for models that take a seed. It is reported and selects the variant; equal variants give equal files. */
const seed = z.number().optional()

const video = z.object({
  kind: z.literal('video'),
  format: z.enum(['MP4', 'WEBM', 'MOV']),
  width: z.int(),
  height: z.int(),
  seconds: z.number().positive(),
  sound: z.boolean(),
  /** 0..3: one of the differently coloured clips. */
  variant: z.int().min(0).max(3),
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
  /** 0..3: one of the songs. */
  variant: z.int().min(0).max(3),
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

/**
 * A file delivered with a result, or instead of it, such as another format of a 3D model, subtitles or metadata. gateway-api.md does not
 * mention them, but gateways of this kind deliver them.
 */
const companion = z.object({ kind: z.literal('companion'), format: z.enum(companionFormats), seed })

export const artifactSpec = z.discriminatedUnion('kind', [video, image, audio, model3d, companion])

export type CompanionFormat = (typeof companionFormats)[number]
export type VideoSpec = z.output<typeof video>
export type ImageSpec = z.output<typeof image>
export type AudioSpec = z.output<typeof audio>
export type Model3dSpec = z.output<typeof model3d>
export type ArtifactSpec = z.output<typeof artifactSpec>

const contentTypes = {
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
} as const

/** The content type that a file store derives from the name alone. */
const companionTypes: Readonly<Record<CompanionFormat, string>> = {
  fbx: 'application/octet-stream',
  obj: 'text/plain',
  mtl: 'text/plain',
  stl: 'application/octet-stream',
  gltf: 'application/json',
  usdz: 'model/vnd.usdz+zip',
  zip: 'application/zip',
  srt: 'application/x-subrip',
  vtt: 'text/vtt',
  json: 'application/json',
  txt: 'text/plain',
}

export const extension = (spec: ArtifactSpec): string => spec.format.toLowerCase()

export const contentType = (spec: ArtifactSpec): string =>
  spec.kind === 'companion' ? companionTypes[spec.format] : contentTypes[spec.format]

/** Two specs have the same name exactly when their files are the same. */
export const cacheName = (spec: ArtifactSpec): string => `${spec.kind}-${detailsOf(spec)}.${extension(spec)}`

function detailsOf(spec: ArtifactSpec): string {
  switch (spec.kind) {
    case 'video':
      return `${spec.width}x${spec.height}-${spec.seconds}s-${spec.variant}${spec.sound ? '-sound' : ''}`
    case 'image':
      return `${spec.width}x${spec.height}-${spec.variant}`
    case 'audio':
      return `${spec.voice}-${spec.variant}-${spec.seconds}s`
    case 'companion':
      return 'sample'
    case 'model3d':
      return `model${spec.textured ? '-textured' : ''}${spec.rigged ? '-rigged' : ''}${spec.animated ? '-animated' : ''}`
  }
}
