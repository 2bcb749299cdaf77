// Draws the mutants of a run. Mutants that the compiler refuses are skipped.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { mistypedOf } from '../chaos/mutants/types.ts'
import { hashOf, keep, kept } from './cache.ts'
import type { GeneratedMutant } from './edit.ts'
import { mutantsIn, shuffled } from './rooms.ts'

export interface Sample {
  readonly mutants: readonly GeneratedMutant[]
  /** The number of skipped mutants. */
  readonly mistyped: number
}

/** @param only a pattern for names; with it all matching mutants are drawn, regardless of the sample size */
export async function drawSample(
  root: string,
  { sample, seed, only }: { sample: number; seed: number; only?: string | undefined },
): Promise<Sample> {
  const all = shuffled(mutantsIn(root), seed)
  const pool = only === undefined ? all : all.filter(({ name }) => new RegExp(only).test(name))
  const most = only === undefined ? sample : pool.length
  const found: GeneratedMutant[] = []
  let looked = 0
  while (found.length < most && looked < pool.length) {
    const next = pool.slice(looked, looked + Math.ceil((most - found.length) * 1.6))
    const isRight = await rightlyTyped(root, next)
    for (const one of next) {
      if (found.length === most) break
      looked += 1
      if (isRight(one)) found.push(one)
    }
  }
  return { mutants: found, mistyped: looked - found.length }
}

const verdicts = z.object({ source: z.string(), isRight: z.record(z.string(), z.boolean()) })
const keyOf = ({ name, after }: GeneratedMutant) => `${name}: ${after}`

async function rightlyTyped(
  root: string,
  mutants: readonly GeneratedMutant[],
): Promise<(mutant: GeneratedMutant) => boolean> {
  const source = hashOf(
    globSync('src/**/*.ts', { cwd: root })
      .toSorted()
      .map((file) => readFileSync(join(root, file), 'utf8'))
      .join('\n'),
  )
  const before = kept(root, 'types', verdicts)
  const isRight = new Map(before?.source === source ? Object.entries(before.isRight) : [])
  const unknown = mutants.filter((one) => !isRight.has(keyOf(one)))
  const wrong = unknown.length > 0 ? await mistypedOf(root, unknown) : new Set()
  for (const one of unknown) isRight.set(keyOf(one), !wrong.has(one))
  keep(root, 'types', { source, isRight: Object.fromEntries(isRight) })
  return (mutant) => isRight.get(keyOf(mutant)) === true
}
