// Tests mutants by short runs of the fault harness. A run finds a mutant by its checks, or because its traits differ from those of other
// runs.

import { type Difference, differencesFrom } from '../chaos/behaviour/compare.ts'
import type { Traits } from '../chaos/behaviour/traits.ts'
import { mixedFaults } from '../chaos/faults/profile.ts'
import type { Mutant } from '../chaos/mutants/mutant.ts'
import { tryOut } from '../chaos/mutants/run.ts'
import { type Settings, short } from '../chaos/settings.ts'
import type { GeneratedMutant } from './edit.ts'
import type { Verdict } from './trial.ts'

const unchanged: Mutant = { name: 'unchanged', mistake: 'none', changes: [], faults: mixedFaults }

/** The number of runs of the unchanged app before the first mutant. Runs of mutants that were not found are added to this baseline. */
const usualRuns = 4

/** Longer than a short run, with the same daily cap, so that rare traits are frequent enough for their absence to be noticed. */
const longer = { seconds: 40, capASecond: 3 }

interface Usual {
  /** The names of checks that fail in runs of the unchanged app. */
  readonly failing: ReadonlySet<string>
  readonly runs: Traits[]
}

interface Survivor {
  readonly mutant: GeneratedMutant
  readonly traits: Traits
}

/** @param told called after each mutant, and again for a mutant that is found later */
export async function tryWithHarness(
  root: string,
  cluster: string,
  mutants: Iterable<GeneratedMutant>,
  told: (verdict: Verdict) => Verdict,
  say: (line: string) => void,
): Promise<readonly Verdict[]> {
  const settings: Settings = { ...short, ...longer, root, cluster, seed: 0, keep: false }
  const usual = await usualOf(settings, say)
  const verdicts = new Map<GeneratedMutant, Verdict>()
  const survivors: Survivor[] = []
  const judge = async (mutant: GeneratedMutant, before?: Traits) => {
    const { by, traits } = await tryMutant({ settings, mutant, usual }, before)
    const isFound = by !== undefined
    if (isFound || !before)
      verdicts.set(mutant, told(isFound ? { mutant, is: 'found', by } : survived(mutant)))
    return isFound ? undefined : traits
  }
  for (const mutant of mutants) {
    const traits = await judge(mutant)
    if (!traits) continue
    usual.runs.push(traits)
    survivors.push({ mutant, traits })
  }
  // The survivors are judged once more, since the baseline is larger now.
  for (const { mutant, traits } of survivors) await judge(mutant, traits)
  return [...verdicts.values()]
}

const survived = (mutant: GeneratedMutant): Verdict => ({ mutant, is: 'survived', by: 'its runs' })

async function usualOf(settings: Settings, say: (line: string) => void): Promise<Usual> {
  const failing = new Set<string>()
  const runs: Traits[] = []
  for (let seed = 0; seed < usualRuns; seed += 1) {
    const { outcome } = await tryOut({ ...settings, seed, isHasty: false }, unchanged)
    for (const { check, about, fact } of outcome.violations) {
      failing.add(check)
      say(`without a mistake: ${check}: ${about}: ${fact}`)
    }
    runs.push(outcome.traits)
  }
  return { failing, runs }
}

interface Trial {
  readonly settings: Settings
  readonly mutant: GeneratedMutant
  readonly usual: Usual
}

interface Tried {
  /** The checks or traits that found the mutant. */
  readonly by?: string
  /** The traits of its first run. */
  readonly traits?: Traits
}

interface Ran {
  /** The checks that failed. */
  readonly checks: readonly string[]
  readonly traits: Traits
}

/**
 * Tries one mutant. A mutant with which the processes do not start, or with which the run never comes to rest, counts as found.
 * @param before the traits of its first run, if a run was made before
 */
async function tryMutant(trial: Trial, before: Traits | undefined): Promise<Tried> {
  try {
    const first = before ? { checks: [], traits: before } : await runOf(trial)
    return first.checks.length > 1 ? { by: first.checks.join('; ') } : await tryTwice(trial, first)
  } catch (error) {
    return { by: `the run failed: ${error}` }
  }
}

/**
 * Repeats the run with other people and faults. A single failed check counts only if it fails in two of three runs, and a difference in
 * behaviour only if both runs have it.
 */
async function tryTwice(trial: Trial, first: Ran): Promise<Tried> {
  const others = trial.usual.runs.filter((run) => run !== first.traits)
  const unusual = new Set(differencesFrom(others, first.traits).map(({ trait }) => trait))
  if (first.checks.length === 0 && unusual.size === 0) return { traits: first.traits }
  const second = await anotherRun(trial, 1)
  const failed = failedAgain(first, second)
  if (failed.length > 0) return { by: failed.join('; ') }
  const again = differencesFrom(others, second.traits).filter(({ trait }) => unusual.has(trait))
  if (again.length > 0) return { by: `its behaviour: ${again.slice(0, 3).map(inWords).join('; ')}` }
  const third = first.checks.length > 0 ? failedAgain(first, await anotherRun(trial, 2)) : []
  return third.length > 0 ? { by: third.join('; ') } : { traits: first.traits }
}

const anotherRun = ({ settings, ...trial }: Trial, at: number): Promise<Ran> =>
  runOf({ ...trial, settings: { ...settings, seed: settings.seed + at * usualRuns } })

const failedAgain = (first: Ran, { checks }: Ran): readonly string[] =>
  checks.length > 1 ? checks : checks.filter((one) => first.checks.includes(one))

async function runOf({ settings, mutant, usual }: Trial): Promise<Ran> {
  const { outcome } = await tryOut(settings, { ...mutant, faults: mixedFaults }, usual.failing)
  const checks = new Set(outcome.violations.map(({ check }) => check))
  return { checks: [...checks], traits: outcome.traits }
}

const inWords = ({ trait, times, expected }: Difference): string =>
  `"${trait}" ${times} times, not ${expected.map(Math.round).join(' to ')}`
