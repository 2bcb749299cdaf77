// Column types that all tables share. Amounts are kopecks (bigint); times are set by the app's clock.

import { type AnyPgColumn, bigint, date, integer, snakeCase, text, timestamp } from 'drizzle-orm/pg-core'

export const table = snakeCase.table
export const id = () => bigint({ mode: 'bigint' })
export const kopecks = () => bigint({ mode: 'bigint' })
export const time = () => timestamp({ withTimezone: true, mode: 'date' })
/** A calendar day of the operator's time zone, like `2026-11-21`. */
export const day = () => date({ mode: 'string' })
export const telegramId = () => bigint({ mode: 'number' })
export const seed = () => bigint({ mode: 'number' })

/** The id of a row of another table. */
export const reference = (to: () => AnyPgColumn, name = '') => text(name).notNull().references(to)

/** The columns with which rows of a queue are claimed, see db/queue.ts. */
export const leaseColumns = () => ({
  /** Every write of a worker is conditional on the lease that it holds. */
  lease: text(),
  leaseUntil: time(),
  /** The claims since the row was released. */
  claims: integer().notNull().default(0),
})
