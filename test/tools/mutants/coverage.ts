// The functions that each test file runs, cached in node_modules/.cache. New and changed test files are run again.

import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { hashOf, keep, kept } from './cache.ts'
import type { GeneratedMutant } from './edit.ts'
import { functionAt, marked } from './functions.ts'
import type { Place } from './places.ts'
import { filesIn, roomOf } from './rooms.ts'

const covered = z.object({
  /** The hash of the test file. */
  hash: z.string(),
  ms: z.number(),
  /** Whether the file fails without a mutant, so that it proves nothing. */
  isFailing: z.boolean(),
  /** The functions that it runs, as `<file>@<hash of the file> <number>`. */
  runs: z.array(z.string()),
})
const map = z.record(z.string(), covered)
type Covered = z.output<typeof covered>
export type Coverage = Readonly<Record<string, Covered>>

/** Whether a test may judge mutants: the tests of `npm test`, without those of the repository, which compare texts of the source. */
const isTestOfCode = (file: string) =>
  !/^test\/(project|sandbox|tools\/(?!conformance))\/|\.long\.test\.ts$/.test(file)

export async function readCoverage(
  root: string,
  places: readonly Place[],
  say: (line: string) => void,
): Promise<Coverage> {
  const known = kept(root, 'coverage', map) ?? {}
  const tests = globSync('test/**/*.test.ts', { cwd: root }).filter(isTestOfCode).toSorted()
  const hashes = new Map(tests.map((file) => [file, hashOf(readFileSync(join(root, file), 'utf8'))]))
  const stale = tests.filter((file) => known[file]?.hash !== hashes.get(file))
  const fresh = new Map(Object.entries(known).filter(([file]) => hashes.has(file)))
  if (stale.length > 0) say(`looking which functions ${stale.length} test files run`)
  const shares = places.map((place, at) => ({
    place,
    files: stale.filter((_, index) => index % places.length === at),
  }))
  await Promise.all(
    shares.map(async ({ place, files }) => {
      for (const [file, one] of await coverageOf(root, place, files))
        fresh.set(file, { ...one, hash: hashes.get(file) ?? '' })
    }),
  )
  const coverage = Object.fromEntries(fresh)
  keep(root, 'coverage', coverage)
  return coverage
}

async function coverageOf(
  root: string,
  place: Place,
  files: readonly string[],
): Promise<ReadonlyMap<string, Omit<Covered, 'hash'>>> {
  if (files.length === 0) return new Map()
  const marks = join(root, `node_modules/.cache/mutants-${process.pid}-${hashOf(files.join())}`)
  const module = join(root, 'test/tools/mutants/mark.ts')
  const changes = filesIn(root).map((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return { ...marked(`${file}@${hashOf(text)}`, text, module), file }
  })
  writeFileSync(marks, '')
  const timeoutMs = 60_000 * (5 + files.length)
  const run = await place.run(changes, { files, marks, timeoutMs, isHasty: false })
  const lines = readFileSync(marks, 'utf8').trimEnd().split('\n')
  rmSync(marks)
  if (run.is === 'hung') throw new Error(`the tests did not end in ${timeoutMs / 60_000} minutes`)
  if (run.is === 'killed') throw new Error(`${run.signal} ended the tests`)
  const byTest = Map.groupBy(lines, (line) => line.split('\t')[0])
  return new Map(
    run.results.map(({ file, ms, failures }) => {
      const runs = (byTest.get(file) ?? []).map((line) => line.split('\t')[1] ?? '')
      return [file, { ms, isFailing: failures.length > 0, runs }]
    }),
  )
}

/**
 * The test files that run the mutated function: first the file of the same name, then those of the same room, then the fastest. A file
 * without functions has no known coverage; for it, all test files of its room are returned.
 * @param mostMs the most time of all these files together
 */
export function testsOf(coverage: Coverage, mutant: GeneratedMutant, mostMs: number): string[] {
  const [{ find: text } = { find: '' }] = mutant.changes
  const number = functionAt(text, mutant.edit.start)
  const ofFile = `${mutant.file}@`
  const ofText = `${ofFile}${hashOf(text)} `
  const isAround = (run: string) =>
    run.startsWith(ofText) ? number === undefined || run === ofText + number : run.startsWith(ofFile)
  const own = mutant.file.replace(/^src\/(.*)\.ts$/, 'test/$1.test.ts')
  const isNear = (file: string) => file.startsWith(`test/${roomOf(mutant.file)}/`)
  const distanceOf = (file: string) => (file === own ? 0 : isNear(file) ? 1 : 2)
  const passing = Object.entries(coverage).filter(([, { isFailing }]) => !isFailing)
  const around = passing.filter(([, { runs }]) => runs.some(isAround))
  let ms = 0
  return (around.length > 0 ? around : passing.filter(([file]) => isNear(file)))
    .toSorted(([a, one], [b, other]) => distanceOf(a) - distanceOf(b) || one.ms - other.ms)
    .filter(([, one], at) => {
      ms += one.ms
      return at === 0 || ms <= mostMs
    })
    .map(([file]) => file)
}
