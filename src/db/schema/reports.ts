// Reports of problems with results.

import { sql } from 'drizzle-orm'
import { index, text } from 'drizzle-orm/pg-core'
import { id, table, time } from './columns.ts'
import { generations } from './orders.ts'
import { users } from './people.ts'

/** What can be wrong with a result, as its user picks it. */
export const problemReasons = ['not-asked', 'quality', 'broken'] as const

/** User reports of bad results, which an operator refunds or declines. */
export const reports = table(
  'reports',
  {
    id: text().primaryKey(),
    generationId: text()
      .notNull()
      .unique()
      .references(() => generations.id),
    userId: id()
      .notNull()
      .references(() => users.id),
    /** Null when it is described in words. */
    reason: text({ enum: problemReasons }),
    /** The user's own words; empty with a reason. */
    said: text().notNull(),
    state: text({ enum: ['open', 'refunded', 'declined'] })
      .notNull()
      .default('open'),
    createdAt: time().notNull(),
    closedAt: time(),
  },
  (t) => [index('reports_open').on(t.createdAt).where(sql`${t.state} = 'open'`)],
)
