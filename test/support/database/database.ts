// A separate database for a test file: a clone of the migrated template on PostgreSQL, or a copy of a migrated folder of PGlite.

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres, { type Sql } from 'postgres'
import { inject } from 'vitest'
import { type OpenDatabase, openDatabase } from '../../../src/db/client.ts'
import { prepareEmbedded } from './embedded.ts'
import { templateName } from './postgres.setup.ts'
import { openWithTransactions } from './transactions.ts'

/**
 * The size of a connection pool in tests. A connection costs 25 ms of processor time on some virtual machines; the app's default is ten.
 */
export const fewConnections = 3

export type Engine = 'postgres' | 'pglite'

export interface TestDatabase extends OpenDatabase {
  readonly url: string
}

/** The address of a new database, for an app that opens it itself. */
export async function freshUrl(engine: Engine): Promise<string> {
  return engine === 'pglite' ? `pglite:${await freshFolder()}` : freshClone()
}

async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bot-embedded-'))
  await prepareEmbedded(folder)
  return folder
}

const maintained = new Map<string, Sql>()

/** One connection for all test files of this worker. */
function maintenance(url: string): Sql {
  const sql = maintained.get(url) ?? postgres(url, { max: 1, fetch_types: false, onnotice: () => undefined })
  maintained.set(url, sql)
  return sql
}

async function freshClone(): Promise<string> {
  const url = inject('postgresUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  await maintenance(url).unsafe(`create database ${name} template ${templateName} strategy file_copy`)
  return url.replace(/\/[^/]*$/, `/${name}`)
}

export async function freshDatabase(engine: Engine = 'postgres'): Promise<TestDatabase> {
  const url = await freshUrl(engine)
  const open = engine === 'pglite' ? openDatabase : openWithTransactions
  const database = await open(url, { connections: fewConnections })
  const close = async () => {
    await database.close()
    if (engine === 'pglite') await rm(url.slice('pglite:'.length), { recursive: true })
  }
  return { ...database, url, close }
}
