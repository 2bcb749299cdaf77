// What can be said on the command line.

import { parseArgs } from 'node:util'

export interface Flags {
  readonly json: boolean
  readonly quick: boolean
  /** Names of benches; all if nothing is said. */
  readonly only: readonly string[]
  /** Keeps today's ratios as those to compare with. */
  readonly store: boolean
  /** Where the profiles of the app's processes go. */
  readonly profile: string | undefined
  /** The address of a maintenance database; a PostgreSQL of our own if nothing is said. */
  readonly cluster: string | undefined
}

const flag = { type: 'boolean', default: false } as const
const word = { type: 'string' } as const
const options = { json: flag, quick: flag, store: flag, only: word, profile: word, cluster: word }

export function readFlags(args: readonly string[]): Flags {
  const { values } = parseArgs({ args: [...args], options })
  const { only, profile, cluster, ...rest } = values
  return { ...rest, profile, cluster, only: only?.split(',') ?? [] }
}
