// What one unit of work costs in SQL statements and requests. Unlike seconds, counts are the same on every machine.

import { type Calls, per, sumOf } from './tally.ts'

export interface Count {
  readonly name: CountName
  /** What one of is counted. */
  readonly unit: 'update' | 'order' | 'second'
  /** How many of them were done. */
  readonly units: number
  /** For each unit, by text. */
  readonly statements: Calls
  /** For each unit, by method; polls for updates and callbacks of the gateway do not count. */
  readonly requests: Calls
}

export const countNames = ['update-alone', 'update-busy', 'order-alone', 'order-busy', 'idle'] as const
export type CountName = (typeof countNames)[number]

interface Counted extends Pick<Count, 'name' | 'unit' | 'units'> {
  readonly statements: Calls
  readonly requests: Calls
}

/** @param counted the calls of all units together */
export const perUnit = (counted: Counted): Count => ({
  ...counted,
  statements: per(counted.units, counted.statements),
  requests: per(counted.units, counted.requests),
})

export const totals = ({ statements, requests }: Count) => ({
  statements: sumOf(statements),
  requests: sumOf(requests),
})
