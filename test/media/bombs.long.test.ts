// Decompression bombs: small files that claim to be huge. Each is refused, or shown in part, before it exhausts memory or blocks
// the event loop.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { previewGlb, probeAudio, probeVideo, toMp4, toVoice } from '../../src/media/convert.ts'
import { findFfmpeg, runFfmpeg } from '../../src/media/decoders.ts'
import { drawGlb } from '../../src/media/glb/picture.ts'
import { addShape, cube, glbOf, glbOfJson, newModel } from '../support/media/media-files.ts'

const hasFfmpeg = await findFfmpeg()
const orSkipped = (name: string) => (hasFfmpeg ? name : `${name} (skipped: no ffmpeg here)`)

describe('a picture', () => {})

describe('a video', () => {
  it.skipIf(!hasFfmpeg)(
    orSkipped('larger than the limit is not encoded'),
    async () => {
      const webm = await made('webm', 'color=s=8192x4096:d=1:r=1', [
        '-c:v',
        'libvpx',
        '-deadline',
        'realtime',
      ])
      expect(await probeVideo(webm)).toMatchObject({ width: 8192, container: 'webm' })
      expect(await toMp4(webm, 60_000)).toBeUndefined()
    },
    60_000,
  )
})

/** A file that ffmpeg generates. */
async function made(extension: string, source: string, options: readonly string[]): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'bomb-'))
  const file = join(folder, `out.${extension}`)
  await promisify(execFile)('ffmpeg', ['-f', 'lavfi', '-i', source, ...options, file])
  const bytes = await readFile(file)
  await rm(folder, { recursive: true })
  return bytes
}

describe('sound', () => {
  it.skipIf(!hasFfmpeg)(
    orSkipped(
      'of hours in a few bytes is not made into a voice message, and ffmpeg cuts it after half an hour',
    ),
    async () => {
      const hours = await made('flac', 'anullsrc=r=8000:cl=mono:d=7200', ['-ar', '8000'])
      expect(hours.length).toBeLessThan(5_000_000)
      expect((await probeAudio(hours))?.seconds).toBeGreaterThan(7000)
      expect(await toVoice(hours)).toBeUndefined()
      const job = { bytes: hours, reads: 'flac', options: ['-c:a', 'flac'], output: 'out.flac' } as const
      const [cut] = (await runFfmpeg({ ...job, timeoutMs: 30_000 })) ?? []
      assert(cut)
      expect((await probeAudio(cut))?.seconds).toBeCloseTo(1800, 0)
    },
    60_000,
  )
})

describe('a 3D model', () => {
  const of = (...accessors: object[]) =>
    glbOfJson({ accessors: accessors.map((one) => ({ type: 'VEC3', componentType: 5126, ...one })) })

  it.each([
    ['too many numbers', of({ count: 20_000_000 })],
    ['too many numbers in matrices', of({ type: 'MAT4', count: 4_000_000 })],
    ['a negative count', of({ count: 2 ** 31 }, { count: -(2 ** 31) })],
    ['a fractional count', of({ count: 0.5 })],
    ['a count that is a text', of({ count: '9999999999' })],
    ['a missing count', of({})],
  ])('with %s is not read', async (_, bytes) => {
    await expect(drawGlb(bytes, 32)).rejects.toThrow(/too many numbers|accessors|count|invalid/i)
    expect(await previewGlb(bytes, 10_000)).toBeUndefined()
  })

  it('with too many instances is not drawn', async () => {
    const document = newModel()
    const shape = cube()
    addShape(document, {
      ...shape,
      points: Array(30).fill(shape.points).flat(),
      normals: [],
      coordinates: [],
    })
    const mesh = document.getRoot().listMeshes()[0] ?? null
    const scene = document.getRoot().getDefaultScene()
    for (let copy = 0; copy < 5000; copy += 1) scene?.addChild(document.createNode().setMesh(mesh))
    await expect(drawGlb(await glbOf(document), 32)).rejects.toThrow('too many points')
  }, 30_000)
})
