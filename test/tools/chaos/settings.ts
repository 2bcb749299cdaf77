// The settings of a run, and the command-line flags that change them.

import { parseArgs } from 'node:util'
import { z } from 'zod'

export interface Settings {
  /** The duration of the phase with faults. All durations are by the harness's clock: real time on a machine that is not slow. */
  readonly seconds: number
  readonly seed: number
  readonly processes: number
  readonly updates: 'polling' | 'webhook'
  /** Whether the gateway gets callback addresses. Without them the processes have no public address, so `updates` must be `polling`. */
  readonly callbacks: boolean
  readonly people: number
  /** The longest pause between two errands of one person. */
  readonly pauseMs: number
  /** The time that a person waits for an answer before doing something else. */
  readonly patienceMs: number
  /** The initial balance of every person, in roubles. */
  readonly welcomeCredit: number
  /** The daily cap of a person is the welcome credit and this amount for each second of the run, in roubles. */
  readonly capASecond: number
  /** The share of orders whose tasks call back, from 0 to 1. */
  readonly calledBack: number
  /** The most concurrent orders of a person. */
  readonly concurrent: number
  /** The longest pause between two actions of an operator. */
  readonly operatorPauseMs: number
  /** The factor by which the app's clock runs faster than real time. */
  readonly times: number
  /** The maintenance database of a running cluster. */
  readonly cluster: string
  /** The folder of the app: `src`, `drizzle` and the program that starts it. */
  readonly root: string
  /** Whether the folder with the logs is kept after the run. */
  readonly keep: boolean
  /** Whether the run ends at the first violation. */
  readonly isHasty: boolean
}

type Defaults = Omit<Settings, 'seed' | 'root' | 'cluster' | 'keep'>

export const usual: Defaults = {
  seconds: 300,
  processes: 1,
  updates: 'polling',
  people: 90,
  pauseMs: 400,
  times: 20,
  patienceMs: 12_000,
  welcomeCredit: 200,
  capASecond: 1.5,
  calledBack: 0.3,
  concurrent: 6,
  operatorPauseMs: 2000,
  callbacks: true,
  isHasty: false,
}

/** The settings of a run for a mutant: some seconds with much activity. */
export const short: Defaults = {
  ...usual,
  seconds: 15,
  processes: 2,
  updates: 'webhook',
  people: 24,
  pauseMs: 150,
  patienceMs: 5000,
  welcomeCredit: 20,
  // The cap is enough for one video and too low for two.
  capASecond: 8,
  operatorPauseMs: 800,
  isHasty: true,
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
  /** A pattern for the names of the mutants to run. */
  only: z.string().optional(),
  keep: z.boolean().default(false),
  faults: z.enum(['none', 'usual', 'hard']).default('usual'),
})

export type Flags = z.output<typeof flags>

/** @throws z.ZodError, TypeError for an unknown flag */
export function readFlags(args: readonly string[]): Flags {
  const text = { type: 'string' } as const
  const yes = { type: 'boolean' } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: text,
      seed: text,
      processes: text,
      updates: text,
      people: text,
      times: text,
      cluster: text,
      only: text,
      faults: text,
      json: yes,
      mutants: yes,
      keep: yes,
    },
  })
  return flags.parse(values)
}
