// The worker threads of this room. The job of a thread stands in its address: `worker.ts?job=voice`. The code of a job is
// imported by its own thread only, because decoders and encoders are slow to load.

import assert from 'node:assert/strict'
import { workerData } from 'node:worker_threads'
import { answerInThread } from './thread.ts'

/**
 * A preview is drawn larger than it is shown and then scaled down, which smooths its edges. Twice the shown size would take
 * two and a half times as long and look the same on a phone.
 */
const drawnPixels = 1280

type Work = Parameters<typeof answerInThread>[0]

const jobs: Readonly<Record<string, () => Promise<Work>>> = {
  async facts() {
    const { readFacts } = await import('./container.ts')
    return async (bytes) => new TextEncoder().encode(JSON.stringify(await readFacts(bytes)))
  },
  async voice() {
    const [{ encodeVoice }, { readWav }] = await Promise.all([import('./opus.ts'), import('./wav.ts')])
    return async (bytes) => {
      const wav = readWav(bytes)
      return wav && encodeVoice(wav)
    }
  },
  async repack() {
    return (await import('./container.ts')).repack
  },
  async preview() {
    const { drawGlb } = await import('./glb/picture.ts')
    return (bytes) => drawGlb(bytes, drawnPixels)
  },
}

const job = jobs[String(workerData)]
assert(job, `no such job: ${workerData}`)
answerInThread(await job())
