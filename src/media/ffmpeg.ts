// Runs ffmpeg if it is installed; every caller works without it. ffmpeg gets a folder of its own, limits of time and size, an environment
// without our secrets, and the name of the demuxer: if it guessed the format, it would accept a playlist and open the files that the
// playlist names.

import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGate } from './decoders.ts'

export interface Job {
  readonly bytes: Buffer
  /** The name of the demuxer that reads the input. */
  readonly reads: 'mov' | 'matroska' | 'flac' | 'ogg'
  /** Options between the input and the output. */
  readonly options: readonly string[]
  /** Options before the input, like `-ss`. */
  readonly inputOptions?: readonly string[]
  /** The name of the output, like `out.mp4`; `out-%d.jpg` gives several files. */
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
  found ??= run(['-version'], tmpdir(), 10_000)
  return found
}

const gate = createGate(Math.min(4, availableParallelism()))

/** Runs ffmpeg. @returns the files that it wrote, in order; undefined when ffmpeg is missing or fails */
export async function runFfmpeg(job: Job): Promise<Buffer[] | undefined> {
  return (await findFfmpeg()) ? gate(() => runJob(job)) : undefined
}

async function runJob(job: Job): Promise<Buffer[] | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'media-')).catch(() => undefined)
  if (!folder) return undefined
  try {
    await writeFile(join(folder, 'in'), job.bytes)
    const done = await run(argumentsFor(job), folder, job.timeoutMs)
    return done ? await outputs(folder) : undefined
  } catch {
    return undefined
  } finally {
    await rm(folder, { recursive: true, force: true }).catch(() => undefined)
  }
}

const argumentsFor = ({ reads, inputOptions = [], options, output }: Job): string[] => [
  ...quiet,
  ...['-threads', String(threads), '-max_pixels', String(bounds.pixelsMax)],
  ...['-t', String(bounds.secondsMax), ...inputOptions],
  ...['-protocol_whitelist', 'file', '-f', reads, '-i', 'in'],
  // One byte over the limit: a file that ends exactly at the limit would look like a truncated one.
  ...[...options, '-map_metadata', '-1', '-fs', String(outputBytesMax + 1), output],
]

function run(args: readonly string[], cwd: string, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const limits = { timeout: timeoutMs, killSignal: 'SIGKILL' } as const
    const child = spawn('ffmpeg', args, { cwd, env, stdio: 'ignore', ...limits })
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}

async function outputs(folder: string): Promise<Buffer[] | undefined> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('out')).toSorted()
  const files: Buffer[] = []
  for (const name of names) {
    const { size } = await stat(join(folder, name))
    if (size === 0 || size > outputBytesMax) return undefined
    files.push(await readFile(join(folder, name)))
  }
  return files.length > 0 ? files : undefined
}
