// Counters exist with 0 before anything happens. Prometheus sees no increase in a counter that appears with its first increment, so an
// alert would miss the first failures.

import type { Counter } from 'prom-client'

/** The label values that come from other parts of the app. */
export interface LabelValues {
  readonly models: readonly string[]
  /** How a generation can be settled. */
  readonly endings: readonly string[]
  readonly textModels: readonly string[]
  /** Operations of the gateway's client. */
  readonly operations: readonly string[]
}

export const noValues: LabelValues = { models: [], endings: [], textModels: [], operations: [] }

/** Creates the counter for every combination of label values. */
export function startAtZero<L extends string>(
  counter: Counter<L>,
  values: Readonly<Record<L, readonly string[]>>,
): void {
  for (const labels of combinations(values)) counter.inc(labels, 0)
}

function combinations<L extends string>(
  values: Readonly<Record<L, readonly string[]>>,
): readonly Partial<Record<L, string>>[] {
  let all: readonly Partial<Record<L, string>>[] = [{}]
  for (const name in values) {
    all = all.flatMap((labels) => values[name].map((value) => ({ ...labels, [name]: value })))
  }
  return all
}
