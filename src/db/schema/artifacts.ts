// The files of generations.

import { integer, jsonb, primaryKey, text } from 'drizzle-orm/pg-core'
import type { FileFacts } from '../../catalog/field.ts'
import { seed, table } from './columns.ts'
import { generations } from './orders.ts'

const fileKinds = ['image', 'video', 'audio', 'model3d', 'text', 'other'] as const
export type FileKind = (typeof fileKinds)[number]

/**
 * Why a file is missing. `unavailable` (no answer, or one that asks to retry) is temporary. `gone` (not found), `refused` (not allowed,
 * too many redirects), `not-a-file` (empty, or an error page) and `forbidden` (an address that is not connected to) are probably
 * permanent.
 */
const missingReasons = ['unavailable', 'gone', 'refused', 'not-a-file', 'forbidden'] as const
export type Missing = (typeof missingReasons)[number]

/** A produced file; once Telegram has it, it is sent again by `fileId`. */
export const artifacts = table(
  'artifacts',
  {
    generationId: text()
      .notNull()
      .references(() => generations.id),
    position: integer().notNull(),
    /** The gateway's link, or the file itself as a data URI when the response contained it. */
    url: text().notNull(),
    /** The seed with which the gateway made this result, if the gateway named it. */
    seed: seed(),
    fileId: text(),
    messageId: integer(),
    /** The detected kind of the file; null before it was sent, and when it was sent as a link. */
    kind: text({ enum: fileKinds }),
    /** The facts of the file with `fileId`; null before it was sent, and if it was sent before this column existed. */
    facts: jsonb().$type<FileFacts>(),
    /** The unconverted file, when the message shows a smaller version. */
    originalFileId: text(),
    /** Downloads that failed in a way that is probably permanent. */
    misses: integer().notNull().default(0),
    /** Why the file was given up; written together with the refund of its price. The order does not download the file again. */
    lost: text({ enum: missingReasons }),
  },
  (t) => [primaryKey({ columns: [t.generationId, t.position] })],
)
