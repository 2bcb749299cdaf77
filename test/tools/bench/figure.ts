// A figure of the benchmark: rounds in which all sides take turns, and the line that shows their medians.

import assert from 'node:assert/strict'

export interface Figure {
  readonly name: string
  readonly unit: string
  /** Of the app: the median of the rounds. */
  readonly app: number
  /** Of what it is compared with. */
  readonly other: { readonly name: string; readonly value: number; readonly ratio: number }
  /** What the project wants; never asserted. */
  readonly goal: string
}

/** The values of one side in one round, by name. */
export type Measured = Readonly<Record<string, number>>

/** The values of a side in all rounds, by name. */
export type Found = (side: string, what: string) => readonly number[]

/**
 * Measures all sides in each round; every other round in reverse order, so that other load on the machine affects all of them equally. A
 * first round is a warm-up and is discarded, unless there is only one.
 */
export async function inRounds(
  count: number,
  sides: Readonly<Record<string, () => Promise<Measured>>>,
): Promise<Found> {
  const rounds: Map<string, Measured>[] = []
  for (let at = 0; at < (count === 1 ? 1 : count + 1); at += 1) {
    const entries = Object.entries(sides)
    const round = new Map<string, Measured>()
    for (const [side, measure] of at % 2 === 0 ? entries : entries.toReversed())
      round.set(side, await measure())
    rounds.push(round)
  }
  return (side, what) =>
    rounds.slice(count === 1 ? 0 : 1).map((round) => {
      const value = round.get(side)?.[what]
      assert(value !== undefined, `${side} has no ${what}`)
      return value
    })
}

/** The ratio is the median of the ratios of the rounds, each computed with the other value of its round. */
export function compare(
  told: Pick<Figure, 'name' | 'unit' | 'goal'>,
  app: readonly number[],
  name: string,
  other: readonly number[],
): Figure {
  const ratio = median(app.map((value, round) => value / (other[round] ?? Number.NaN)))
  return { ...told, app: median(app), other: { name, value: median(other), ratio } }
}

/** The value that this share of all values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const found = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  assert(found !== undefined, 'a percentile is of something')
  return found
}

const median = (values: readonly number[]): number => percentile(values, 0.5)

export function tableOf(figures: readonly Figure[]): string {
  const rows = [
    ['', 'app', 'unit', 'other', 'ratio', 'other is', 'goal'],
    ...figures.map(({ name, unit, app, other, goal }) => {
      const beside = [written(other.value), written(other.ratio), other.name]
      return [name, written(app), unit, ...beside, goal]
    }),
  ]
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? []
  const lines = rows.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '))
  return lines.map((line) => line.trimEnd()).join('\n')
}

/** With three significant digits. */
function written(value: number): string {
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1)))
  return value.toFixed(Math.min(digits, 4))
}
