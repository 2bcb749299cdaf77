// Companions: files delivered with a result, or instead of it, such as other formats of a 3D model, subtitles or metadata.
// gateway-api.md does not mention them, but gateways of this kind deliver them.

import type { companionFormats } from '../../fault-schema.ts'
import { fbx, gltf, mtl, obj, stl, usdz, zip } from './cube.ts'

export type CompanionFormat = (typeof companionFormats)[number]

interface Companion {
  readonly bytes: Buffer
  /** The content type that a file store derives from the name alone. */
  readonly type: string
}

const spoken = (comma: string): string => `00:00:00${comma}000 --> 00:00:01${comma}000\nGood morning\n`
const text = (type: string, words: string): Companion => ({ bytes: Buffer.from(words), type })

export const companions: Readonly<Record<CompanionFormat, Companion>> = {
  fbx: { bytes: fbx, type: 'application/octet-stream' },
  obj: { bytes: obj, type: 'text/plain' },
  mtl: { bytes: mtl, type: 'text/plain' },
  stl: { bytes: stl, type: 'application/octet-stream' },
  gltf: { bytes: gltf, type: 'application/json' },
  usdz: { bytes: usdz, type: 'model/vnd.usdz+zip' },
  zip: { bytes: zip, type: 'application/zip' },
  srt: text('application/x-subrip', `1\n${spoken(',')}`),
  vtt: text('text/vtt', `WEBVTT\n\n${spoken('.')}`),
  json: text('application/json', '{"seed":7,"provider":"sandbox"}'),
  txt: text('text/plain', 'Made by the sandbox.\n'),
}

const usual = {
  object3d: ['fbx', 'obj', 'usdz', 'zip'],
  audio: ['srt'],
  video: ['srt'],
  image: ['json'],
} as const satisfies Record<string, readonly CompanionFormat[]>

/** The companions that are usual for a modality. */
export const usualCompanions = (modality: keyof typeof usual): readonly CompanionFormat[] => usual[modality]
