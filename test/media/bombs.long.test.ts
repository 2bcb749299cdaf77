// Small files that claim to be huge, each refused or shown in part before it exhausts memory; and the decoder processes for untrusted bytes:
// whatever happens in one, the job ends, the caller continues, and no secret is there.

import assert from 'node:assert/strict'
import { type ChildProcess, execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { fitPhoto, previewGlb, probeAudio, probeVideo, toMp4, toVoice } from '../../src/media/convert.ts'
import { decode, filesOfUsers, findFfmpeg, runFfmpeg } from '../../src/media/decoders.ts'
import { drawGlb } from '../../src/media/glb/picture.ts'
import { addShape, clip, cube, glbOf, glbOfJson, newModel } from '../support/media/media-files.ts'
import { pdfOf } from '../support/media/pdf.ts'

const hasFfmpeg = await findFfmpeg()
const orSkipped = (name: string) => (hasFfmpeg ? name : `${name} (skipped: no ffmpeg here)`)

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

it('a photo of more than 10 MB at the strongest compression is scaled down', async () => {
  const raw = { width: 4500, height: 4500, channels: 3 } as const
  const noise = sharp(randomBytes(raw.width * raw.height * 3), { raw })
  const smaller = await fitPhoto(await noise.jpeg({ quality: 95 }).toBuffer())
  expect(smaller?.changed).toBe(true)
  expect(smaller?.bytes.length).toBeLessThanOrEqual(10_000_000)
  expect(smaller?.bytes.length).toBeGreaterThan(6_000_000)
})

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
      const cut = await runFfmpeg({ ...job, timeoutMs: 30_000 })
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
    addShape(document, { ...shape, points: Array(90).fill(shape.points).flat() })
    const mesh = document.getRoot().listMeshes()[0] ?? null
    const scene = document.getRoot().getDefaultScene()
    for (let copy = 0; copy < 5000; copy += 1) scene?.addChild(document.createNode().setMesh(mesh))
    await expect(drawGlb(await glbOf(document), 32)).rejects.toThrow('too many points')
  }, 30_000)
})

/** A video whose table claims four billion samples in each chunk after the millionth. */
async function endless(): Promise<Buffer> {
  const bytes = Buffer.from(await clip('640x640.mp4'))
  const table = bytes.indexOf('stsc')
  assert(table > 0)
  bytes.writeUInt32BE(0x0fff_ffff, table + 13)
  return bytes
}

const facts = z.object({ video: z.object({ width: z.number() }) })
const probe = (bytes: Buffer, limits: { timeoutMs: number; cpuMs?: number }) =>
  decode('facts', bytes, facts, limits)
const isWell = async () =>
  expect(await probe(await clip('640x640.mp4'), { timeoutMs: 30_000 })).toEqual({ video: { width: 640 } })

/** The processes that the test starts. */
function startedHere(): ChildProcess[] {
  const started: ChildProcess[] = []
  const note = (message: unknown) => {
    started.push(z.object({ process: z.custom<ChildProcess>() }).parse(message).process)
  }
  subscribe('child_process', note)
  onTestFinished(() => void unsubscribe('child_process', note))
  return started
}

/** Ends the processes that other tests have left idle: a job is given to each, and ends with its process at its time limit. */
async function endIdle(): Promise<void> {
  const started = startedHere()
  while (started.length === 0) await decode('facts', await endless(), facts, { timeoutMs: 1 })
}

describe('a decoder process', () => {
  it('that never answers is ended at the time limit, and the next job gets another one', async () => {
    expect(await probe(await endless(), { timeoutMs: 500 })).toBeUndefined()
    await isWell()
  })

  it('is ended when its processor time is used up', async () => {
    const began = performance.now()
    expect(await probe(await endless(), { timeoutMs: 60_000, cpuMs: 300 })).toBeUndefined()
    expect(performance.now() - began).toBeLessThan(30_000)
    await isWell()
  })

  it('that takes all of its memory is ended', async () => {
    const glb = glbOfJson({ extras: Array(7_000_000).fill({}) })
    expect(await decode('preview', glb, z.unknown(), { timeoutMs: 60_000 })).toBeUndefined()
    await isWell()
  })

  it('is one of a limited number', async () => {
    await endIdle()
    const started = startedHere()
    const mp4 = await clip('640x640.mp4')
    await Promise.all(Array.from({ length: 12 }, () => probe(mp4, { timeoutMs: 60_000 })))
    expect(started).toHaveLength(Math.min(4, availableParallelism()))
  })

  it('of files of users does not wait for those of results', async () => {
    const bomb = await endless()
    await endIdle()
    const started = startedHere()
    let isFree = false
    const results = Array.from({ length: 4 }, () => probe(bomb, { timeoutMs: 30_000 }))
    void Promise.any(results).then(() => {
      isFree = true
    })
    const limits = { timeoutMs: 30_000, gate: filesOfUsers }
    expect(await decode('pdf', pdfOf('page'), z.object({ text: z.string() }), limits)).toEqual({
      text: 'page',
    })
    expect(isFree).toBe(false)
    const settled = Promise.all(results)
    const ending = setInterval(() => {
      for (const child of started) child.kill('SIGKILL')
    }, 10)
    await settled
    clearInterval(ending)
  })

  it.skipIf(!existsSync('/proc/self/environ'))('has no variables but the compile cache', async () => {
    await endIdle()
    process.env.MADE_UP_SECRET = 'hunter2'
    onTestFinished(() => void delete process.env.MADE_UP_SECRET)
    const started = startedHere()
    await isWell()
    const [child] = started
    assert(child?.pid !== undefined)
    const names = readFileSync(`/proc/${child.pid}/environ`, 'latin1')
      .split('\0')
      .filter(Boolean)
      .map((one) => one.split('=')[0])
    const own = ['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE', 'NODE_COMPILE_CACHE']
    expect(names.filter((name) => !own.includes(name ?? ''))).toEqual([])
    expect(child.spawnargs.join(' ')).not.toContain('env-file')
  })
})
