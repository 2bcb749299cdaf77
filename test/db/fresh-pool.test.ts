// Connections that the server ends while statements are being sent: each statement ends, with its answer or with an error.

import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '../../src/db/client.ts'
import { isOutage } from '../../src/db/outage.ts'
import { freshUrl } from '../support/database/database.ts'

let url: string
let server: postgres.Sql

beforeAll(async () => {
  url = await freshUrl('postgres')
  server = postgres(url, { max: 1, onnotice: () => undefined })
})
afterAll(() => server.end())

/** Ends all other connections to the database of this test file. */
const disconnectAll = () =>
  server`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`

/** The statements have no time limit here, so a forgotten statement hangs until the test times out. */
it('every statement ends when connections are lost, and later statements succeed', async () => {
  const { db, close } = await openDatabase(url)
  const outcomes: PromiseSettledResult<unknown>[] = []
  for (let round = 0; round < 90; round += 1) {
    const statements = Array.from({ length: 12 }, (_, n) => db.execute(sql`select ${n}::int as n`))
    const [, ...ended] = await Promise.allSettled([round % 3 === 0 && disconnectAll(), ...statements])
    outcomes.push(...ended)
  }
  const failures = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  expect(failures.filter((error) => !isOutage(error))).toEqual([])
  expect(failures.length).toBeGreaterThan(0)
  expect(await db.execute(sql`select ${new Date(0)}::timestamptz as at`)).toHaveLength(1)
  await close()
})

it('a connection that is lost while the database is being closed is not replaced', async () => {
  const { db, close } = await openDatabase(url)
  const asleep = db.execute(sql`select pg_sleep(${60}::integer)`)
  asleep.catch(() => undefined)
  // The statement is being executed before its connection is ended.
  const isAsleep = () =>
    server`select from pg_stat_activity where datname = current_database() and query like '%pg_sleep%' and pid <> pg_backend_pid()`
  await expect.poll(async () => (await isAsleep()).length).toBe(1)
  const closed = close()
  await disconnectAll()
  await expect(asleep).rejects.toThrow()
  await closed
  await expect(db.execute(sql`select 1`)).rejects.toMatchObject({ cause: { code: 'CONNECTION_ENDED' } })
})
