// What a run may be told.

import { parseArgs } from 'node:util'
import { z } from 'zod'

export interface Settings {
  /** This and other times are of the harness's clock: real seconds on a machine that is not slow. */
  readonly seconds: number
  readonly seed: number
  readonly processes: number
  readonly updates: 'polling' | 'webhook'
  /** The gateway is given addresses for its callbacks; without them updates must be polled. */
  readonly callbacks: boolean
  readonly people: number
  /** At most, between two errands of one person. */
  readonly pauseMs: number
  /** How long somebody waits for an answer before they do something else. */
  readonly patienceMs: number
  /** What everybody has at first, in roubles. */
  readonly welcomeCredit: number
  /** How many times faster time goes for the app. */
  readonly times: number
  /** The maintenance database of a cluster that runs already. */
  readonly cluster: string
  /** The app's own folder: `src`, `drizzle` and the program that starts it. */
  readonly root: string
  /** The folder with the logs stays. */
  readonly keep: boolean
  /** The first thing that is wrong is enough. */
  readonly isHasty: boolean
}

export const usual: Omit<Settings, 'seed' | 'root' | 'cluster' | 'keep' | 'isHasty'> = {
  ...{ seconds: 300, processes: 1, updates: 'polling', people: 90, pauseMs: 400, times: 20 },
  ...{ patienceMs: 12_000, welcomeCredit: 200, callbacks: true },
}

const flags = z.object({
  minutes: z.coerce.number().positive().optional(),
  seed: z.coerce.number().int().nonnegative().optional(),
  processes: z.coerce.number().int().min(1).max(16).optional(),
  updates: z.enum(['polling', 'webhook']).optional(),
  people: z.coerce.number().int().min(1).max(1000).optional(),
  times: z.coerce.number().min(1).max(1000).optional(),
  cluster: z.url().optional(),
  json: z.boolean().default(false),
  mutants: z.boolean().default(false),
  /** Of the mutants, only those whose name matches this. */
  only: z.string().optional(),
  keep: z.boolean().default(false),
  faults: z.enum(['none', 'usual', 'hard']).default('usual'),
})

export type Flags = z.output<typeof flags>

/** @throws z.ZodError, TypeError for what is no flag */
export function readFlags(args: readonly string[]): Flags {
  const text = { type: 'string' } as const
  const yes = { type: 'boolean' } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...{ minutes: text, seed: text, processes: text, updates: text, people: text, times: text },
      ...{ cluster: text, only: text, faults: text, json: yes, mutants: yes, keep: yes },
    },
  })
  return flags.parse(values)
}
