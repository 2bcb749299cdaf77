// Files that come beside a result, or in its place: other formats of a 3D model, subtitles, facts. The document names none of
// them; gateways of this kind deliver them all the same.

import type { companionFormats } from '../../fault-schema.ts'
import { fbx, gltf, mtl, obj, stl, usdz, zip } from './cube.ts'

export type CompanionFormat = (typeof companionFormats)[number]

interface Companion {
  readonly bytes: Buffer
  /** As storages name it, which do not look into files. */
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

/** What comes beside a result when nothing else is said. */
export const usualCompanions = (modality: keyof typeof usual): readonly CompanionFormat[] => usual[modality]
