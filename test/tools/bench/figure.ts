// A figure of the benchmark: rounds in which all sides take turns, and the line that shows their medians.

import assert from 'node:assert/strict'

export interface Figure {
  readonly name: string
  readonly unit: string
  /** Of the app: the median of the rounds. */
  readonly app: number
  /** Of the bare bot: the median, and the median of the ratios of the rounds. */
  readonly bare?: { readonly value: number; readonly ratio: number }
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

/** @param bare of the bare bot, each value of the same round as that of the app */
export function figureOf(
  told: Pick<Figure, 'name' | 'unit' | 'goal'>,
  app: readonly number[],
  bare?: readonly number[],
): Figure {
  const ratios = app.map((value, round) => value / (bare?.[round] ?? Number.NaN))
  return {
    ...told,
    app: median(app),
    ...(bare && { bare: { value: median(bare), ratio: median(ratios) } }),
  }
}

function median(values: readonly number[]): number {
  const found = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
  assert(found !== undefined, 'a median is of something')
  return found
}

export function tableOf(figures: readonly Figure[]): string {
  const rows = [
    ['', 'app', 'unit', 'bare bot', 'ratio', 'goal'],
    ...figures.map(({ name, unit, app, bare, goal }) => {
      const beside = bare ? [written(bare.value), written(bare.ratio)] : ['-', '-']
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
