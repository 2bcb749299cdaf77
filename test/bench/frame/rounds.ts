// Measures all sides in turn, round after round, so that other load on the machine affects all of them equally.

import type { Figure } from '../bench.ts'
import { median } from './statistics.ts'

/** The values of one side in one round, by name. */
export type Measured = Readonly<Record<string, number>>

export type Sides<Side extends string> = Readonly<Record<Side, () => Promise<Measured>>>

/** The number of measurements of each side: the first round is a warm-up and is discarded, unless it is the only one. */
export const timesIn = (rounds: number): number => (rounds === 1 ? 1 : rounds + 1)

/** Measures all sides in each round; every other round measures them in reverse order. */
export async function inRounds<Side extends string>(
  count: number,
  sides: Sides<Side>,
): Promise<(side: Side, what: string) => readonly number[]> {
  const entries: [string, () => Promise<Measured>][] = Object.entries(sides)
  const rounds: Map<string, Measured>[] = []
  for (let at = 0; at < timesIn(count); at += 1) {
    const round = new Map<string, Measured>()
    for (const [side, measure] of at % 2 === 0 ? entries : entries.toReversed())
      round.set(side, await measure())
    if (at > 0 || timesIn(count) === 1) rounds.push(round)
  }
  return (side, what) => rounds.map((round) => numberIn(round, side, what))
}

function numberIn(round: ReadonlyMap<string, Measured>, side: string, what: string): number {
  const found = round.get(side)?.[what]
  if (found === undefined) throw new Error(`${side} has no ${what}`)
  return found
}

type Told = Pick<Figure, 'name' | 'unit' | 'against' | 'better'> & Partial<Pick<Figure, 'tolerance'>>

export function compare(told: Told, measured: readonly number[], baseline: readonly number[]): Figure {
  const ratios = measured.map((value, round) => value / (baseline[round] ?? Number.NaN))
  return {
    tolerance: 2,
    ...told,
    measured: median(measured),
    baseline: median(baseline),
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
  }
}
