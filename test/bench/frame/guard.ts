// Stores the ratios of a known good state, and compares new ratios with them.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Figure } from '../bench.ts'

const path = join(import.meta.dirname, '../ratios.json')
const shape = z.record(z.string(), z.number().positive())

export type Ratios = z.output<typeof shape>

/** A figure and its benchmark. */
export type Found = Figure & { readonly bench: string }

const keyOf = ({ bench, name }: Found): string => `${bench}: ${name}`

export const readRatios = (): Ratios => shape.parse(JSON.parse(readFileSync(path, 'utf8')))

/** Stores the ratios of this run; the ratios of benchmarks that did not run are kept. */
export function writeRatios(figures: readonly Found[], before: Ratios): void {
  const now = Object.fromEntries(figures.map((one) => [keyOf(one), Number(one.ratio.toPrecision(3))]))
  writeFileSync(path, `${JSON.stringify({ ...before, ...now }, null, 2)}\n`)
}

/** One line for each figure that is worse than stored by more than its tolerance. */
export function worseThan(before: Ratios, figures: readonly Found[]): string[] {
  return figures.flatMap((one) => {
    const known = before[keyOf(one)]
    if (known === undefined) return []
    const times = one.better === 'higher' ? known / one.ratio : one.ratio / known
    if (times <= one.tolerance) return []
    const ratios = `${one.ratio.toPrecision(3)}, was ${known}`
    return [`${keyOf(one)}: ${times.toFixed(1)} times worse (${ratios})`]
  })
}
