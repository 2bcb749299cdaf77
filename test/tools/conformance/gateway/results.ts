// Chooses the files that a task returns, by the request and the personality.

import { type File, fileOf, zipOf } from './files.ts'
import type { Kind, MediaModel } from './models.ts'
import type { Personality } from './personality.ts'

export interface Asked {
  readonly ext: string
  readonly count: number
}

type Body = Readonly<Record<string, unknown>>

const numberOf = (value: unknown, otherwise: number) => (typeof value === 'number' ? value : otherwise)

function speechFormat({ audio_setting: setting }: Body): string {
  const format =
    typeof setting === 'object' && setting !== null && 'format' in setting ? setting.format : undefined
  return format === 'wav' ? 'wav' : 'mp3'
}

/** The files that the document promises for a request. */
export function askedOf({ label }: MediaModel, body: Body): Asked {
  const video = typeof body.outputFormat === 'string' ? body.outputFormat.toLowerCase() : 'mp4'
  const asked: Readonly<Record<string, Asked>> = {
    'MODEL-3D-TEXT': { ext: 'glb', count: 1 },
    'MODEL-IMAGE-DESIGN': { ext: 'png', count: numberOf(body.n, 1) },
    'MODEL-IMAGE-PHOTO': { ext: 'png', count: numberOf(body.numberOfImages, 4) },
    'MODEL-SPEECH-TURBO': { ext: speechFormat(body), count: 1 },
    'MODEL-TTS-DIALOGUE': { ext: 'wav', count: 1 },
    'MODEL-MUSIC': { ext: 'mp3', count: 2 },
  }
  return asked[label] ?? { ext: video, count: numberOf(body.numberResults, 1) }
}

const otherFormat: Readonly<Record<string, string>> = {
  glb: 'stl',
  png: 'webp',
  mp3: 'wav',
  wav: 'mp3',
  mp4: 'webm',
  webm: 'mp4',
  mov: 'mp4',
}

const moreFiles: Readonly<Record<Kind, readonly string[]>> = {
  object3d: ['obj', 'mtl', 'png'],
  image: ['png'],
  audio: ['mp3'],
  video: ['mp4'],
}

export async function filesOf(
  way: Personality['files'],
  kind: Kind,
  { ext, count }: Asked,
): Promise<readonly File[]> {
  const format = way === 'other' ? (otherFormat[ext] ?? ext) : ext
  const files = await Promise.all(
    Array.from({ length: count }, (_, index) => fileOf(`result-${index + 1}`, format)),
  )
  if (way === 'cover') return [...files, await fileOf('cover', 'jpg')]
  if (way === 'subtitles') {
    return [...files, await fileOf('result-1', kind === 'audio' || kind === 'video' ? 'srt' : 'txt')]
  }
  if (way === 'archive') return [zipOf('result', [...files, await fileOf('readme', 'txt')])]
  if (way !== 'several') return files
  return [...files, ...(await Promise.all(moreFiles[kind].map((one) => fileOf('extra', one))))]
}
