// The program of the decoder processes: see decoders.ts. It runs one job at a time; only the code of that job is loaded, because decoders
// are slow to load. A job can block the main thread, so a second thread watches its limits.

import { flushCompileCache } from 'node:module'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { programScript } from '../folders.ts'
import type { JobName } from './decoders.ts'

type Work = (bytes: Buffer, options: unknown) => unknown

const jobs: Readonly<Record<JobName, () => Promise<Work>>> = {
  facts: async () => (await import('./container.ts')).readFacts,
  'part-facts': async () => (await import('./container.ts')).readPartFacts,
  repack: async () => (await import('./container.ts')).repack,
  voice: async () => (await import('./sound.ts')).encodeVoice,
  sound: async () => (await import('./sound.ts')).soundForModel,
  preview: async () => (await import('./glb/picture.ts')).drawPreview,
  pdf: async () => (await import('./pdf.ts')).readPdf,
  photo: async () => (await import('./pictures.ts')).fitPhoto,
  thumbnail: async () => (await import('./pictures.ts')).makeThumbnail,
  size: async () => (await import('./pictures.ts')).sizeOf,
  picture: async () => (await import('./pictures.ts')).pictureForModel,
  drawing: async () => (await import('./pictures.ts')).rasterize,
}

const task = z.object({
  cpuMs: z.number(),
  memoryBytes: z.number(),
  job: z.custom<JobName>((name) => typeof name === 'string' && Object.hasOwn(jobs, name)),
  bytes: z.instanceof(Buffer),
  options: z.unknown(),
})

function serve(): void {
  const watcher = new Worker(programScript('media/decoder-watch'))
  watcher.unref()
  process.on('message', async (message) => {
    const { job, bytes, options, cpuMs, memoryBytes } = task.parse(message)
    const work: Work = await jobs[job]()
    watcher.postMessage(Float64Array.of(cpuMs, memoryBytes))
    // The received bytes begin at any place of a larger buffer; some decoders read aligned numbers from them.
    const aligned = Buffer.from(new Uint8Array(bytes).buffer)
    const answer = await attempt(work, aligned, options)
    watcher.postMessage(undefined)
    process.send?.({ answer, memoryBytes: process.memoryUsage.rss() })
    // Usually done at the end of a process, but this one is killed.
    flushCompileCache()
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

serve()
