// Whether a short run of the fault harness finds a mutant.

import type { Mutant } from '../chaos/mutants/mutant.ts'
import { tryOut } from '../chaos/mutants/run.ts'
import { type Settings, short } from '../chaos/settings.ts'
import type { GeneratedMutant } from './edit.ts'
import type { Verdict } from './trial.ts'

const unchanged: Mutant = { name: 'unchanged', mistake: 'none', changes: [] }

/** @param told called after each mutant */
export async function tryWithHarness(
  root: string,
  cluster: string,
  mutants: Iterable<GeneratedMutant>,
  told: (verdict: Verdict) => Verdict,
): Promise<readonly Verdict[]> {
  const settings: Settings = { ...short, root, cluster, seed: 1, keep: false }
  const { outcome } = await tryOut(settings, unchanged)
  const known = new Set(outcome.violations.map(({ check }) => check))
  const verdicts: Verdict[] = []
  for (const mutant of mutants) verdicts.push(told(await judge(settings, mutant, known)))
  return verdicts
}

/** A mutant with which the processes do not even start, or which never comes to rest, is found by that. */
async function judge(
  settings: Settings,
  mutant: GeneratedMutant,
  known: ReadonlySet<string>,
): Promise<Verdict> {
  try {
    const { outcome } = await tryOut(settings, mutant, known)
    const checks = [...new Set(outcome.violations.map(({ check }) => check))]
    return checks.length === 0
      ? { mutant, is: 'survived', by: 'one run' }
      : { mutant, is: 'found', by: checks.join('; ') }
  } catch (error) {
    return { mutant, is: 'found', by: `the run failed: ${error}` }
  }
}
