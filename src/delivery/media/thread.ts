// One job in a thread of its own, so that work without a pause stops nobody, and so that whatever foreign bytes do to it
// (a crash, an endless loop, all of the memory) ends with the thread.

import assert from 'node:assert/strict'
import { parentPort, Worker, workerData } from 'node:worker_threads'

const resourceLimits = { maxOldGenerationSizeMb: 512 }

/** What the script answered; undefined when it failed or did not answer in time. */
export function runInThread(script: URL, bytes: Buffer, timeoutMs: number): Promise<Buffer | undefined> {
  // A copy of its own: a Buffer may be a window on memory that others use.
  const input = new Uint8Array(bytes)
  return new Promise((resolve) => {
    const worker = new Worker(script, { workerData: input, transferList: [input.buffer], resourceLimits })
    const late = AbortSignal.timeout(timeoutMs)
    const done = (result?: Buffer) => {
      late.removeEventListener('abort', onLate)
      resolve(result)
      void worker.terminate()
    }
    const onLate = () => done()
    late.addEventListener('abort', onLate)
    worker.once('message', (answer: unknown) => done(bufferOf(answer)))
    worker.once('error', () => done())
    worker.once('exit', () => done())
  })
}

const bufferOf = (answer: unknown): Buffer | undefined =>
  answer instanceof Uint8Array ? Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength) : undefined

/** The other side: what such a script does. An error it throws is the thread's. */
export async function answerInThread(
  work: (bytes: Buffer) => Promise<Uint8Array<ArrayBuffer> | undefined>,
): Promise<void> {
  assert(parentPort, 'this script runs in a thread')
  const input = bufferOf(workerData)
  assert(input, 'the thread was given its bytes')
  const result = await work(input)
  parentPort.postMessage(result, result ? [result.buffer] : [])
}
