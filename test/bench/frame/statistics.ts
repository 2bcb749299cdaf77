// Medians and percentiles.

import assert from 'node:assert/strict'

/** The value that this share of all values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const found = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  assert(found !== undefined, 'a percentile is of something')
  return found
}

/** The median; for an even number of values the mean of the two in the middle. */
export const median = (values: readonly number[]): number =>
  (percentile(values, 0.5) +
    -percentile(
      values.map((value) => -value),
      0.5,
    )) /
  2
