// One job in a thread of its own, so that work without a pause stops nobody, and so that whatever foreign bytes do to it
// (a crash, an endless loop, all of the memory) ends with the thread. One that has answered is kept for the next job: to begin
// anew takes longer than most jobs.

import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { parentPort, Worker } from 'node:worker_threads'
import { createGate } from './gate.ts'

const resourceLimits = { maxOldGenerationSizeMb: 512 }
const atMost = Math.min(4, availableParallelism())

const gate = createGate(atMost)
const idle = new Map<string, Set<Worker>>()

/** What the script answered; undefined when it failed or did not answer in time, which begins when a thread is free. */
export function runInThread(script: URL, bytes: Buffer, timeoutMs: number): Promise<Buffer | undefined> {
  return gate(() => run(script, bytes, AbortSignal.timeout(timeoutMs)))
}

/**
 * The same for what is not worth waiting for: the budget counts the time until a thread is free, too. What has begun goes on
 * after it until its own time is over, so that the next job finds a thread that is warm, and not one that begins anew.
 */
export function runInThreadWithin(
  script: URL,
  bytes: Buffer,
  budgetMs: number,
  timeoutMs: number,
): Promise<Buffer | undefined> {
  const late = AbortSignal.timeout(budgetMs)
  const over = new Promise<undefined>((resolve) => late.addEventListener('abort', () => resolve(undefined)))
  const begun = gate(async () =>
    late.aborted ? undefined : run(script, bytes, AbortSignal.timeout(timeoutMs)),
  )
  return Promise.race([over, begun])
}

/** Begins a thread for a job that is soon to come, unless one is there: to begin takes longer than most jobs. */
export function warmUp(script: URL): void {
  const resting = restingFor(script)
  if (resting.size > 0) return
  const worker = begin(script, resting)
  worker.unref()
  resting.add(worker)
}

function restingFor(script: URL): Set<Worker> {
  const resting = idle.get(script.href) ?? new Set()
  idle.set(script.href, resting)
  return resting
}

function run(script: URL, bytes: Buffer, late: AbortSignal): Promise<Buffer | undefined> {
  const resting = restingFor(script)
  const [worker = begin(script, resting)] = resting
  resting.delete(worker)
  return ask(worker, resting, bytes, late)
}

/** What it prints is foreign text and nobody's business. */
function begin(script: URL, resting: Set<Worker>): Worker {
  const worker = new Worker(script, { resourceLimits, stdout: true, stderr: true })
  worker.stdout.resume()
  worker.stderr.resume()
  // Its exit says as much.
  worker.on('error', () => undefined)
  return worker.once('exit', () => resting.delete(worker))
}

function ask(
  worker: Worker,
  resting: Set<Worker>,
  bytes: Buffer,
  late: AbortSignal,
): Promise<Buffer | undefined> {
  // A copy of its own: a Buffer may be a window on memory that others use.
  const input = new Uint8Array(bytes)
  return new Promise((resolve) => {
    const end = (answer?: Buffer) => {
      late.removeEventListener('abort', onEnd)
      worker.off('message', onMessage).off('exit', onEnd)
      resolve(answer)
    }
    const onMessage = (answer: unknown) => {
      worker.unref()
      resting.add(worker)
      end(bufferOf(answer))
    }
    const onEnd = () => {
      end()
      void worker.terminate()
    }
    late.addEventListener('abort', onEnd)
    worker.on('message', onMessage).on('exit', onEnd).ref()
    worker.postMessage(input, [input.buffer])
  })
}

const bufferOf = (answer: unknown): Buffer | undefined =>
  answer instanceof Uint8Array ? Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength) : undefined

/** The other side: what such a script does, job after job. An error it throws is the end of the thread. */
export function answerInThread(work: (bytes: Buffer) => Promise<Uint8Array<ArrayBuffer> | undefined>): void {
  const port = parentPort
  assert(port, 'this script runs in a thread')
  port.on('message', async (message: unknown) => {
    const input = bufferOf(message)
    assert(input, 'the thread was given its bytes')
    const result = await work(input)
    port.postMessage(result, result ? [result.buffer] : [])
  })
}
