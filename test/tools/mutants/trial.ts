// Tries one mutant: runs tests until one fails.

import { type Coverage, testsOf } from './coverage.ts'
import type { GeneratedMutant } from './edit.ts'
import type { Place } from './places.ts'
import type { RunResult } from './vitest-run.ts'

export interface Verdict {
  readonly mutant: GeneratedMutant
  /** `hung`: the tests did not end. `broken`: the SQL of the mutant is invalid, or a signal ended the tests, which proves nothing. */
  readonly is: 'found' | 'survived' | 'hung' | 'broken'
  /** The test that found the mutant, or the number of test files that did not find it. */
  readonly by: string
}

/** The most time for the tests of one mutant, by their durations without a mutant. */
const mostMs = 90_000
const startMs = 60_000
/** The factor by which tests may be slower than before: two mutants run at once, on a machine that does other work. */
const slowestTimes = 4

export async function tryMutant(coverage: Coverage, place: Place, mutant: GeneratedMutant): Promise<Verdict> {
  const files = testsOf(coverage, mutant, mostMs)
  if (files.length === 0) return { mutant, is: 'survived', by: 'no test runs it' }
  const usualMs = files.reduce((sum, file) => sum + (coverage[file]?.ms ?? 0), 0)
  const timeoutMs = startMs + slowestTimes * usualMs
  return { mutant, ...verdictOf(await place.run(mutant.changes, { files, timeoutMs, isHasty: true }), files) }
}

const isInvalidSql = (message: string) =>
  /syntax error at or near|could not determine data type|operator does not exist/.test(message)

function verdictOf(run: RunResult, files: readonly string[]): Omit<Verdict, 'mutant'> {
  if (run.is === 'hung') return { is: 'hung', by: files[0] ?? '' }
  if (run.is === 'killed') return { is: 'broken', by: `${run.signal} ended the tests` }
  const failure = run.results.flatMap(({ file, failures }) => failures.map((one) => ({ file, ...one })))[0]
  if (failure && isInvalidSql(failure.message)) return { is: 'broken', by: failure.file }
  if (failure) return { is: 'found', by: `${failure.file} › ${failure.test || 'it does not load'}` }
  if (run.code !== 0) return { is: 'found', by: `the tests ended with ${run.code}` }
  return { is: 'survived', by: `${files.length} test files` }
}
