// Runs every mutant. A mutant that is not detected shows a gap of the harness.

import { hardFaults } from '../faults/profile.ts'
import { type Outcome, run } from '../run.ts'
import type { Settings } from '../settings.ts'
import { makeCopy, problemsOf } from './copy.ts'
import { mutants } from './index.ts'
import { type Mutant, unchanged } from './mutant.ts'
import { typeErrorsOf } from './types.ts'

/** The most runs of one mutant, since a mistake may stay invisible in one run. */
const mostTries = 3

export interface Trial {
  readonly mutant: Mutant
  readonly outcome: Outcome
  readonly tries: number
}

/**
 * @param only a pattern for the names of the mutants to run
 * @param report called after each mutant, and after each run without a mistake
 * @returns whether all mutants are detected, and no run of the unchanged app has a violation
 */
export async function runMutants(
  settings: Settings,
  only: string | undefined,
  report: (trial: Trial) => void,
): Promise<boolean> {
  const chosen = mutants.filter(({ name }) => new RegExp(only ?? '').test(name))
  await assertApplicable(settings.root, chosen)
  let isRight = true
  const conclude = (trial: Trial): Trial => {
    report(trial)
    isRight &&= isAsExpected(trial)
    return trial
  }
  const knownByConditions = new Map<string, ReadonlySet<string>>()
  for (const mutant of chosen) {
    const conditions = JSON.stringify([mutant.faults, mutant.settings])
    const known =
      knownByConditions.get(conditions) ?? failedChecks(conclude(await tryOut(settings, unchanged(mutant))))
    knownByConditions.set(conditions, known)
    conclude(await tryOut(settings, mutant, known, mostTries))
  }
  return isRight
}

async function assertApplicable(root: string, chosen: readonly Mutant[]): Promise<void> {
  const problems = await problemsOf(root, chosen)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  const errors = await typeErrorsOf(root, chosen)
  if (errors !== '') throw new Error(`mutants with type errors:\n${errors}`)
}

const failedChecks = ({ outcome }: Trial): ReadonlySet<string> =>
  new Set(outcome.violations.map(({ check }) => check))

/** Whether a run has violations if it is one of a mutant, and none if the app is unchanged. */
export const isAsExpected = ({ mutant, outcome }: Trial): boolean =>
  mutant.changes.length > 0 === outcome.violations.length > 0

/**
 * Runs a mutant until a check fails, at most `most` times.
 * @param known checks that fail without the mistake too; they are ignored
 */
export async function tryOut(
  settings: Settings,
  mutant: Mutant,
  known: ReadonlySet<string> = new Set(),
  most = 1,
): Promise<Trial> {
  const copy = await makeCopy(settings.root, mutant.changes)
  try {
    for (let tries = 1; ; tries += 1) {
      const own = { ...settings, ...mutant.settings, seed: settings.seed + tries, root: copy.root }
      const outcome = await run(own, { ...hardFaults, ...mutant.faults })
      const violations = outcome.violations.filter(({ check }) => !known.has(check))
      if (tries === most || violations.length > 0)
        return { mutant, outcome: { ...outcome, violations }, tries }
    }
  } finally {
    await copy.remove()
  }
}
