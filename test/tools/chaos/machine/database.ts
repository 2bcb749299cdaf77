// The database of a run, behind a relay. Its password is one of the secrets that must not appear in any log, row or chat.

import { randomBytes } from 'node:crypto'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres, { type Sql } from 'postgres'
import type { TestProject } from 'vitest/node'
import type { Database } from '../../../../src/db/client.ts'
import type { Clock } from '../../../../src/runtime/clock.ts'
import startPostgres from '../../../support/database/postgres.setup.ts'
import { createRelay, type Relay } from './relay.ts'

export interface RunDatabase {
  /** The address for the processes, through the relay. */
  readonly url: string
  readonly relay: Relay
  /** A connection of the harness, without the relay. */
  readonly db: Database
  readonly sql: Sql
  /** Makes the server end this share of the processes' connections. */
  terminate(share: number): Promise<void>
  close(): Promise<void>
}

/** The application name (PGAPPNAME) of the processes' connections. */
export const processes = 'processes'
/** The server does not verify this password; the run checks that it is exposed nowhere. */
export const password = 'chaos-database-password'

/** @param cluster the address of its maintenance database */
export async function openRunDatabase(
  cluster: string,
  delay: { readonly lateMs: number; readonly clock: Clock },
): Promise<RunDatabase> {
  const name = `chaos_${randomBytes(6).toString('hex')}`
  const keeper = postgres(cluster, { max: 1, onnotice: () => undefined })
  await keeper.unsafe(`create database ${name}`)
  const own = new URL(cluster)
  own.pathname = `/${name}`
  // The database is empty: the processes create its tables.
  const sql = postgres(own.href, { max: 3, onnotice: () => undefined })
  const looker = postgres(own.href, { max: 1, onnotice: () => undefined })
  const relay = await createRelay(own.hostname, Number(own.port), delay)
  return {
    url: `postgres://${own.username || 'postgres'}:${password}@127.0.0.1:${relay.port}/${name}`,
    relay,
    sql,
    db: drizzle({ client: looker }),
    async terminate(share) {
      await keeper`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = ${name} and application_name = ${processes} and random() < ${share}`
    },
    async close() {
      await relay.close()
      await sql.end({ timeout: 5 })
      await looker.end({ timeout: 5 })
      await keeper.unsafe(`drop database ${name} with (force)`)
      await keeper.end({ timeout: 5 })
    },
  }
}

// A PostgreSQL cluster for runs without `--cluster`, started by the setup of the tests.

export interface Cluster {
  /** The address of its maintenance database. */
  readonly url: string
  readonly stop: () => Promise<void>
}

export async function startCluster(): Promise<Cluster> {
  let url = ''
  const project = {
    provide(_: string, address: string) {
      url = address
    },
  }
  // The cast is safe: the setup uses only this method of vitest's project.
  const stop = await startPostgres(project as unknown as TestProject)
  return { url, stop }
}

// Lists the tables of the app.

export async function tablesOf(sql: Sql): Promise<string[]> {
  const found = await sql`select tablename from pg_tables where schemaname = 'public'`
  return found.map(({ tablename }) => String(tablename))
}
