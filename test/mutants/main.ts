// `npm run mutants`: makes small mistakes in the code and counts how many the tests find, or the fault harness.

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { readCoverage } from './coverage.ts'
import type { GeneratedMutant } from './edit.ts'
import { tryWithHarness } from './harness.ts'
import { openPlaces, type Place, type Places } from './places.ts'
import { lineOf, summaryOf } from './report.ts'
import { moneyRooms, roomOf } from './rooms.ts'
import { drawSample } from './sample.ts'
import { tryMutant, type Verdict } from './trial.ts'

const root = join(import.meta.dirname, '../..')

const flags = z
  .object({
    sample: z.coerce.number().int().min(1).default(50),
    seed: z.coerce.number().int().nonnegative().default(1),
    /** Two by default: the machine has to stay usable. */
    workers: z.coerce.number().int().min(1).max(16).default(2),
    /** A pattern: all mutants whose names match it, instead of a sample. */
    only: z.string().optional(),
    /** Runs the fault harness instead of the tests, for the mutants that touch money or delivery. */
    harness: z.boolean().default(false),
  })
  .parse(
    parseArgs({
      options: {
        sample: { type: 'string' },
        seed: { type: 'string' },
        workers: { type: 'string' },
        only: { type: 'string' },
        harness: { type: 'boolean' },
      },
    }).values,
  )

const say = (line: string) => void process.stdout.write(`${line}\n`)

const { mutants, mistyped } = await drawSample(root, flags)
const places = await openPlaces(root, flags.harness ? 0 : flags.workers)
try {
  const verdicts = await (flags.harness
    ? tryWithHarness(root, places.cluster.url, ofMoney(), tell)
    : tryAll(places))
  say(summaryOf(flags, verdicts, mistyped))
} finally {
  await places.close()
}

function ofMoney(): readonly GeneratedMutant[] {
  return mutants.filter(({ file }) => moneyRooms.includes(roomOf(file)))
}

async function tryAll({ all }: Places): Promise<readonly Verdict[]> {
  const coverage = await readCoverage(root, all, say)
  const left = [...mutants]
  const verdicts: Verdict[] = []
  const work = async (place: Place) => {
    for (let mutant = left.shift(); mutant; mutant = left.shift()) {
      const verdict = await tryMutant(coverage, place, mutant)
      verdicts.push(verdict)
      tell(verdict)
    }
  }
  await Promise.all(all.map(work))
  return verdicts
}

function tell(verdict: Verdict): void {
  say(lineOf(verdict))
}
