// A separate database for a test file: a clone of the migrated template on PostgreSQL, or PGlite in memory.

import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { inject } from 'vitest'
import { type OpenDatabase, openDatabase } from '../../../src/db/client.ts'
import { templateName } from './postgres.setup.ts'

export type Engine = 'postgres' | 'pglite'

export interface TestDatabase extends OpenDatabase {
  readonly url: string
}

/** Also creates clones for an app that opens its database itself. */
export async function freshUrl(engine: Engine): Promise<string> {
  if (engine === 'pglite') return 'pglite:memory'
  const url = inject('postgresUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  await sql.unsafe(`create database ${name} template ${templateName} strategy file_copy`)
  await sql.end()
  return url.replace(/\/[^/]*$/, `/${name}`)
}

export async function freshDatabase(engine: Engine = 'postgres'): Promise<TestDatabase> {
  const url = await freshUrl(engine)
  return { url, ...(await openDatabase(url)) }
}
