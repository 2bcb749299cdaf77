// How often what goes wrong: real seconds on the average between two of a kind; 0 is never.

export interface FaultProfile {
  readonly kill: number
  /** Held still for longer than a lease. */
  readonly hold: number
  readonly ask: number
  readonly database: number
  readonly outside: number
  /** Forged callbacks. */
  readonly forger: number
  /** Real milliseconds that everything said to the database is on its way, and its answer again. */
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

/** What differs for a mistake that needs no death: much is ordered, and only Telegram and the gateway are hard. */
export const calm = { kill: 0, hold: 0, ask: 0, database: 0, lateMs: 0 } as const

/** Nothing goes wrong: to measure by. */
export const noFaults: FaultProfile = { ...calm, outside: 0, forger: 0 }

/** For a short run that must find something: more of everything, and a slow database for it to happen in. */
export const hardFaults: FaultProfile = {
  kill: 2.5,
  hold: 2.5,
  ask: 9,
  database: 2,
  outside: 0.08,
  forger: 0.5,
  lateMs: 4,
}
