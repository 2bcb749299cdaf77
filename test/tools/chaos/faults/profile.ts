// How often each kind of fault is injected: the mean time between two faults of the kind, in seconds of the harness's clock; 0 means never.

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
  /** Forged callbacks. */
  readonly forger: number
  /** The delay of each packet to and from the database. */
  readonly lateMs: number
}

export const usualFaults: FaultProfile = {
  kill: 6,
  hold: 11,
  ask: 23,
  database: 5,
  outside: 0.12,
  outage: 40,
  forger: 2,
  lateMs: 0,
}

/** For a mistake that is visible even if no process ends: many orders, and only the outside services fail. */
export const calm = { kill: 0, hold: 0, ask: 0, database: 0, outage: 0, lateMs: 0 } as const

/** A profile without faults, for measurements. */
export const noFaults: FaultProfile = { ...calm, outside: 0, forger: 0 }

/** For a short run that must detect a mistake: more faults of every kind, and a slow database. */
export const hardFaults: FaultProfile = {
  kill: 2.5,
  hold: 2.5,
  ask: 9,
  database: 2,
  outside: 0.08,
  outage: 12,
  forger: 0.5,
  lateMs: 4,
}
