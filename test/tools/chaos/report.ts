// The report at the end of a run.

import type { Trial } from './mutants/run.ts'
import type { Outcome } from './run.ts'

export function reportOf({ settings, violations, histories, ...outcome }: Outcome): string {
  const { seed, processes, updates, people, times } = settings
  const { mean, worst } = outcome.slowness
  const lines = [
    `seed ${seed}, ${Math.round(outcome.faultySeconds)} s, ${processes} processes by ${updates}, ${people} people`,
    `took ${outcome.realSeconds.toFixed(0)} s; the machine was ${mean.toFixed(1)} times slower than usual, at worst ${worst.toFixed(1)} times`,
    `the app's clock ran ${(times / mean).toFixed(1)} times faster than real time, at least ${Math.max(1, times / worst).toFixed(1)} times`,
    `orders: ${listed(outcome.orders)}`,
    `counted: ${listed(outcome.counted)}`,
    `snapshots: ${outcome.snapshots}; at rest after ${outcome.restSeconds.toFixed(1)} s`,
    `violations: ${violations.length}`,
  ]
  const wrong = violations
    .slice(0, 20)
    .flatMap(({ check, about, fact }) => [
      `\n✗ ${check}\n  ${about}: ${fact}`,
      ...(histories[about] ?? []).map((line) => `    ${line}`),
    ])
  return [...lines, ...wrong].join('\n')
}

/** One line with the mistake of a mutant and the checks that detected it. */
export function verdictOf({ mutant: { name, mistake }, outcome: { violations }, tries }: Trial): string {
  const by = [...new Set(violations.map(({ check }) => check))].join('; ')
  const found = violations.length === 0 ? 'no violations' : `${violations.length} violations: ${by}`
  return `${name} (${mistake}): ${found}${tries > 1 ? `, in run ${tries}` : ''}`
}

const listed = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([what, n]) => `\n  ${String(n).padStart(6)}  ${what}`)
    .join('')
