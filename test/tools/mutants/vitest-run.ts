// One run of test files in a copy of the project.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { z } from 'zod'

export interface RunSettings {
  /** The root of the copy. */
  readonly root: string
  /** The test files, relative to the root, in the order in which they run. */
  readonly files: readonly string[]
  /** The address of the maintenance database, for the role that owns the databases of this run. */
  readonly database: string
  readonly timeoutMs: number
  /** Whether the run stops at the first failed test. */
  readonly isHasty: boolean
  /** The file to which the marks of functions are appended. */
  readonly marks?: string
}

export interface FileResult {
  readonly file: string
  readonly ms: number
  /** The names of failed tests with their messages; a file that does not load has one without a name. */
  readonly failures: readonly { readonly test: string; readonly message: string }[]
}

export type RunResult =
  | { readonly is: 'ended'; readonly code: number; readonly results: readonly FileResult[] }
  /** The time limit ended it. */
  | { readonly is: 'hung' }
  /** Another signal ended it, for example that of the kernel when memory runs out. */
  | { readonly is: 'killed'; readonly signal: string }

const report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().default(''),
      startTime: z.number(),
      endTime: z.number(),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          fullName: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
})

export async function runTests(settings: RunSettings): Promise<RunResult> {
  const { root, files, timeoutMs, isHasty } = settings
  const output = join(root, 'results.json')
  await rm(output, { force: true })
  const config = ['--config', join(root, 'test/tools/mutants/vitest.config.ts')]
  const reporting = ['--reporter=json', `--outputFile=${output}`]
  const child = spawn(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      ...config,
      ...reporting,
      ...(isHasty ? ['--bail=1'] : []),
    ],
    { cwd: root, detached: true, stdio: 'ignore', env: environmentOf(settings, files) },
  )
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    stop(child.pid)
  }, timeoutMs)
  const [code, signal]: unknown[] = await once(child, 'exit')
  clearTimeout(timer)
  // Ends the programs that a test started and did not end.
  stop(child.pid)
  if (isLate) return { is: 'hung' }
  if (typeof signal === 'string') return { is: 'killed', signal }
  return { is: 'ended', code: Number(code), results: await resultsIn(root, output) }
}

function environmentOf(settings: RunSettings, files: readonly string[]): NodeJS.ProcessEnv {
  return {
    ...process.env,
    DATABASE_TEST_URL: settings.database,
    MUTANTS_FILES: files.join(','),
    MUTANTS_ROOT: settings.root,
    MUTANTS_MARKS: settings.marks ?? '',
    TEST_WAIT_MS: '15000',
  }
}

/** Kills the process group: the process and those that it started. */
function stop(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has no process any more.
  }
}

async function resultsIn(root: string, output: string): Promise<FileResult[]> {
  const text = await readFile(output, 'utf8').catch(() => undefined)
  if (text === undefined) return []
  return report.parse(JSON.parse(text)).testResults.map((one) => {
    const failed = one.assertionResults.filter(({ status }) => status === 'failed')
    const failures = failed.map(({ fullName, failureMessages }) => ({
      test: fullName,
      message: (failureMessages ?? []).join('\n'),
    }))
    const isBroken = one.status === 'failed' && failures.length === 0
    return {
      file: relative(root, one.name),
      ms: Math.max(0, one.endTime - one.startTime),
      failures: isBroken ? [{ test: '', message: one.message }] : failures,
    }
  })
}
