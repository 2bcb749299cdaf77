// The PostgreSQL of a run, and the measured processes, each pinned to the last core where that is possible.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import postgres from 'postgres'
import { startCluster } from '../chaos/machine/database.ts'

export type Databases = Awaited<ReturnType<typeof openDatabases>>

/** @param given the address of a maintenance database; without it a cluster is started */
export async function openDatabases(given: string | undefined) {
  const cluster = given ? { url: given, stop: async () => undefined } : await startCluster()
  const sql = postgres(cluster.url, { max: 1, onnotice: () => undefined })
  const [row] = await sql`show server_version`
  const created: string[] = []
  return {
    version: String(row?.server_version).replace(/ .*/, ''),
    /** @returns the address of a new, empty database, which a program fills itself */
    async create(): Promise<string> {
      const name = `bench_${randomBytes(6).toString('hex')}`
      await sql.unsafe(`create database ${name}`)
      created.push(name)
      return cluster.url.replace(/\/[^/]*$/, `/${name}`)
    },
    async close() {
      for (const name of created) await sql.unsafe(`drop database ${name} with (force)`)
      await sql.end({ timeout: 5 })
      await cluster.stop()
    },
  }
}

export type Launcher = ReturnType<typeof createLauncher>
export type Launched = ReturnType<Launcher['launch']>

const root = join(import.meta.dirname, '../../..')
const canPin = spawnSync('taskset', ['-V']).status === 0 && availableParallelism() > 1
const onLastCore = ['taskset', '-c', String(availableParallelism() - 1)]

/** @param options the bundle is a folder, which is started instead of the source */
export function createLauncher({ isPinned, bundle }: { isPinned: boolean; bundle?: string }) {
  const compiled = bundle ? join(bundle, 'compiled') : join(tmpdir(), 'bench-code')
  const launched = new Set<ReturnType<typeof watched>>()
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => undefined)
  return {
    /** Rejects when a process ends without being stopped. */
    failed: failed.promise,
    /** @param program a file below the project's root @param env its environment, in addition to PATH */
    launch(program: string, env: Readonly<Record<string, string>>, isCold = false) {
      const words = [process.execPath, fileOf(program, bundle)]
      const [command = '', ...args] = isPinned && canPin ? [...onLastCore, ...words] : words
      const cache: Record<string, string> = isCold ? {} : { NODE_COMPILE_CACHE: compiled }
      const child = spawn(command, args, {
        cwd: root,
        env: { PATH: process.env.PATH ?? '', ...cache, ...env },
        // Its messages go to stderr, so that they are not mixed with the figures on stdout.
        stdio: ['ignore', process.stderr, process.stderr],
      })
      const one = watched(child, (how) => failed.reject(new Error(`${program} ended by itself: ${how}`)))
      launched.add(one)
      return one
    },
    async stopAll() {
      await Promise.all([...launched].map((one) => one.stop()))
    },
  }
}

function fileOf(program: string, bundle: string | undefined): string {
  const isBundled = bundle !== undefined && program.startsWith('src/')
  return isBundled ? join(bundle, posix.relative('src', program).replace(/ts$/, 'js')) : join(root, program)
}

function watched(child: ChildProcess, onEnd: (how: string) => void) {
  let isStopping = false
  child.once('error', (error) => onEnd(error.message))
  child.once('exit', (code, signal) => {
    if (!isStopping) onEnd(String(code ?? signal))
  })
  return {
    usage: () => usageOf(child.pid ?? 0),
    async stop() {
      isStopping = true
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}

/** The processor time is the sum of all threads: the kernel counts the nanoseconds of each. */
function usageOf(pid: number) {
  const threads = readdirSync(`/proc/${pid}/task`)
  const times = threads.map((id) => readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0])
  const cpuMs = times.reduce((sum, nanoseconds) => sum + Number(nanoseconds), 0) / 1e6
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return { cpuMs, rssMb: Number(kilobytes) / 1024 }
}
