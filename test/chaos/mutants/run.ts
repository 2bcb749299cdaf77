// Runs every mutant. One that is not found shows what the harness does not see.

import { hardFaults } from '../faults/profile.ts'
import type { Outcome } from '../run.ts'
import { run } from '../run.ts'
import type { Settings } from '../settings.ts'
import { assertFits, makeCopy } from './copy.ts'
import { mutants } from './index.ts'
import type { Mutant } from './mutant.ts'

/** No mutant at all: checks that find something in it prove nothing about the others. */
const healthy: Mutant = { name: 'healthy', mistake: 'none', changes: [] }

const short = {
  seconds: 15,
  processes: 2,
  updates: 'webhook',
  people: 24,
  pauseMs: 150,
  patienceMs: 5000,
  welcomeCredit: 20,
  isHasty: true,
} as const
/** A mistake may not show in one run. */
const tries = 3

export interface Found {
  readonly mutant: Mutant
  readonly outcome: Outcome
  readonly tries: number
}

/** @param tell is told of each as it is done */
export async function runMutants(
  settings: Settings,
  only: string | undefined,
  tell: (found: Found) => void,
): Promise<boolean> {
  await assertFits(settings.root, mutants)
  const usual = await tryOut(settings, healthy, new Set())
  tell(usual)
  let isRight = isAsExpected(usual)
  const known = new Set(usual.outcome.violations.map(({ check }) => check))
  for (const mutant of mutants.filter(({ name }) => new RegExp(only ?? '').test(name))) {
    const found = await tryOut(settings, mutant, known)
    tell(found)
    isRight &&= isAsExpected(found)
  }
  return isRight
}

export const isAsExpected = ({ mutant, outcome }: Found): boolean =>
  (mutant === healthy) === (outcome.violations.length === 0)

/** @param known checks that find something in the healthy one too */
async function tryOut(settings: Settings, mutant: Mutant, known: ReadonlySet<string>): Promise<Found> {
  const copy = await makeCopy(settings.root, mutant.changes)
  const most = mutant === healthy ? 1 : tries
  try {
    for (let n = 1; ; n += 1) {
      const own = { ...settings, ...short, ...mutant.settings, seed: settings.seed + n, root: copy.root }
      const outcome = await run(own, { ...hardFaults, ...mutant.faults })
      const violations = outcome.violations.filter(({ check }) => !known.has(check))
      const found = { mutant, outcome: { ...outcome, violations }, tries: n }
      if (n === most || violations.length > 0) return found
    }
  } finally {
    await copy.remove()
  }
}
