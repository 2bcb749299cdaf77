// Settings that users saved by name, to start cards with.

import { jsonb, text, unique } from 'drizzle-orm/pg-core'
import type { Answers } from '../../catalog/field.ts'
import { id, table, time } from './columns.ts'
import { users } from './people.ts'

/** The answers of a preset do not include the prompt and the files. */
export const presets = table(
  'presets',
  {
    id: text().primaryKey(),
    userId: id()
      .notNull()
      .references(() => users.id),
    modelId: text().notNull(),
    name: text().notNull(),
    answers: jsonb().$type<Answers>().notNull(),
    createdAt: time().notNull(),
  },
  (t) => [unique('presets_name').on(t.userId, t.modelId, t.name)],
)
