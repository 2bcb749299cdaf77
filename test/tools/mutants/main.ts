// `npm run mutants`: makes small mistakes in the code and counts how many the tests find.

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { readCoverage } from './coverage.ts'
import type { GeneratedMutant } from './edit.ts'
import { openPlaces, type Place, type Places } from './places.ts'
import { lineOf, summaryOf } from './report.ts'
import { drawSample } from './sample.ts'
import { tryMutant, type Verdict } from './trial.ts'

const root = join(import.meta.dirname, '../../..')

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
  .parse(
    parseArgs({
      options: {
        sample: { type: 'string' },
        seed: { type: 'string' },
        workers: { type: 'string' },
        minutes: { type: 'string' },
        only: { type: 'string' },
      },
    }).values,
  )

const say = (line: string) => void process.stdout.write(`${line}\n`)

const ending = new AbortController()
process.once('SIGINT', () => ending.abort())
if (flags.minutes) setTimeout(() => ending.abort(), flags.minutes * 60_000).unref()

const { mutants, mistyped } = await drawSample(root, flags)
const queue = queueOf(mutants)
const places = await openPlaces(root, flags.workers)
try {
  say(summaryOf(flags, await tryAll(places), mistyped))
} finally {
  await places.close()
}

/** Yields the mutants one by one until the run is ended. */
function* queueOf(all: readonly GeneratedMutant[]): Generator<GeneratedMutant> {
  for (const mutant of all) {
    if (ending.signal.aborted) return
    yield mutant
  }
}

async function tryAll({ all }: Places): Promise<readonly Verdict[]> {
  const coverage = await readCoverage(root, all, say)
  const verdicts: Verdict[] = []
  const work = async (place: Place) => {
    // All places take their next mutant from the same queue.
    for (const mutant of queue) verdicts.push(told(await tryMutant(coverage, place, mutant)))
  }
  await Promise.all(all.map(work))
  return verdicts
}

function told(verdict: Verdict): Verdict {
  say(lineOf(verdict))
  return verdict
}
