// The PostgreSQL of a run: one migrated template database, which every benchmark clones.

import { randomBytes } from 'node:crypto'
import postgres, { type Sql } from 'postgres'
import { openDatabase } from '../../../src/db/client.ts'
import { startCluster } from '../../chaos/machine/cluster.ts'

export interface BenchDatabase {
  readonly url: string
  /** For preparing data and reading results. */
  readonly sql: Sql
  close(): Promise<void>
}

export interface Server {
  readonly version: string
  clone(): Promise<BenchDatabase>
  stop(): Promise<void>
}

const named = (url: string, name: string) => url.replace(/\/[^/]*$/, `/${name}`)
const newName = () => `bench_${randomBytes(6).toString('hex')}`
const open = (url: string, max: number) => postgres(url, { max, onnotice: () => undefined })

/** @param given the address of a maintenance database */
export async function startServer(given: string | undefined): Promise<Server> {
  const cluster = given ? { url: given, stop: async () => undefined } : await startCluster()
  const keeper = open(cluster.url, 1)
  const template = newName()
  const drop = (name: string) => keeper.unsafe(`drop database ${name} with (force)`)
  await keeper.unsafe(`create database ${template}`)
  await (await openDatabase(named(cluster.url, template))).close()
  const [row] = await keeper`show server_version`
  return {
    version: String(row?.server_version).replace(/ .*/, ''),
    async clone() {
      const name = newName()
      await keeper.unsafe(`create database ${name} template ${template}`)
      const sql = open(named(cluster.url, name), 4)
      return {
        url: named(cluster.url, name),
        sql,
        async close() {
          await sql.end({ timeout: 5 })
          await drop(name)
        },
      }
    },
    async stop() {
      await drop(template)
      await keeper.end({ timeout: 5 })
      await cluster.stop()
    },
  }
}
