// Regular jobs: when the audit and the backup ended last, and whether they are overdue. A job without a row was never made, and is nobody's
// trouble: an operator may make backups by other means.

import type { Database } from '../db/client.ts'
import { lastRuns } from '../db/schema.ts'
import { hourMs } from '../runtime/durations.ts'

type LastRun = typeof lastRuns.$inferSelect
type Job = LastRun['name']

/** The audit is made every hour, or less often on a large database; a backup at least once a day. */
const overdueMs: Readonly<Record<Job, number>> = { audit: 6 * hourMs, backup: 26 * hourMs }

export async function recordAudit(db: Database, doneAt: Date): Promise<void> {
  await db
    .insert(lastRuns)
    .values({ name: 'audit', doneAt })
    .onConflictDoUpdate({ target: lastRuns.name, set: { doneAt } })
}

/** Whether the last run failed, or was too long ago. */
export function isOverdue({ name, doneAt, failedAt }: LastRun, now: Date): boolean {
  if (doneAt === null) return true
  return (failedAt !== null && failedAt > doneAt) || now.getTime() - doneAt.getTime() > overdueMs[name]
}

/** When the job was last completed, as a text that is the same in all languages. */
export const completedAt = ({ doneAt }: Pick<LastRun, 'doneAt'>): string =>
  doneAt ? `${doneAt.toISOString().slice(0, 16)}Z` : '–'
