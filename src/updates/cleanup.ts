// Deletes the ids of updates that were handled some days ago.

import { isNull } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { deleteOld } from '../db/delete-old.ts'
import { updates } from '../db/schema.ts'
import type { Clock } from '../runtime/clock.ts'
import { dayMs } from '../runtime/durations.ts'

/** Telegram does not repeat updates that are older than a day. */
const keptMs = 3 * dayMs

/** Deletes old ids. Updates that were set aside are kept until an operator has decided about them: one may report a payment. */
export const forgetOldUpdates = (
  deps: { readonly db: Database; readonly clock: Clock },
  stopping?: AbortSignal,
): Promise<void> =>
  deleteOld(
    deps,
    { table: updates, time: updates.doneAt, keptMs, which: isNull(updates.setAsideAt) },
    stopping,
  )
