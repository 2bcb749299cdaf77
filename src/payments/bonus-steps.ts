// The steps of TOPUP_BONUS: from which sum on a top-up brings how many percents beside its credit.

import { type Kopecks, parseSureRoubles } from '../money.ts'

export interface BonusStep {
  readonly from: Kopecks
  readonly percent: number
}

/** A whole number from 1 to 100, with or without the sign: `5%`. */
export function readPercent(text: string): number | undefined {
  const [, digits] = /^([1-9]\d?|100)\s?%?$/.exec(text.trim()) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** Reads `1000:5%, 5000:10%`, and sorts the steps; undefined when they are not valid. */
export function readBonusSteps(text: string): readonly BonusStep[] | undefined {
  const steps = text.split(',').map((step): BonusStep | undefined => {
    const [sum = '', share = '', ...more] = step.split(':')
    const from = parseSureRoubles(sum)
    const percent = readPercent(share)
    return from && percent && more.length === 0 ? { from, percent } : undefined
  })
  const read = steps.filter((step) => step !== undefined)
  const areDistinct = new Set(read.map(({ from }) => from)).size === steps.length
  return areDistinct ? read.toSorted((a, b) => Number(a.from - b.from)) : undefined
}

/** What a top-up of this credit brings: the percents of its highest step, rounded down to a kopeck. */
export function stepBonus(steps: readonly BonusStep[] = [], credit: Kopecks): Kopecks {
  const step = steps.findLast(({ from }) => from <= credit)
  return step ? (credit * BigInt(step.percent)) / 100n : 0n
}
