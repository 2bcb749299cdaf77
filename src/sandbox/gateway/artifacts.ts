// The files of artifacts: fixtures chosen by the spec (test/fixtures/README.md). Videos and pictures get the ordered size when they are first
// read, and are then kept on disk under a name derived from the spec.

import { mkdirSync } from 'node:fs'
import { mkdtemp, readFile, rename, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import {
  type ArtifactSpec,
  type AudioSpec,
  cacheName,
  type ImageSpec,
  type Model3dSpec,
} from './artifact-spec.ts'
import { makeVideo } from './video/mux.ts'

export interface Artifacts {
  read(spec: ArtifactSpec): Promise<Buffer>
}

export function createArtifacts(folder: string): Artifacts {
  mkdirSync(folder, { recursive: true })
  const loading = new Map<string, Promise<Buffer>>()
  return {
    read(spec) {
      if (spec.kind !== 'video' && spec.kind !== 'image') return make(spec)
      const name = cacheName(spec)
      const file = loading.get(name) ?? load(join(folder, name), spec)
      loading.set(name, file)
      return file.finally(() => loading.delete(name))
    },
  }
}

async function load(path: string, spec: ArtifactSpec): Promise<Buffer> {
  const kept = await readFile(path).catch(() => undefined)
  if (kept) return kept
  const made = await make(spec)
  // Another gateway that shares the folder may be writing the same file.
  const unfinished = await mkdtemp(`${path}.`)
  await writeFile(join(unfinished, 'made'), made)
  await rename(join(unfinished, 'made'), path)
  await rmdir(unfinished)
  return made
}

async function make(spec: ArtifactSpec): Promise<Buffer> {
  switch (spec.kind) {
    case 'video':
      return makeVideo(spec)
    case 'image':
      return picture(spec)
    case 'audio':
      return audioFile(spec)
    case 'model3d':
      return modelFile(spec)
    case 'companion':
      return fixture(`extra.${spec.format}`)
  }
}

const fixture = (name: string): Promise<Buffer> => readFile(join(import.meta.dirname, 'files', name))

/** A drawing, rasterised in the ordered size; what a longer ratio does not show is cut off on both sides. */
async function picture({ format, width, height, variant }: ImageSpec): Promise<Buffer> {
  const shape = width > 1.25 * height ? 'wide' : height > 1.25 * width ? 'tall' : 'square'
  const drawing = String(await fixture(`picture-${variant}-${shape}.svg`))
  const sized = drawing.replace(/width="\d+" height="\d+"/, `width="${width}" height="${height}"`)
  const pixels = sharp(Buffer.from(sized)).removeAlpha()
  return format === 'JPG' ? pixels.jpeg({ quality: 88 }).toBuffer() : pixels.png().toBuffer()
}

/** The longest speech exists only as MP3, since in the other formats it is large. */
async function audioFile({ voice, format, seconds, variant }: AudioSpec): Promise<Buffer> {
  if (voice === 'music') return fixture(`song-${variant % 2}.mp3`)
  const longest = format === 'mp3' ? 30 : 6
  const name = voice === 'dialogue' ? voice : `speech-${seconds < 4 ? 2 : seconds < 15 ? 6 : longest}`
  const file = await fixture(`${name}.${format === 'pcm' ? 'wav' : format}`)
  return format === 'pcm' ? file.subarray(wavHeader) : file
}

const wavHeader = 44

function modelFile({ textured, rigged, animated }: Model3dSpec): Promise<Buffer> {
  const joints = animated ? '-animated' : rigged ? '-rigged' : ''
  return fixture(`model${textured ? '-textured' : ''}${joints}.glb`)
}
