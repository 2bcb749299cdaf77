// Fragments of SQL that statements of every room use.

import { type SQL, sql } from 'drizzle-orm'

/**
 * A moment as a parameter of a statement. The cast is needed wherever PostgreSQL cannot derive the type: in `values`, `case` and
 * arithmetic.
 */
export function timestamp(moment: Date | null, laterMs = 0): SQL {
  const value = moment && laterMs !== 0 ? new Date(moment.getTime() + laterMs) : moment
  return sql`${value}::timestamptz`
}
