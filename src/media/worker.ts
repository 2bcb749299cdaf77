// The script of the worker threads of this room. The address of a thread names its job: `worker.ts?job=voice`. Each thread imports only
// the code of its job, because decoders and encoders are slow to load.

import assert from 'node:assert/strict'
import { workerData } from 'node:worker_threads'
import { answerInThread } from './thread.ts'

/**
 * The size in which a preview is drawn: larger than it is shown, since scaling it down smooths the edges. Twice the shown size would take
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
