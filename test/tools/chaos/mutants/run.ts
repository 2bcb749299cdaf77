// Runs the planted mutants. A mutant that is not detected shows a gap of the harness.

import { type Outcome, run } from '../run.ts'
import { mutantFaults, type Settings } from '../settings.ts'
import { mutants } from './index.ts'
import { type Mutant, makeCopy, problemsOf } from './mutant.ts'
import { mistypedOf } from './types.ts'

/** The most runs of one mutant, since a mistake may stay invisible in one run. */
const mostTries = 3

/**
 * @param only a pattern for the names of the mutants to run
 * @param report is given a line for each mutant, and for each run without a mistake
 * @returns whether all mutants are detected, and no run of the unchanged app has a violation
 */
export async function runMutants(
  settings: Settings,
  only: string,
  report: (line: string) => void,
): Promise<boolean> {
  const chosen = mutants.filter(({ name }) => new RegExp(only).test(name))
  const problems = await problemsOf(settings.root, chosen)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  const mistyped = await mistypedOf(settings.root, chosen)
  if (mistyped.size > 0)
    throw new Error(`mutants with type errors: ${[...mistyped].map(({ name }) => name).join(', ')}`)
  let isRight = true
  const conclude = (mutant: Mutant, { violations }: Outcome, isExpected: boolean) => {
    const checks = [...new Set(violations.map(({ check }) => check))].join('; ')
    report(`${isExpected ? '✓' : '✗'} ${mutant.name} (${mutant.mistake}): ${checks || 'no violations'}`)
    isRight &&= isExpected
  }
  const byFaults = Map.groupBy(chosen, ({ faults = 'hard' }) => faults)
  for (const [faults, some] of byFaults) {
    // A check that fails without a mistake proves nothing.
    const unchanged = { name: `the unchanged app, faults ${faults}`, mistake: 'none', changes: [], faults }
    const outcome = await tryOut(settings, unchanged)
    conclude(unchanged, outcome, outcome.violations.length === 0)
    for (const mutant of some) {
      const tried = await tryOut(settings, mutant, mostTries)
      conclude(mutant, tried, tried.violations.length > 0)
    }
  }
  return isRight
}

/** Runs a mutant until a check fails, at most `most` times. */
export async function tryOut(settings: Settings, mutant: Mutant, most = 1): Promise<Outcome> {
  const copy = await makeCopy(settings.root, mutant.changes)
  try {
    for (let tries = 1; ; tries += 1) {
      const own = { ...settings, seed: settings.seed + tries, root: copy.root }
      const outcome = await run(own, mutantFaults[mutant.faults ?? 'hard'])
      if (tries === most || outcome.violations.length > 0) return outcome
    }
  } finally {
    await copy.remove()
  }
}
