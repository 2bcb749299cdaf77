// The database of a run, behind a relay. Its password is one of the secrets that must not appear in any log, row or chat.

import { randomBytes } from 'node:crypto'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import type { TestProject } from 'vitest/node'
import type { Clock } from '../../../../src/runtime/clock.ts'
import startPostgres from '../../../support/database/postgres.setup.ts'
import { createRelay } from './network.ts'

export type RunDatabase = Awaited<ReturnType<typeof openRunDatabase>>

/** The server does not verify this password; the run checks that it is exposed nowhere. */
export const password = 'chaos-database-password'

const connect = (url: string, max = 1) => postgres(url, { max, onnotice: () => undefined })

/** @param cluster the address of its maintenance database */
export async function openRunDatabase(
  cluster: string,
  delay: { readonly lateMs: number; readonly clock: Clock },
) {
  const name = `chaos_${randomBytes(6).toString('hex')}`
  const keeper = connect(cluster)
  await keeper.unsafe(`create database ${name}`)
  const own = new URL(cluster)
  own.pathname = `/${name}`
  // The database is empty: the processes create its tables.
  const sql = connect(own.href, 3)
  const looker = connect(own.href)
  const relay = await createRelay(own.hostname, Number(own.port), delay)
  return {
    /** The address for the processes, through the relay. */
    url: `postgres://${own.username || 'postgres'}:${password}@127.0.0.1:${relay.port}/${name}`,
    relay,
    /** A connection of the harness, without the relay. */
    sql,
    db: drizzle({ client: looker }),
    /** The names of the tables of the app. */
    tables: async () =>
      (await sql`select tablename from pg_tables where schemaname = 'public'`).map(({ tablename }) =>
        String(tablename),
      ),
    async close() {
      await relay.close()
      await sql.end({ timeout: 5 })
      await looker.end({ timeout: 5 })
      await keeper.unsafe(`drop database ${name} with (force)`)
      await keeper.end({ timeout: 5 })
    },
  }
}

export interface Cluster {
  /** The address of its maintenance database. */
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Starts a PostgreSQL cluster by the setup of the tests. */
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
