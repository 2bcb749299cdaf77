// The database of a run: with a password worth finding, behind a relay.

import { randomBytes } from 'node:crypto'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres, { type Sql } from 'postgres'
import type { Database } from '../../../src/db/client.ts'
import { createRelay, type Relay } from './relay.ts'

export interface RunDatabase {
  /** For the processes: by way of the relay. */
  readonly url: string
  readonly relay: Relay
  /** For whoever looks on: straight. */
  readonly db: Database
  readonly sql: Sql
  /** The server itself hangs up on some of the processes. */
  terminate(share: number): Promise<void>
  close(): Promise<void>
}

/** What the processes are to call themselves, by PGAPPNAME. */
export const processes = 'processes'
/** Nobody checks it here; it must not be found anywhere. */
export const password = 'chaos-database-password'

/** @param cluster the address of its maintenance database; @param lateMs see the relay */
export async function openRunDatabase(cluster: string, lateMs: number): Promise<RunDatabase> {
  const name = `chaos_${randomBytes(6).toString('hex')}`
  const keeper = postgres(cluster, { max: 1, onnotice: () => undefined })
  await keeper.unsafe(`create database ${name}`)
  const own = new URL(cluster)
  own.pathname = `/${name}`
  // Its tables are the affair of the processes.
  const sql = postgres(own.href, { max: 3, onnotice: () => undefined })
  const looker = postgres(own.href, { max: 1, onnotice: () => undefined })
  const relay = await createRelay(own.hostname, Number(own.port), lateMs)
  return {
    url: `postgres://${own.username || 'postgres'}:${password}@127.0.0.1:${relay.port}/${name}`,
    ...{ relay, sql, db: drizzle({ client: looker }) },
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
