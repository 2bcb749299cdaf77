// `npm run mutants`: makes small mistakes in the code and counts how many the tests find.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { createChance } from '../chaos/chance.ts'
import { mistypedOf } from '../chaos/mutants/types.ts'
import { type Coverage, readCoverage, testsOf } from './coverage.ts'
import { type GeneratedMutant, mutantsOf } from './edits.ts'
import { openPlaces, type Place, pathsIn, type RunResult, roomOf, rooms } from './places.ts'

const kinds = ['found', 'hung', 'survived', 'broken'] as const

interface Verdict {
  readonly mutant: GeneratedMutant
  /** `hung`: the tests did not end. `broken`: the SQL of the mutant is invalid, or a signal ended the tests, which proves nothing. */
  readonly is: (typeof kinds)[number]
  /** The test that found the mutant, or the number of test files that did not find it. */
  readonly by: string
}

const root = join(import.meta.dirname, '../../..')
const text = { type: 'string' } as const
const { values } = parseArgs({
  options: { sample: text, seed: text, workers: text, minutes: text, only: text },
})
const flags = z
  .object({
    sample: z.coerce.number().int().min(1).default(50),
    seed: z.coerce.number().int().nonnegative().default(1),
    /** The number of concurrent trials; two by default, so that the machine stays usable. */
    workers: z.coerce.number().int().min(1).max(16).default(2),
    /** The time limit. After it, or after an interrupt, no more mutants are started. */
    minutes: z.coerce.number().positive().optional(),
    /** A pattern for names: all matching mutants are tried instead of a sample. */
    only: z.string().optional(),
  })
  .parse(values)

const say = (line: string) => void process.stdout.write(`${line}\n`)
const ending = new AbortController()
process.once('SIGINT', () => ending.abort())
if (flags.minutes) setTimeout(() => ending.abort(), flags.minutes * 60_000).unref()

const { queue, refused } = await drawSample()
const { all: places, close } = await openPlaces(root, flags.workers)
const verdicts: Verdict[] = []
try {
  const coverage = await readCoverage(root, places, say)
  await Promise.all(places.map((place) => work(coverage, place)))
  say(summary())
} finally {
  await close()
}

/** Draws the mutants of this run. Those that the compiler refuses are skipped. */
async function drawSample() {
  const chance = createChance(flags.seed, 'mutants')
  const pool = pathsIn(root)
    .flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')))
    .map((mutant) => ({ mutant, at: chance.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ mutant }) => mutant)
    .filter(({ name }) => new RegExp(flags.only ?? '').test(name))
  const most = flags.only === undefined ? flags.sample : pool.length
  const queue: GeneratedMutant[] = []
  let refused = 0
  while (queue.length < most && pool.length > 0) {
    const next = pool.splice(0, most - queue.length)
    const mistyped = await mistypedOf(root, next)
    queue.push(...next.filter((one) => !mistyped.has(one)))
    refused += mistyped.size
  }
  return { queue, refused }
}

/** All places take their next mutant from the same queue. */
async function work(coverage: Coverage, place: Place): Promise<void> {
  for (let mutant = queue.shift(); mutant && !ending.signal.aborted; mutant = queue.shift()) {
    const verdict = await tryMutant(coverage, place, mutant)
    verdicts.push(verdict)
    say(`${verdict.is.padEnd(9)}${mutant.name}: ${mutant.mistake}\n         by ${verdict.by}`)
  }
}

/** Runs tests until one fails, for at most 90 seconds by their durations without a mutant. */
async function tryMutant(coverage: Coverage, place: Place, mutant: GeneratedMutant): Promise<Verdict> {
  const files = testsOf(coverage, mutant, 90_000)
  if (files.length === 0) return { mutant, is: 'survived', by: 'no test runs it' }
  const usualMs = files.reduce((sum, file) => sum + (coverage[file]?.ms ?? 0), 0)
  // Four times the duration measured without a mutant: two mutants run in parallel, and the machine may be busy.
  const timeoutMs = 60_000 + 4 * usualMs
  return { mutant, ...verdictOf(await place.run(mutant.changes, { files, timeoutMs, isHasty: true }), files) }
}

function verdictOf(run: RunResult, files: readonly string[]): Omit<Verdict, 'mutant'> {
  if (run.is === 'hung') return { is: 'hung', by: files[0] ?? '' }
  if (run.is === 'killed') return { is: 'broken', by: 'a signal ended the tests' }
  const [failure] = run.results.flatMap(({ file, failures }) => failures.map((one) => ({ file, ...one })))
  if (failure && isInvalidSql(failure.message)) return { is: 'broken', by: failure.file }
  if (failure) return { is: 'found', by: `${failure.file} › ${failure.test || 'it does not load'}` }
  if (run.code !== 0) return { is: 'found', by: `the tests ended with ${run.code}` }
  return { is: 'survived', by: `${files.length} test files` }
}

function isInvalidSql(message: string): boolean {
  return /syntax error at or near|could not determine data type|operator does not exist/.test(message)
}

function summary(): string {
  const counted = (some: readonly Verdict[]) =>
    kinds.map((kind) => some.filter(({ is }) => is === kind).length)
  const row = (name: string, some: readonly Verdict[]) => `| ${[name, ...counted(some)].join(' | ')} |`
  const ofRoom = (room: string) => verdicts.filter(({ mutant }) => roomOf(mutant.file) === room)
  const [found = 0, hung = 0, survived = 0] = counted(verdicts)
  const judged = found + hung + survived
  const share = judged === 0 ? 0 : Math.round(((found + hung) / judged) * 1000) / 10
  const drawn =
    flags.only === undefined ? `sample ${flags.sample}, seed ${flags.seed}` : `all of ${flags.only}`
  return [
    `\n${drawn}; the compiler refused ${refused} others`,
    `| room | ${kinds.join(' | ')} |`,
    `|---|${kinds.map(() => '---:|').join('')}`,
    ...rooms.map((room) => row(room, ofRoom(room))),
    row('all', verdicts),
    `\nfound ${found + hung} of ${judged} (${share} %)`,
    ...verdicts
      .filter(({ is }) => is === 'survived')
      .map(({ mutant }) => `survived ${mutant.name}: ${mutant.mistake}`),
  ].join('\n')
}
