// Decoder processes. Every parser of files that come from outside (users, results) runs in one: a fault in a decoder then reaches neither
// the secrets of the app, which are in its memory and its environment, nor the app itself, whatever time and memory a file takes.

import { type ChildProcess, fork, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { getCompileCacheDir } from 'node:module'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { programScript } from '../folders.ts'

/** The jobs of decoder.ts. */
export type JobName =
  | 'facts'
  | 'part-facts'
  | 'repack'
  | 'voice'
  | 'sound'
  | 'preview'
  | 'pdf'
  | 'photo'
  | 'thumbnail'
  | 'size'
  | 'picture'
  | 'drawing'

/** A semaphore for work that takes a whole core or much memory. */
type Gate = <T>(work: () => Promise<T>) => Promise<T>

function createGate(width: number): Gate {
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
/** The folder of this version of Node.js in NODE_COMPILE_CACHE, if that is set. */
const compileCache = getCompileCacheDir()
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
    // The environment of the app contains its secrets. With the compile cache a decoder starts in half of the processor time.
    env: compileCache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compileCache) },
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

// ffmpeg, if it is installed; every caller works without it. It gets a folder of its own, limits of time and size, an environment without
// our secrets, and the name of the demuxer: if it guessed the format, it would accept a playlist and open the files that the playlist
// names.

export interface FfmpegJob {
  readonly bytes: Buffer
  /** The name of the demuxer that reads the input. */
  readonly reads: 'mov' | 'matroska' | 'flac' | 'ogg'
  /** Options between the input and the output. */
  readonly options: readonly string[]
  /** The name of the output, like `out.mp4`. */
  readonly output: string
  readonly timeoutMs: number
}

const outputBytesMax = 50 * 1024 * 1024
/** Limits above the length and the size of any result; a header of a few bytes can claim more. */
const bounds = { secondsMax: 30 * 60, pixelsMax: 7680 * 4320 }
/** Decoding threads; each of them buffers frames. */
const threads = 2
const env = { PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin' }
const quiet = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y']

let found: Promise<boolean> | undefined

/** Whether ffmpeg runs on this machine; checked once. */
export function findFfmpeg(): Promise<boolean> {
  found ??= runProgram(['-version'], tmpdir(), 10_000)
  return found
}

const gate = createGate(Math.min(4, availableParallelism()))

/** Runs ffmpeg. @returns the file that it wrote; undefined when ffmpeg is missing or fails */
export async function runFfmpeg(job: FfmpegJob): Promise<Buffer | undefined> {
  return (await findFfmpeg()) ? gate(() => runJob(job)) : undefined
}

async function runJob(job: FfmpegJob): Promise<Buffer | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'media-')).catch(() => undefined)
  if (!folder) return undefined
  try {
    await writeFile(join(folder, 'in'), job.bytes)
    const done = await runProgram(argumentsFor(job), folder, job.timeoutMs)
    return done ? await written(join(folder, job.output)) : undefined
  } catch {
    return undefined
  } finally {
    await rm(folder, { recursive: true, force: true }).catch(() => undefined)
  }
}

const argumentsFor = ({ reads, options, output }: FfmpegJob): string[] => [
  ...quiet,
  ...['-threads', String(threads), '-max_pixels', String(bounds.pixelsMax)],
  ...['-t', String(bounds.secondsMax), '-protocol_whitelist', 'file', '-f', reads, '-i', 'in'],
  // One byte over the limit: a file that ends exactly at the limit would look like a truncated one.
  ...[...options, '-map_metadata', '-1', '-fs', String(outputBytesMax + 1), output],
]

function runProgram(args: readonly string[], cwd: string, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const limits = { timeout: timeoutMs, killSignal: 'SIGKILL' } as const
    const child = spawn('ffmpeg', args, { cwd, env, stdio: 'ignore', ...limits })
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}

async function written(path: string): Promise<Buffer | undefined> {
  const { size } = await stat(path)
  return size === 0 || size > outputBytesMax ? undefined : await readFile(path)
}
