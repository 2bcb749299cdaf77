// Runs the planted mutants. A mutant that is not detected shows a gap of the harness.

import { type Outcome, run } from '../run.ts'
import { hardFaults, type Settings } from '../settings.ts'
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
  const conclude = (mutant: Mutant, outcome: Outcome, isExpected: boolean) => {
    const checks = [...new Set(outcome.violations.map(({ check }) => check))].join('; ')
    const words = `${mutant.name} (${mutant.mistake}): ${checks || 'no violations'}`
    report(`${isExpected ? '✓' : '✗'} ${words}`)
    isRight &&= isExpected
  }
  // A check that fails without the mistake too proves nothing.
  const knownByConditions = new Map<string, ReadonlySet<string>>()
  for (const mutant of chosen) {
    const conditions = JSON.stringify([mutant.faults, mutant.settings])
    let known = knownByConditions.get(conditions)
    if (known === undefined) {
      const outcome = await tryOut(settings, { ...mutant, changes: [] })
      conclude({ ...mutant, name: 'the unchanged app', mistake: 'none' }, outcome, !outcome.violations.length)
      known = new Set(outcome.violations.map(({ check }) => check))
      knownByConditions.set(conditions, known)
    }
    const outcome = await tryOut(settings, mutant, known, mostTries)
    conclude(mutant, outcome, outcome.violations.length > 0)
  }
  return isRight
}

/** Runs a mutant until a check fails, at most `most` times. @param known checks that are ignored */
export async function tryOut(
  settings: Settings,
  mutant: Mutant,
  known: ReadonlySet<string> = new Set(),
  most = 1,
): Promise<Outcome> {
  const copy = await makeCopy(settings.root, mutant.changes)
  try {
    for (let tries = 1; ; tries += 1) {
      const own = { ...settings, ...mutant.settings, seed: settings.seed + tries, root: copy.root }
      const outcome = await run(own, { ...hardFaults, ...mutant.faults })
      const violations = outcome.violations.filter(({ check }) => !known.has(check))
      if (tries === most || violations.length > 0) return { ...outcome, violations }
    }
  } finally {
    await copy.remove()
  }
}
