// Runs a job in a worker thread, so that long synchronous work does not block the event loop, and so that a crash, an endless loop
// or excessive memory use caused by an untrusted file is confined to the thread. One call that needs much more heap than the thread may
// have ends the whole process all the same: see process.ts. Idle threads are reused: starting one takes longer than most jobs.

import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { parentPort, Worker } from 'node:worker_threads'
import { createGate, type Gate } from './gate.ts'

const resourceLimits = { maxOldGenerationSizeMb: 512 }
const atMost = Math.min(4, availableParallelism())

const mediaGate = createGate(atMost)
const idle = new Map<string, Set<Worker>>()

interface Limits {
  /** The time limit, counted from the start of the job, after the wait for a free thread. */
  readonly timeoutMs: number
  /** The limit of processor time, which does not grow while other programs keep the machine busy. A job can exceed it briefly. */
  readonly cpuMs?: number
  /** The limit of memory: the heap, and the buffers outside of it, which `resourceLimits` do not count. A job can exceed it briefly. */
  readonly memoryBytes?: number
  /** Limits concurrent jobs; by default the gate that all media jobs share. */
  readonly gate?: Gate
}

const usualMemoryBytes = 1024 ** 3

/** @returns the answer of the script; undefined when it failed or exceeded its limits */
export function runInThread(
  script: URL,
  bytes: Buffer,
  { timeoutMs, memoryBytes = usualMemoryBytes, cpuMs, gate = mediaGate }: Limits,
): Promise<Buffer | undefined> {
  return gate(() => run(script, bytes, { late: AbortSignal.timeout(timeoutMs), memoryBytes, cpuMs }))
}

/**
 * Like `runInThread`, for a result that is optional: the budget includes the wait for a free thread. A job that has started continues
 * after the budget until its own timeout, so that the next job finds a warm thread.
 */
export function runInThreadWithin(
  script: URL,
  bytes: Buffer,
  budgetMs: number,
  limits: Limits,
): Promise<Buffer | undefined> {
  const late = AbortSignal.timeout(budgetMs)
  const over = new Promise<undefined>((resolve) => late.addEventListener('abort', () => resolve(undefined)))
  const { gate = mediaGate, ...others } = limits
  const atOnce: Gate = (work) => work()
  const begun = gate(async () =>
    late.aborted ? undefined : runInThread(script, bytes, { ...others, gate: atOnce }),
  )
  return Promise.race([over, begun])
}

/** Starts a thread for a job that is expected soon, unless one is idle. */
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
  readonly cpuMs: number | undefined
}

async function run(script: URL, bytes: Buffer, { late, ...most }: Bounds): Promise<Buffer | undefined> {
  const resting = restingFor(script)
  const [worker = begin(script, resting)] = resting
  resting.delete(worker)
  const stopWatching = watch(worker, most)
  const answer = await ask(worker, resting, bytes, late)
  stopWatching()
  return answer
}

const lookEveryMs = 50

/** Terminates a thread that uses too much memory or processor time. @returns a function that stops the checks */
function watch(worker: Worker, { memoryBytes, cpuMs }: Omit<Bounds, 'late'>): () => void {
  const before = cpuMs === undefined ? undefined : worker.cpuUsage().catch(() => undefined)
  const look = async () => {
    const { used_heap_size: heap, external_memory: external } = await worker.getHeapStatistics()
    const { user, system } = before ? await worker.cpuUsage(await before) : { user: 0, system: 0 }
    const isBusy = cpuMs !== undefined && (user + system) / 1000 > cpuMs
    if (heap + external > memoryBytes || isBusy) await worker.terminate()
  }
  let isLooking = false
  const lookOnce = async () => {
    // A thread within a long call answers late: the looks would pile up, and each would terminate it.
    if (isLooking) return
    isLooking = true
    // The statistics fail for a thread that has just exited.
    await look().catch(() => undefined)
    isLooking = false
  }
  const timer = setInterval(lookOnce, lookEveryMs)
  return () => clearInterval(timer)
}

/** Starts a thread. Its output is discarded, since it can quote an untrusted file. */
function begin(script: URL, resting: Set<Worker>): Worker {
  // Node.js drops the query of a worker's address, so the job is passed as data.
  const workerData = script.searchParams.get('job')
  const worker = new Worker(script, { resourceLimits, workerData, stdout: true, stderr: true })
  worker.stdout.resume()
  worker.stderr.resume()
  // Every error is followed by `exit`, which is handled.
  worker.on('error', () => undefined)
  return worker.once('exit', () => resting.delete(worker))
}

function ask(
  worker: Worker,
  resting: Set<Worker>,
  bytes: Buffer,
  late: AbortSignal,
): Promise<Buffer | undefined> {
  // The bytes are copied, because they are transferred to the thread, and a Buffer can share its memory with others.
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

/** The side of the worker: answers jobs one after another. A thrown error ends the thread. */
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
