// The settings of a run and of its faults, and what the operator of the app offers in it.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

export interface Settings {
  /** The duration of the phase with faults. All durations are by the harness's clock: real time on a machine that is not slow. */
  readonly seconds: number
  readonly seed: number
  readonly processes: number
  readonly updates: 'polling' | 'webhook'
  readonly people: number
  /** The longest pause between two errands of one person. */
  readonly pauseMs: number
  /** The initial balance of every person, in roubles. */
  readonly welcomeCredit: number
  /** The maintenance database of a running cluster. */
  readonly cluster: string
  /** The folder of the app: `src`, `drizzle` and the program that starts it. */
  readonly root: string
  /** Whether the folder with the logs is kept after the run. */
  readonly keep: boolean
}

type Defaults = Omit<Settings, 'seed' | 'root' | 'cluster'>

export const usual: Defaults = {
  seconds: 300,
  processes: 1,
  updates: 'polling',
  people: 90,
  pauseMs: 400,
  welcomeCredit: 200,
  keep: false,
}

/** The settings of a run for a mutant: some seconds with much activity. With so little credit most people have to pay. */
export const short: Defaults = {
  ...usual,
  seconds: 30,
  processes: 2,
  updates: 'webhook',
  people: 24,
  pauseMs: 150,
  welcomeCredit: 20,
}

/** The factor by which the app's clock runs faster than the harness's. */
export const appSpeed = 20

/** The time that a person waits for an answer before doing something else. */
export const patienceMs = 5000

/** The mean time between two faults of each kind, in seconds of the harness's clock; 0 means never. */
export interface FaultProfile {
  readonly kill: number
  /** Pauses that are longer than a lease. */
  readonly hold: number
  /** Requests to end (SIGTERM). */
  readonly ask: number
  readonly database: number
  readonly outside: number
  /** Outages of the gateway, each a few seconds long. */
  readonly outage: number
  /** The delay of each packet to and from the database, in milliseconds. */
  readonly lateMs: number
}

export const usualFaults: FaultProfile = {
  kill: 6,
  hold: 11,
  ask: 23,
  database: 5,
  outside: 0.12,
  outage: 40,
  lateMs: 0,
}

/** The faults under which mutants run. */
export const mutantFaults = {
  /** Every kind of fault, more often than in an ordinary run, and a slow database. */
  hard: { kill: 2.5, hold: 2.5, ask: 9, database: 2, outside: 0.08, outage: 12, lateMs: 4 },
  /** For a mistake that is visible even if no process ends: many orders, and only the outside services fail. */
  calm: { kill: 0, hold: 0, ask: 0, database: 0, outside: 0.08, outage: 0, lateMs: 0 },
  /** A paused process loses its leases and then continues; a killed one does not continue. */
  paused: { kill: 0, hold: 1.2, ask: 0, database: 0, outside: 0.08, outage: 12, lateMs: 12 },
} as const satisfies Readonly<Record<string, FaultProfile>>

export const catalogFile = join(import.meta.dirname, 'catalog.json')

const rates = z.object({ input: z.string(), output: z.string() })
const catalog = z.object({ textModels: z.array(z.object({ id: z.string(), rates })) })

/** The text models on sale, with their rates in roubles per million tokens. The first one answers until a person chooses another. */
export const { textModels } = catalog.parse(JSON.parse(readFileSync(catalogFile, 'utf8')))

/** The inviter's bonus for each invited friend who pays, in kopecks. */
export const referralBonus = 1100
/** What each payment of a friend brings the inviter. */
export const referralPercent = 5
