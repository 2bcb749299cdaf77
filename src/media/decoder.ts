// The program of the decoder processes: see decoders.ts. It runs one job at a time; only the code of that job is loaded, because decoders
// are slow to load. A job can block the main thread, so a second thread watches its limits.

import assert from 'node:assert/strict'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { z } from 'zod'
import type { JobName } from './decoders.ts'

type Work = (bytes: Buffer, options: unknown) => unknown

const jobs: Readonly<Record<JobName, () => Promise<Work>>> = {
  facts: async () => (await import('./container.ts')).readFacts,
  'part-facts': async () => (await import('./container.ts')).readPartFacts,
  repack: async () => (await import('./container.ts')).repack,
  voice: async () => {
    const [{ encodeVoice }, { readWav }] = await Promise.all([import('./opus.ts'), import('./wav.ts')])
    return async (bytes) => {
      const wav = readWav(bytes)
      return wav && Buffer.from(await encodeVoice(wav))
    }
  },
  sound: async () => (await import('./sound.ts')).soundForModel,
  preview: async () => (await import('./glb/picture.ts')).drawPreview,
  pdf: async () => (await import('./pdf.ts')).readPdf,
  photo: async () => (await import('./pictures.ts')).fitPhoto,
  thumbnail: async () => (await import('./pictures.ts')).makeThumbnail,
  brightness: async () => (await import('./pictures.ts')).readBrightness,
  size: async () => (await import('./pictures.ts')).sizeOf,
  picture: async () => (await import('./pictures.ts')).pictureForModel,
  drawing: async () => (await import('./pictures.ts')).rasterize,
}

const limits = z.object({ cpuMs: z.number(), memoryBytes: z.number() })
const task = limits.extend({
  job: z.custom<JobName>((name) => typeof name === 'string' && Object.hasOwn(jobs, name)),
  bytes: z.instanceof(Buffer),
  options: z.unknown(),
})

function serve(): void {
  const watcher = new Worker(import.meta.filename)
  watcher.unref()
  process.on('message', async (message) => {
    const { job, bytes, options, ...most } = task.parse(message)
    const work: Work = await jobs[job]()
    watcher.postMessage(most)
    // The received bytes begin at any place of a larger buffer; some decoders read aligned numbers from them.
    const aligned = Buffer.from(new Uint8Array(bytes).buffer)
    const answer = await attempt(work, aligned, options)
    watcher.postMessage(undefined)
    process.send?.({ answer, memoryBytes: process.memoryUsage.rss() })
  })
  process.on('disconnect', () => process.exit())
}

async function attempt(work: Work, bytes: Buffer, options: unknown): Promise<unknown> {
  try {
    return await work(bytes, options)
  } catch {
    return undefined
  }
}

const lookEveryMs = 50

/** The side of the second thread: ends the process when its job exceeds a limit. */
function watch(): void {
  assert(parentPort, 'this is a thread')
  let most: z.output<typeof limits> | undefined
  let before = process.cpuUsage()
  parentPort.on('message', (message: unknown) => {
    most = limits.optional().parse(message)
    before = process.cpuUsage()
  })
  setInterval(() => {
    if (!most) return
    const { user, system } = process.cpuUsage(before)
    const isBusy = (user + system) / 1000 > most.cpuMs
    if (isBusy || process.memoryUsage.rss() > most.memoryBytes) process.kill(process.pid, 'SIGKILL')
  }, lookEveryMs)
}

if (isMainThread) serve()
else watch()
