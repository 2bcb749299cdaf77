// One job in a thread of its own, so that work without a pause stops nobody, and so that whatever foreign bytes do to it
// (a crash, an endless loop, all of the memory) ends with the thread. A thread that has answered is kept for the next job:
// starting one takes longer than most jobs.

import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { parentPort, Worker } from 'node:worker_threads'
import { createGate, type Gate } from './gate.ts'

const resourceLimits = { maxOldGenerationSizeMb: 512 }
const atMost = Math.min(4, availableParallelism())

const mediaGate = createGate(atMost)
const idle = new Map<string, Set<Worker>>()

export interface Limits {
  /** From when a thread is free. */
  readonly timeoutMs: number
  /** Of the heap and of buffers outside of it, which `resourceLimits` do not count; it may be exceeded for a moment. */
  readonly memoryBytes?: number
  /** What it waits for before it begins; the gate of the media if nothing is said. */
  readonly gate?: Gate
}

const usualMemoryBytes = 1024 ** 3

/** @returns what the script answered; undefined when it failed, or went beyond its limits */
export function runInThread(
  script: URL,
  bytes: Buffer,
  { timeoutMs, memoryBytes = usualMemoryBytes, gate = mediaGate }: Limits,
): Promise<Buffer | undefined> {
  return gate(() => run(script, bytes, { late: AbortSignal.timeout(timeoutMs), memoryBytes }))
}

/**
 * The same for what is not worth waiting for: the budget also counts the time until a thread is free. A job that has begun goes on
 * after it until its own time is over, so that the next job finds a thread that is warm.
 */
export function runInThreadWithin(
  script: URL,
  bytes: Buffer,
  budgetMs: number,
  limits: Limits,
): Promise<Buffer | undefined> {
  const late = AbortSignal.timeout(budgetMs)
  const over = new Promise<undefined>((resolve) => late.addEventListener('abort', () => resolve(undefined)))
  const { timeoutMs, memoryBytes = usualMemoryBytes, gate = mediaGate } = limits
  const begun = gate(async () =>
    late.aborted ? undefined : run(script, bytes, { late: AbortSignal.timeout(timeoutMs), memoryBytes }),
  )
  return Promise.race([over, begun])
}

/** Begins a thread for a job that is soon to come, unless one is there: starting one takes longer than most jobs. */
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

interface Bounds {
  readonly late: AbortSignal
  readonly memoryBytes: number
}

async function run(script: URL, bytes: Buffer, { late, memoryBytes }: Bounds): Promise<Buffer | undefined> {
  const resting = restingFor(script)
  const [worker = begin(script, resting)] = resting
  resting.delete(worker)
  const stopWatching = watchMemory(worker, memoryBytes)
  const answer = await ask(worker, resting, bytes, late)
  stopWatching()
  return answer
}

const lookEveryMs = 50

/** Ends a thread that takes too much. @returns stops watching */
function watchMemory(worker: Worker, memoryBytes: number): () => void {
  const look = async () => {
    const { used_heap_size: heap, external_memory: external } = await worker.getHeapStatistics()
    if (heap + external > memoryBytes) await worker.terminate()
  }
  // A thread that has just ended has no statistics.
  const timer = setInterval(() => look().catch(() => undefined), lookEveryMs)
  return () => clearInterval(timer)
}

/** What it prints is foreign text and nobody's business. */
function begin(script: URL, resting: Set<Worker>): Worker {
  // Node.js drops the query of a worker's address, so the job in it is passed on beside it.
  const workerData = script.searchParams.get('job')
  const worker = new Worker(script, { resourceLimits, workerData, stdout: true, stderr: true })
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
