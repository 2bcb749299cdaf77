// Decoder processes. Every parser of files that come from outside (users, results) runs in one: a fault in a decoder then reaches neither
// the secrets of the app, which are in its memory and its environment, nor the app itself, whatever time and memory a file takes.

import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { programScript } from '../folders.ts'

/** The jobs of decoder.ts. */
export type JobName =
  | 'facts'
  | 'repack'
  | 'voice'
  | 'preview'
  | 'pdf'
  | 'photo'
  | 'thumbnail'
  | 'brightness'
  | 'size'
  | 'picture'
  | 'drawing'

/** A semaphore for work that takes a whole core or much memory. */
type Gate = <T>(work: () => Promise<T>) => Promise<T>

export function createGate(width: number): Gate {
  let free = width
  const waiting: (() => void)[] = []
  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}

interface Limits {
  /** The time limit, counted from the start of the job, after the wait for the gate. */
  readonly timeoutMs: number
  /** The limit of processor time, which does not grow while other programs keep the machine busy. A job can exceed it briefly. */
  readonly cpuMs?: number
  /** Limits concurrent jobs; by default the gate for results. */
  readonly gate?: Gate
  /** Parameters of the job. */
  readonly options?: unknown
}

const program = fileURLToPath(programScript('media/decoder'))
/** The limit of the memory of the whole process. A job can exceed it briefly. */
const memoryBytes = 1024 ** 3
/** V8 ends a process whose heap grows larger. */
const heapMegabytes = 512

const results = createGate(Math.min(4, availableParallelism()))
/** The gate for files of users, so that these never delay the delivery of results. */
export const filesOfUsers = createGate(Math.min(2, availableParallelism()))

/** Processes without a job, each with the signal that ends it. They are reused: starting one takes longer than most jobs. */
const idle = new Map<ChildProcess, AbortSignal>()
const idleMs = 60_000
/** A process that keeps more memory than this after a job is not reused. */
const idleBytesMax = 300 * 1024 ** 2

/** @returns the answer of the job; undefined when it failed or exceeded its limits, or when the answer has another shape */
export async function decode<T>(
  job: JobName,
  bytes: Buffer,
  shape: z.ZodType<T>,
  { timeoutMs, cpuMs = 2 * timeoutMs, gate = results, options }: Limits,
): Promise<T | undefined> {
  const answer = await gate(() => run({ job, bytes, options, cpuMs, memoryBytes }, timeoutMs))
  return shape.safeParse(answer).data
}

const done = z.object({ answer: z.unknown(), memoryBytes: z.number() })

function run(task: object, timeoutMs: number): Promise<unknown> {
  const [child = begin()] = idle.keys()
  idle.delete(child)
  const late = AbortSignal.timeout(timeoutMs)
  return new Promise((resolve) => {
    const end = (answer?: unknown) => {
      late.removeEventListener('abort', fail)
      child.off('message', finish).off('exit', fail).off('error', fail)
      resolve(answer)
    }
    const fail = () => {
      child.kill('SIGKILL')
      end()
    }
    const finish = (message: unknown) => {
      const { data } = done.safeParse(message)
      if (!data) return fail()
      rest(child, data.memoryBytes)
      end(data.answer)
    }
    late.addEventListener('abort', fail)
    child.on('message', finish).on('exit', fail).on('error', fail).ref()
    child.channel?.ref()
    child.send(task, (error) => error && fail())
  })
}

function begin(): ChildProcess {
  const child = fork(program, {
    serialization: 'advanced',
    // Without this the process would inherit Node options such as `--env-file`, which reads the secrets.
    execArgv: [`--max-old-space-size=${heapMegabytes}`],
    // The environment of the app contains its secrets.
    env: {},
    // Its output is discarded, since it can quote the file.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  child.on('error', () => undefined)
  return child.once('exit', () => idle.delete(child))
}

/** Keeps a process for the next job for a while. It does not keep the app running. */
function rest(child: ChildProcess, kept: number): void {
  if (kept > idleBytesMax) return void child.kill('SIGKILL')
  const over = AbortSignal.timeout(idleMs)
  over.addEventListener('abort', () => {
    if (idle.get(child) === over && idle.delete(child)) child.kill('SIGKILL')
  })
  idle.set(child, over)
  child.unref()
  child.channel?.unref()
}
