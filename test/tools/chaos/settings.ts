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

type Defaults = Omit<Settings, 'seed' | 'root' | 'cluster'>

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
  keep: false,
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
  /** The operations of Telegram, the gateway and YooKassa that may fail; all by default. */
  readonly operations?: RegExp
  /** The ways in which they may fail, by their names in the report; all by default. */
  readonly ways?: RegExp
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

/** For a mistake that is visible even if no process ends: many orders, and only the outside services fail. */
export const calm = { kill: 0, hold: 0, ask: 0, database: 0, outage: 0, lateMs: 0 } as const

/** For a short run that must detect a mistake: more faults of every kind, and a slow database. */
export const hardFaults: FaultProfile = {
  kill: 2.5,
  hold: 2.5,
  ask: 9,
  database: 2,
  outside: 0.08,
  outage: 12,
  lateMs: 4,
}

export const catalogFile = join(import.meta.dirname, 'catalog.json')

const rates = z.object({ input: z.string(), output: z.string() })
const catalog = z.object({ textModels: z.array(z.object({ id: z.string(), rates })) })

/** The text models on sale, with their rates in roubles per million tokens. The first one answers until a person chooses another. */
export const { textModels } = catalog.parse(JSON.parse(readFileSync(catalogFile, 'utf8')))

/** The inviter's bonus for each invited friend who pays, in kopecks. */
export const referralBonus = 1100
/** What a top-up brings its payer beside the credit, from that sum on, and the inviter of its payer. */
export const topUpBonus = { from: 10_000, percent: 10 }
export const referralPercent = 5
/** The bonus of an invited person, in kopecks. */
export const invitedBonus = 700

/** The promo code whose credit lets the owner of a wallet fill it at once. */
export const ownersCode = 'OWNERS'

export interface PromoCode {
  /** How often people try it. */
  readonly weight: number
  readonly code: string
  /** In kopecks. */
  readonly amount: number
  /** The most people who may use the code. */
  readonly mostUses: number
}

/** The promo codes: one for every person, one with two uses, and one that only owners of group wallets use. */
export const promoCodes: readonly PromoCode[] = [
  { weight: 6, code: 'CHAOS', amount: 2500, mostUses: 1_000_000 },
  { weight: 3, code: 'FEW', amount: 700, mostUses: 2 },
  { weight: 0, code: ownersCode, amount: 25_000, mostUses: 1_000_000 },
]

/** The most that a person may spend in a day, in kopecks. */
export const capOf = ({ welcomeCredit, capASecond, seconds }: Settings): number =>
  Math.round((welcomeCredit + capASecond * seconds) * 100)
