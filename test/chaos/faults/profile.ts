// How often what goes wrong: seconds of the harness's clock on the average between two of a kind; 0 is never.

export interface FaultProfile {
  readonly kill: number
  /** Paused for longer than a lease. */
  readonly hold: number
  readonly ask: number
  readonly database: number
  readonly outside: number
  /** Forged callbacks. */
  readonly forger: number
  /** How long each packet to the database, and each from it, is under way. */
  readonly lateMs: number
}

export const usualFaults: FaultProfile = {
  kill: 6,
  hold: 11,
  ask: 23,
  database: 5,
  outside: 0.12,
  forger: 2,
  lateMs: 0,
}

/** For a mistake that shows without any process ending: much is ordered, and only Telegram and the gateway fail. */
export const calm = { kill: 0, hold: 0, ask: 0, database: 0, lateMs: 0 } as const

/** Nothing goes wrong, for measurements. */
export const noFaults: FaultProfile = { ...calm, outside: 0, forger: 0 }

/** For a short run that must find something: more of everything, and a slow database. */
export const hardFaults: FaultProfile = {
  kill: 2.5,
  hold: 2.5,
  ask: 9,
  database: 2,
  outside: 0.08,
  forger: 0.5,
  lateMs: 4,
}
