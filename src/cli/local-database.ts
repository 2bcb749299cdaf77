// Opens the database for the operator's programs: DATABASE_URL or, without it, the sandbox's own.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type OpenDatabase, OutdatedSchema, openDatabase } from '../db/client.ts'
import { FolderInUse } from '../db/folder-lock.ts'
import { cannotOpen } from '../db/outage.ts'
import { systemClock } from '../runtime/clock.ts'
import { wrongDatabase } from '../runtime/env-values.ts'

type OpenedLocally =
  | { readonly ok: true; readonly database: OpenDatabase }
  /** `problem` is a sentence that says what to do. */
  | { readonly ok: false; readonly problem: string }

/** @param instead what to use while the sandbox has its database open */
export async function openLocalDatabase(
  { DATABASE_URL, DATA_DIR }: Readonly<Record<string, string | undefined>>,
  instead: string,
  earlierSchema: 'migrate' | 'refuse' = 'migrate',
): Promise<OpenedLocally> {
  const folder = join(DATA_DIR || './data', 'database')
  if (!DATABASE_URL && !existsSync(folder)) {
    const problem = `DATABASE_URL: write postgres://user:password@host/name; the sandbox has no database in ${folder}`
    return { ok: false, problem }
  }
  const wrong = DATABASE_URL ? wrongDatabase(DATABASE_URL) : undefined
  if (wrong) return { ok: false, problem: `DATABASE_URL: ${wrong}` }
  const url = DATABASE_URL || `pglite:${folder}`
  try {
    return { ok: true, database: await openDatabase(url, { earlierSchema, clock: systemClock }) }
  } catch (error) {
    if (error instanceof OutdatedSchema) {
      const problem = 'The schema of the database is that of an earlier version: npm run migrate'
      return { ok: false, problem }
    }
    const { message } = cannotOpen(error, url)
    const hint = error instanceof FolderInUse ? `; while the sandbox runs, ${instead}` : ''
    return { ok: false, problem: message + hint }
  }
}
