// Decompression bombs: small files that claim to be huge. Each is refused, or shown in part, before it exhausts memory or blocks
// the event loop.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import {
  fitPhoto,
  imageThumbnail,
  previewGlb,
  probeAudio,
  probeVideo,
  toMp4,
  toVoice,
} from '../../src/media/convert.ts'
import { findFfmpeg, runFfmpeg } from '../../src/media/decoders.ts'
import { drawGlb } from '../../src/media/glb/picture.ts'
import { probeImage } from '../../src/media/pictures.ts'
import { readWav } from '../../src/media/wav.ts'
import {
  addShape,
  chunkHead,
  clip,
  colored,
  cube,
  glbOf,
  glbOfJson,
  makeWav,
  newModel,
  sine,
} from '../support/media/media-files.ts'
import { start } from '../support/runtime/child.ts'
import { threadTime } from '../support/runtime/cpu-time.ts'

const hasFfmpeg = await findFfmpeg()
const orSkipped = (name: string) => (hasFfmpeg ? name : `${name} (skipped: no ffmpeg here)`)

/** The longest time for which the event loop was blocked during the work: processor time, since a busy machine stops threads too. */
async function longestHaltMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = threadTime()
  const turning = setInterval(() => {
    const now = threadTime()
    longest = Math.max(longest, now - last)
    last = now
  }, 5)
  await work()
  clearInterval(turning)
  return longest
}

describe('a picture', () => {
  it('with more pixels than the limit is refused', async () => {
    const great = await colored(9000, 9000, [1, 2, 3]).png({ compressionLevel: 9 }).toBuffer()
    expect(great.length).toBeLessThan(1_000_000)
    expect(await probeImage(great)).toBeUndefined()
    expect(await fitPhoto(great)).toBeUndefined()
    expect(await imageThumbnail(great)).toBeUndefined()
  })

  it('with a header that claims a huge size is refused', async () => {
    const liar = await colored(60, 40, [1, 2, 3]).png().toBuffer()
    liar.writeUInt32BE(2 ** 31 - 1, 16)
    liar.writeUInt32BE(2 ** 31 - 1, 20)
    expect(await probeImage(liar)).toBeUndefined()
  })

  it('with an animation is decoded to its first frame', async () => {
    const frame = (_: unknown, at: number) =>
      colored(300, 300, [at * 6, 0, 0])
        .png()
        .toBuffer()
    const frames = await Promise.all(Array.from({ length: 40 }, frame))
    const moving = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer()
    expect((await sharp(moving).metadata()).pages).toBeGreaterThan(20)
    expect(await fitPhoto(moving)).toMatchObject({ width: 300, height: 300, changed: true })
  })

  const laughs = Array.from({ length: 9 }, (_, at) => {
    const before = `&l${at};`.repeat(10)
    return `<!ENTITY l${at + 1} "${before}">`
  })
  const rect = '<rect width="9" height="9"/>'
  it.each([
    ['SVG', `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${rect}</svg>`],
    [
      'SVG with exponential entities',
      `<!DOCTYPE svg [<!ENTITY l0 "ha">${laughs.join('')}]><svg><text>&l9;</text></svg>`,
    ],
    ['GIF', Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')],
    ['PDF', '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj'],
  ])('of another format (%s) is not opened', async (_, content) => {
    expect(await probeImage(Buffer.from(content))).toBeUndefined()
  })
})

describe('a video', () => {
  /** A video whose table claims four billion samples in each chunk after the millionth. */
  async function endless(): Promise<Buffer> {
    const bytes = Buffer.from(await clip('640x640.mp4'))
    const table = bytes.indexOf('stsc')
    assert(table > 0)
    bytes.writeUInt32BE(0x0fff_ffff, table + 13)
    return bytes
  }

  it('with endless tables is given up, without blocking the event loop', async () => {
    const bomb = await endless()
    const halt = await longestHaltMs(async () => {
      expect(await probeVideo(bomb, 2000)).toBeUndefined()
    })
    expect(halt).toBeLessThan(1000)
  })

  it('with endless tables does not block the event loop when several are probed at once', async () => {
    const bomb = await endless()
    const halt = await longestHaltMs(async () => {
      const all = Array.from({ length: 6 }, () => probeVideo(bomb, 300))
      expect(await Promise.all(all)).toEqual(Array(6).fill(undefined))
    })
    expect(halt).toBeLessThan(1000)
    expect(await probeVideo(await clip('640x640.mp4'))).toMatchObject({ width: 640 })
  })

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

  it.skipIf(!hasFfmpeg)(orSkipped('that takes too long to encode is given up'), async () => {
    const webm = await clip('640x640.webm')
    const began = performance.now()
    const job = {
      bytes: webm,
      reads: 'matroska',
      options: ['-vf', 'loop=-1:32767'],
      output: 'out.mp4',
    } as const
    expect(await runFfmpeg({ ...job, timeoutMs: 1000 })).toBeUndefined()
    expect(performance.now() - began).toBeLessThan(5000)
  })
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
  it('that claims to be endless is as long as its bytes', () => {
    const wav = makeWav(1, sine(300), { says: 0xffff_ffff })
    expect(readWav(wav)).toMatchObject({ frames: 24_000 })
  })

  it('with more than a thousand chunks before its data is refused', () => {
    const wav = (chunks: number) =>
      readWav(makeWav(0.1, sine(300), { before: Array(chunks).fill(chunkHead('junk', 0)) }))
    expect(wav(900)).toMatchObject({ frames: 2400 })
    expect(wav(1001)).toBeUndefined()
  })

  it.each([
    ['rate', { rate: 1 }],
    ['rate', { rate: 4_000_000 }],
    ['number of channels', { channels: 9 }],
  ])('with an absurd %s is refused', async (_, spec) => {
    const wav = makeWav(0.001, sine(300), spec)
    expect(readWav(wav.length > 60 ? wav : Buffer.concat([wav, chunkHead('data', 9)]))).toBeUndefined()
    expect(await toVoice(wav)).toBeUndefined()
  })

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

  it('whose description is larger than the heap does not end the process that draws it', async () => {
    const { ended, complaints } = start('test/support/media/heap-bombs.ts', {}, ['glb'])
    expect([await ended, complaints()]).toEqual([0, ''])
  })

  it('with a node inside itself is given up', async () => {
    const bytes = glbOfJson({
      scenes: [{ nodes: [0] }],
      nodes: [{ children: [1] }, { children: [0] }],
    })
    expect(await previewGlb(bytes, 5000)).toBeUndefined()
  }, 20_000)

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

  it('with too many textures is drawn without the last', async () => {
    const picture = await colored(1, 1, [255, 0, 0]).png().toBuffer()
    const red = async (before: number) => {
      const document = newModel()
      const { points, ...shape } = cube()
      for (let at = 0; at <= before; at += 1) {
        const texture = document.createTexture().setImage(new Uint8Array(picture)).setMimeType('image/png')
        const material = document.createMaterial().setBaseColorTexture(texture)
        const size = at < before ? 0.001 : 1
        addShape(document, { ...shape, points: points.map((one) => one * size) }, material)
      }
      const pixels = await drawGlb(await glbOf(document), 32)
      const [r = 0, g = 0] = pixels?.subarray((16 * 32 + 16) * 3) ?? []
      return r > g + 50
    }
    expect([await red(0), await red(127), await red(128)]).toEqual([true, true, false])
  }, 30_000)
})
