// The command-line flags.

import { parseArgs } from 'node:util'

export interface Flags {
  /** Counts statements and requests instead of measuring. */
  readonly count: boolean
  readonly json: boolean
  readonly quick: boolean
  /** Names of benchmarks; empty runs all. */
  readonly only: readonly string[]
  /** Stores the ratios of this run for later comparisons. */
  readonly store: boolean
  /** The folder for CPU profiles of the app's processes. */
  readonly profile: string | undefined
  /** The address of a maintenance database; without it the run starts its own PostgreSQL. */
  readonly cluster: string | undefined
}

const flag = { type: 'boolean', default: false } as const
const word = { type: 'string' } as const
const options = {
  count: flag,
  json: flag,
  quick: flag,
  store: flag,
  only: word,
  profile: word,
  cluster: word,
}

export function readFlags(args: readonly string[]): Flags {
  const { values } = parseArgs({ args: [...args], options })
  const { only, profile, cluster, ...rest } = values
  return { ...rest, profile, cluster, only: only?.split(',') ?? [] }
}
