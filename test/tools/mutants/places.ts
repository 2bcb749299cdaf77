// The places in which mutants are tested: copies of the project, which share one PostgreSQL cluster.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readdirSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import postgres from 'postgres'
import { z } from 'zod'
import { startCluster } from '../chaos/machine/database.ts'
import { type Change, makeCopy } from '../chaos/mutants/mutant.ts'

/** The mutated rooms: those of money, orders, updates and delivery. */
export const rooms = ['ledger', 'orders', 'payments', 'chat', 'updates', 'sales'] as const

export const roomOf = (file: string): string => file.split('/')[1] ?? ''

/** The mutated files, in alphabetical order; without those that only decide how an answer looks. */
export const pathsIn = (root: string): string[] =>
  globSync(`src/{${rooms.join(',')}}/**/*.ts`, { cwd: root })
    .filter((file) => !file.startsWith('src/chat/format/'))
    .toSorted()

interface Wishes {
  /** The test files, relative to the root, in the order in which they run. */
  readonly files: readonly string[]
  readonly timeoutMs: number
  /** Whether the run stops at the first failed test. */
  readonly isHasty: boolean
  /** The file to which the marks of functions are appended. */
  readonly marks?: string
}

interface FileResult {
  readonly file: string
  readonly ms: number
  /** The failed tests with their messages; a file that does not load has one without a name. */
  readonly failures: readonly { readonly test: string; readonly message: string }[]
}

export type RunResult =
  | { readonly is: 'ended'; readonly code: number; readonly results: readonly FileResult[] }
  /** The time limit ended it. */
  | { readonly is: 'hung' }
  /** Another signal ended it, for example that of the kernel when memory runs out. */
  | { readonly is: 'killed' }

/** A copy of the project in which one mutant after another is tested. */
export type Place = Awaited<ReturnType<typeof openPlaces>>['all'][number]

const notCopied = ['node_modules', '.git', 'data', 'built']
const connect = (url: string) => postgres(url, { max: 1, onnotice: () => undefined })

export async function openPlaces(project: string, count: number) {
  const cluster = await startCluster()
  const paths = readdirSync(project).filter((name) => !notCopied.includes(name))
  const open = async (number: number) => {
    const { root, remove } = await makeCopy(project, [], paths)
    const database = await createRole(cluster.url, `mutants_${number}`)
    const write = (changes: readonly Change[], text: (change: Change) => string) =>
      Promise.all(changes.map((change) => writeFile(join(root, change.file), text(change))))
    /** Runs tests of the project with these changes, then undoes them. */
    const run = async (changes: readonly Change[], wishes: Wishes): Promise<RunResult> => {
      await write(changes, ({ put }) => put)
      try {
        return await runTests(root, database, wishes)
      } finally {
        await write(changes, ({ find }) => find)
        await dropDatabases(database)
      }
    }
    return { root, remove, run }
  }
  const all = await Promise.all(Array.from({ length: count }, (_, at) => open(at + 1)))
  const close = async () => {
    await Promise.all(all.map(({ remove }) => remove()))
    await cluster.stop()
  }
  return { all, close }
}

/** Creates a superuser role. @returns the address of the maintenance database for this role */
async function createRole(url: string, name: string): Promise<string> {
  const sql = connect(url)
  await sql.unsafe(`drop role if exists ${name}; create role ${name} superuser login`)
  await sql.end()
  return Object.assign(new URL(url), { username: name }).href
}

/** Drops the databases that the role created. */
async function dropDatabases(url: string): Promise<void> {
  const sql = connect(url)
  const owned =
    await sql`select datname as name from pg_database where pg_get_userbyid(datdba) = current_user`
  for (const { name } of owned) await sql.unsafe(`drop database if exists ${name} with (force)`)
  await sql.end()
}

async function runTests(root: string, database: string, wishes: Wishes): Promise<RunResult> {
  const output = join(root, 'results.json')
  await rm(output, { force: true })
  const words = ['run', '--config', join(root, 'test/tools/mutants/vitest.config.ts')]
  const flags = ['--reporter=json', `--outputFile=${output}`, ...(wishes.isHasty ? ['--bail=1'] : [])]
  const env = {
    ...process.env,
    DATABASE_TEST_URL: database,
    MUTANTS_FILES: wishes.files.join(','),
    MUTANTS_ROOT: root,
    MUTANTS_MARKS: wishes.marks ?? '',
    TEST_WAIT_MS: '15000',
  }
  const program = join(root, 'node_modules/vitest/vitest.mjs')
  const child = spawn(process.execPath, [program, ...words, ...flags], {
    cwd: root,
    detached: true,
    stdio: 'ignore',
    env,
  })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    stop(child.pid)
  }, wishes.timeoutMs)
  const [code, signal]: unknown[] = await once(child, 'exit')
  clearTimeout(timer)
  // Ends the programs that a test started and did not end.
  stop(child.pid)
  if (isLate || signal !== null) return { is: isLate ? 'hung' : 'killed' }
  return { is: 'ended', code: Number(code), results: await resultsIn(root, output) }
}

/** Kills the process group: the process and those that it started. */
function stop(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has no process any more.
  }
}

const assertion = z.object({
  status: z.string(),
  fullName: z.string(),
  failureMessages: z.array(z.string()).nullish(),
})
const file = z.object({
  name: z.string(),
  status: z.string(),
  message: z.string().default(''),
  startTime: z.number(),
  endTime: z.number(),
  assertionResults: z.array(assertion),
})
const report = z.object({ testResults: z.array(file) })

async function resultsIn(root: string, output: string): Promise<FileResult[]> {
  const text = await readFile(output, 'utf8').catch(() => '{"testResults":[]}')
  return report.parse(JSON.parse(text)).testResults.map((one) => {
    const failed = one.assertionResults.filter(({ status }) => status === 'failed')
    const failures = failed.map(({ fullName, failureMessages }) => ({
      test: fullName,
      message: failureMessages?.join('\n') ?? '',
    }))
    const isBroken = one.status === 'failed' && failures.length === 0
    return {
      file: relative(root, one.name),
      ms: Math.max(0, one.endTime - one.startTime),
      failures: isBroken ? [{ test: '', message: one.message }] : failures,
    }
  })
}
