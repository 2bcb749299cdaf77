// The PostgreSQL of a run. Every measured program gets an empty database, which it fills itself.

import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { startCluster } from '../../chaos/machine/database.ts'

export interface Databases {
  readonly version: string
  /** @returns the address of a new, empty database */
  create(): Promise<string>
  /** Drops the databases. */
  close(): Promise<void>
}

/** @param given the address of a maintenance database; without it a cluster is started */
export async function openDatabases(given: string | undefined): Promise<Databases> {
  const cluster = given ? { url: given, stop: async () => undefined } : await startCluster()
  const sql = postgres(cluster.url, { max: 1, onnotice: () => undefined })
  const [row] = await sql`show server_version`
  const created: string[] = []
  return {
    version: String(row?.server_version).replace(/ .*/, ''),
    async create() {
      const name = `bench_${randomBytes(6).toString('hex')}`
      await sql.unsafe(`create database ${name}`)
      created.push(name)
      return cluster.url.replace(/\/[^/]*$/, `/${name}`)
    },
    async close() {
      for (const name of created) await sql.unsafe(`drop database ${name} with (force)`)
      await sql.end({ timeout: 5 })
      await cluster.stop()
    },
  }
}
