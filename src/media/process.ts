// Runs a job for a file of a user in a process of its own. A thread is not enough there: V8 ends the whole process, with all of its
// threads, when a single call needs more heap than the limit allows, and nobody limits a thread while the event loop of the app is busy.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { programScript } from '../folders.ts'
import type { Gate } from './gate.ts'

interface ProcessLimits {
  /** The time limit, counted from the start of the job, after the wait for the gate. */
  readonly timeoutMs: number
  /** The limits of processor time and memory that the host keeps: see thread.ts. */
  readonly cpuMs: number
  readonly memoryBytes: number
  /** Limits concurrent jobs; each takes about 50 MB besides the memory of the job itself. */
  readonly gate: Gate
}

const host = fileURLToPath(programScript('media/process-host'))
/** The time in which a host starts and ends, on a busy machine. */
const reserveMs = 5000
const outputBytesMax = 50 * 1024 * 1024

/** @param script of a thread: see `answerInThread` @returns its answer; undefined when it failed, exceeded its limits or ended the process */
export function runInProcess(script: URL, bytes: Buffer, limits: ProcessLimits): Promise<Buffer | undefined> {
  return limits.gate(() => run(script, bytes, limits))
}

function run(
  script: URL,
  bytes: Buffer,
  { timeoutMs, cpuMs, memoryBytes }: ProcessLimits,
): Promise<Buffer | undefined> {
  const limits = {
    timeout: timeoutMs + reserveMs,
    killSignal: 'SIGKILL',
    maxBuffer: outputBytesMax,
    encoding: 'buffer',
    // The environment of the app contains its secrets.
    env: {},
  } as const
  const args = [host, script.href, ...[timeoutMs, cpuMs, memoryBytes].map(String)]
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, limits, (error, answer) =>
      resolve(error ? undefined : answer),
    )
    // A process that has ended before it read the bytes is reported by its exit code.
    child.stdin?.on('error', () => undefined).end(bytes)
  })
}
