// The cost of one unit of work in SQL statements and requests. Unlike durations, counts are the same on every machine.

import { type Calls, per, sumOf } from './tally.ts'

export interface Count {
  readonly name: CountName
  /** The unit of work. */
  readonly unit: 'update' | 'order' | 'second'
  /** The number of units that were done. */
  readonly units: number
  /** Statements per unit, by text. */
  readonly statements: Calls
  /** Requests per unit, by method; polls for updates and callbacks of the gateway are not counted. */
  readonly requests: Calls
}

export const countNames = ['update-alone', 'update-busy', 'order-alone', 'order-busy', 'idle'] as const
export type CountName = (typeof countNames)[number]

interface Counted extends Pick<Count, 'name' | 'unit' | 'units'> {
  readonly statements: Calls
  readonly requests: Calls
}

/** Divides by the number of units. @param counted the calls of all units together */
export const perUnit = (counted: Counted): Count => ({
  ...counted,
  statements: per(counted.units, counted.statements),
  requests: per(counted.units, counted.requests),
})

export const totals = ({ statements, requests }: Count) => ({
  statements: sumOf(statements),
  requests: sumOf(requests),
})
