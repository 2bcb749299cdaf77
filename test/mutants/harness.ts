// Whether a short run of the fault harness finds a mutant: by its checks, or because the run does not look like runs without a mistake.

import { type Difference, differencesFrom } from '../chaos/behaviour/compare.ts'
import type { Traits } from '../chaos/behaviour/traits.ts'
import type { Mutant } from '../chaos/mutants/mutant.ts'
import { tryOut } from '../chaos/mutants/run.ts'
import { type Settings, short } from '../chaos/settings.ts'
import type { GeneratedMutant } from './edit.ts'
import type { Verdict } from './trial.ts'

const unchanged: Mutant = { name: 'unchanged', mistake: 'none', changes: [] }

/** As many runs of the unchanged app are compared with those of mutants. */
const usualRuns = 4

/** Longer than a short run: what is rare must be common enough to be missed. */
const seconds = 30

interface Usual {
  /** The names of checks that fail without a mistake. */
  readonly failing: ReadonlySet<string>
  readonly traits: readonly Traits[]
}

/** @param told called after each mutant */
export async function tryWithHarness(
  root: string,
  cluster: string,
  mutants: Iterable<GeneratedMutant>,
  told: (verdict: Verdict) => Verdict,
): Promise<readonly Verdict[]> {
  const settings: Settings = { ...short, seconds, root, cluster, seed: 0, keep: false }
  const usual = await usualOf(settings)
  const verdicts: Verdict[] = []
  for (const mutant of mutants) verdicts.push(told(await judge(settings, mutant, usual)))
  return verdicts
}

async function usualOf(settings: Settings): Promise<Usual> {
  const failing = new Set<string>()
  const traits: Traits[] = []
  for (let seed = 0; seed < usualRuns; seed += 1) {
    const { outcome } = await tryOut({ ...settings, seed, isHasty: false }, unchanged)
    for (const { check } of outcome.violations) failing.add(check)
    traits.push(outcome.traits)
  }
  return { failing, traits }
}

/** A mutant with which the processes do not even start, or which never comes to rest, is found by that. */
async function judge(settings: Settings, mutant: GeneratedMutant, usual: Usual): Promise<Verdict> {
  try {
    const by = await findingOf(settings, mutant, usual)
    return by === undefined ? { mutant, is: 'survived', by: 'its runs' } : { mutant, is: 'found', by }
  } catch (error) {
    return { mutant, is: 'found', by: `the run failed: ${error}` }
  }
}

/** A difference in behaviour counts when a second run, with other people and faults, has it too. */
async function findingOf(
  settings: Settings,
  mutant: GeneratedMutant,
  usual: Usual,
): Promise<string | undefined> {
  const seen = new Set<string>()
  for (const seed of [settings.seed, settings.seed + usualRuns]) {
    const { outcome } = await tryOut({ ...settings, seed }, mutant, usual.failing)
    const checks = [...new Set(outcome.violations.map(({ check }) => check))]
    if (checks.length > 0) return checks.join('; ')
    const differences = differencesFrom(usual.traits, outcome.traits)
    const again = differences.filter(({ trait }) => seen.has(trait))
    if (again.length > 0) return `its behaviour: ${again.slice(0, 3).map(inWords).join('; ')}`
    if (differences.length === 0) return undefined
    for (const { trait } of differences) seen.add(trait)
  }
  return undefined
}

const inWords = ({ trait, times, expected }: Difference): string =>
  `"${trait}" ${times} times, not ${expected.map(Math.round).join(' to ')}`
