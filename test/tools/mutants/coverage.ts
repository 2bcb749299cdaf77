// The functions that each test file runs, cached in node_modules/.cache. New and changed test files are run again.

import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vitest/node'
import { z } from 'zod'
import { childOf, type Node } from '../../support/project/source.ts'
import type { Change } from '../chaos/mutants/mutant.ts'
import { type GeneratedMutant, isTypeOnly, nodesIn } from './edits.ts'
import { type Place, pathsIn, roomOf } from './places.ts'

const covered = z.object({
  /** The hash of the test file. */
  hash: z.string(),
  ms: z.number(),
  /** Whether the file fails without a mutant, so that it proves nothing. */
  isFailing: z.boolean(),
  /** The functions that it runs, as `<file>@<hash of the file> <number>`. */
  runs: z.array(z.string()),
})
const coverage = z.record(z.string(), covered)
export type Coverage = Readonly<z.output<typeof coverage>>

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8)

/** Whether a test may judge mutants: the tests of `npm test`, without those of the repository, which compare texts of the source. */
const isTestOfCode = (file: string) =>
  !/^test\/(project|sandbox|tools\/(?!conformance))\/|\.long\.test\.ts$/.test(file)

export async function readCoverage(
  root: string,
  places: readonly Place[],
  say: (line: string) => void,
): Promise<Coverage> {
  const folder = join(root, 'node_modules/.cache/mutants')
  const cache = join(folder, 'coverage.json')
  const known = existsSync(cache) ? coverage.parse(JSON.parse(readFileSync(cache, 'utf8'))) : {}
  const tests = globSync('test/**/*.test.ts', { cwd: root }).filter(isTestOfCode).toSorted()
  const hashes = new Map(tests.map((file) => [file, hashOf(readFileSync(join(root, file), 'utf8'))]))
  const stale = tests.filter((file) => known[file]?.hash !== hashes.get(file))
  if (stale.length > 0) say(`looking which functions ${stale.length} test files run`)
  const shares = places.map((place, share) =>
    coverageOf(
      root,
      place,
      stale.filter((_, at) => at % places.length === share),
    ),
  )
  const fresh = (await Promise.all(shares))
    .flat()
    .map(([file, one]) => [file, { ...one, hash: hashes.get(file) }])
  const kept = Object.entries(known).filter(([file]) => hashes.has(file))
  const all = coverage.parse(Object.fromEntries([...kept, ...fresh]))
  mkdirSync(folder, { recursive: true })
  writeFileSync(cache, JSON.stringify(all))
  return all
}

async function coverageOf(root: string, place: Place, files: readonly string[]) {
  if (files.length === 0) return []
  const marks = join(place.root, 'marks')
  const changes = pathsIn(root).map((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return marked(file, `${file}@${hashOf(text)}`, text, join(root, 'test/tools/mutants/mark.ts'))
  })
  writeFileSync(marks, '')
  const timeoutMs = 60_000 * (5 + files.length)
  const run = await place.run(changes, { files, marks, timeoutMs, isHasty: false })
  const lines = readFileSync(marks, 'utf8').trimEnd().split('\n')
  rmSync(marks)
  if (run.is !== 'ended') throw new Error(`the tests did not end: ${run.is}`)
  const byTest = Map.groupBy(lines, (line) => line.split('\t')[0])
  return run.results.map(({ file, ms, failures }) => {
    const runs = (byTest.get(file) ?? []).map((line) => line.split('\t')[1] ?? '')
    return [file, { ms, isFailing: failures.length > 0, runs }] as const
  })
}

/**
 * The test files that run the mutated function: first the file of the same name, then those of the same room, then the fastest. A file
 * without functions has no known coverage; for it, all test files of its room are returned.
 * @param mostMs the most time of all these files together
 */
export function testsOf(all: Coverage, { file, start, changes }: GeneratedMutant, mostMs: number): string[] {
  const text = changes[0]?.find ?? ''
  const number = functionAt(text, start)
  const ofText = `${file}@${hashOf(text)} `
  const isAround = (run: string) =>
    run.startsWith(ofText) ? number === undefined || run === ofText + number : run.startsWith(`${file}@`)
  const own = file.replace(/^src\/(.*)\.ts$/, 'test/$1.test.ts')
  const isNear = (test: string) => test.startsWith(`test/${roomOf(file)}/`)
  const distanceOf = (test: string) => (test === own ? 0 : isNear(test) ? 1 : 2)
  const passing = Object.entries(all).filter(([, { isFailing }]) => !isFailing)
  const around = passing.filter(([, { runs }]) => runs.some(isAround))
  let ms = 0
  return (around.length > 0 ? around : passing.filter(([test]) => isNear(test)))
    .toSorted(([a, one], [b, other]) => distanceOf(a) - distanceOf(b) || one.ms - other.ms)
    .filter(([, one], at) => {
      ms += one.ms
      return at === 0 || ms <= mostMs
    })
    .map(([test]) => test)
}

const isFunction = ({ type }: Node) =>
  /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type)

const bodiesOf = (text: string): Node[] =>
  [...nodesIn(parseAst(text, { lang: 'ts' }), isTypeOnly)]
    .filter(isFunction)
    .flatMap((one) => childOf(one, 'body') ?? [])

/** The number of the innermost function around a position; undefined outside of all functions. */
export function functionAt(text: string, at: number): number | undefined {
  const around = [...bodiesOf(text).entries()].filter(([, { start, end }]) => start <= at && at < end)
  return around.toSorted(([, a], [, b]) => b.start - a.start)[0]?.[0]
}

/** Inserts a call of `mark('<name> <number>')` at the start of every function. @param marks the module that exports `mark` */
export function marked(file: string, name: string, text: string, marks: string): Change {
  const inserted = bodiesOf(text).flatMap(({ type, start, end }, number) => {
    const call = `$mark('${name} ${number}')`
    if (type === 'BlockStatement') return [{ at: start + 1, put: ` ${call};` }]
    return [
      { at: start, put: `(${call}, ` },
      { at: end, put: ')' },
    ]
  })
  let put = text
  for (const one of inserted.toSorted((a, b) => b.at - a.at))
    put = put.slice(0, one.at) + one.put + put.slice(one.at)
  return { file, find: text, put: `import { mark as $mark } from '${marks}'\n${put}` }
}
