// The pool of connections: each statement gets its own answer or fails, whatever happens to others and to the connections: lost ones, silent
// ones, a server that only reads, time limits. And passwords in addresses.

import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { afterAll, expect, it, vi } from 'vitest'
import { type OpenDatabase, openDatabase } from '../../src/db/client.ts'
import { isOutage } from '../../src/db/outage.ts'
import { usualConnections } from '../../src/db/pool.ts'
import { users } from '../../src/db/schema.ts'
import { systemClock as clock } from '../../src/runtime/clock.ts'
import { freshUrl } from '../support/database/database.ts'
import { openRelay } from '../support/database/relay.ts'
import { handClock } from '../support/runtime/clock.ts'

const url = await freshUrl('postgres')
const server = postgres(url, { max: 2, onnotice: () => undefined })
const open = await openDatabase(url, { clock })
afterAll(() => Promise.all([open.close(), server.end()]))

const many = (length: number) => Array.from({ length }, (_, n) => n)
const echo = (n: number) => open.db.execute(sql`select ${n}::integer as n`, 'objects')
/** Statements that succeeded with another answer than their own, and failures that are no outage. */
const mistaken = (outcomes: readonly PromiseSettledResult<readonly Record<string, unknown>[]>[]) =>
  outcomes.flatMap((one, n) => {
    if (one.status === 'rejected') return isOutage(one.reason) ? [] : [one.reason]
    return one.value[0]?.n === n ? [] : [{ n, got: one.value }]
  })

it('a connection has one statement at a time', async () => {
  const asleep = () =>
    open.db.execute(sql`select pg_backend_pid() as pid, pg_sleep(${0.05}::float)`, 'objects')
  const processes = await Promise.all(many(usualConnections).map(asleep))
  expect(new Set(processes.map(([row]) => row?.pid)).size).toBe(usualConnections)
})

it('a statement with a value that the driver cannot send fails alone', async () => {
  const values = [undefined, new Date(Number.NaN), Symbol('one')]
  const isWrong = (n: number) => n % 5 === 4
  const wrong = (n: number) => open.db.execute(sql`select ${sql.param(values[n % 3])}::text`, 'objects')
  const outcomes = await Promise.allSettled(many(60).map((n) => (isWrong(n) ? wrong(n) : echo(n))))
  const got = outcomes.map((one) => (one.status === 'fulfilled' ? one.value : 'refused'))
  expect(got).toEqual(many(60).map((n) => (isWrong(n) ? 'refused' : [{ n }])))
})

it('every statement ends when connections are lost, and later statements succeed', async () => {
  const disconnectAll = () =>
    server`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
  let failures = 0
  for (let round = 0; round < 6; round += 1) {
    const statements = many(40).map(echo)
    const [, outcomes] = await Promise.all([
      round % 2 === 0 && disconnectAll(),
      Promise.allSettled(statements),
    ])
    expect(mistaken(outcomes)).toEqual([])
    failures += outcomes.filter(({ status }) => status === 'rejected').length
  }
  expect(failures).toBeGreaterThan(0)
  expect(mistaken(await Promise.allSettled(many(40).map(echo)))).toEqual([])
})

/** Opens the database with an account that the server gives few connections. @param setLimit changes their number */
async function withFew(
  connections: number,
  work: (few: OpenDatabase, setLimit: (connections: number) => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const role = `few_${randomBytes(6).toString('hex')}`
  await server.unsafe(`create role ${role} login connection limit ${connections}`)
  await server.unsafe(`grant usage on schema drizzle to ${role}`)
  await server.unsafe(`grant select on all tables in schema drizzle to ${role}`)
  const few = await openDatabase(Object.assign(new URL(url), { username: role }).href, { clock })
  await work(few, (limit) => server.unsafe(`alter role ${role} connection limit ${limit}`))
  await few.close()
  await server.unsafe(`drop owned by ${role}`)
  await server.unsafe(`drop role ${role}`)
}

it('the app works with the connections that the server has, and with more when it has more', () =>
  withFew(3, async (few, setLimit) => {
    const ask = (n: number) => few.db.execute(sql`select pg_backend_pid() as pid, ${n}::integer`, 'objects')
    const processes = async () =>
      new Set((await Promise.all(many(60).map(ask))).map(([row]) => row?.pid)).size
    expect(await processes()).toBeLessThanOrEqual(3)
    await setLimit(20)
    expect(await processes()).toBeGreaterThan(3)
  }))

it('a statement that was the victim of a deadlock is sent again', async () => {
  await server`create table pairs (id integer primary key, times integer not null)`
  await server`insert into pairs values (1, 0), (2, 0)`
  // Each statement changes its first row, and the other one half a second later: within the time after which the server looks for deadlocks.
  const swap = (first: number, second: number) =>
    open.db.execute(sql`
      with mine as (update pairs set times = times + 1 where id = ${first}::integer returning pg_sleep(0.5)),
        ready as materialized (select count(*) as found from mine)
      update pairs set times = times + 1 from ready where id = ${second}::integer and found = 1`)
  await Promise.all([swap(1, 2), swap(2, 1)])
  expect((await server`select times from pairs`).map(({ times }) => times)).toEqual([2, 2])
  const met = server`select deadlocks > 0 as met from pg_stat_database where datname = current_database()`
  expect([...(await met)]).toEqual([{ met: true }])
})

it('a connection that is lost during its first query fails that query and does not end the process', async () => {
  const unheard: unknown[] = []
  const hear = (error: unknown) => unheard.push(error)
  process.on('unhandledRejection', hear)
  const relay = await openRelay(new URL(url))
  const { db, close } = await openDatabase(relay.url, { connections: 1 })
  const ask = () => db.execute(sql`select ${1}::integer as one`)
  await ask()
  relay.cutAll()
  for (let n = 0; n < 3; n += 1) {
    const failed: unknown = await ask().catch((error: unknown) => error)
    expect(isOutage(failed)).toBe(true)
  }
  relay.heal()
  await vi.waitFor(ask, { timeout: 25_000 })
  expect(unheard).toEqual([])
  process.off('unhandledRejection', hear)
  await close()
  relay.close()
})

it('a connection to a server that only reads now is replaced', async () => {
  const name = new URL(url).pathname.slice(1)
  const setting = 'default_transaction_read_only'
  const readOnly = (is: 'on' | 'off') =>
    server.unsafe(`set ${setting} = off; alter database ${name} set ${setting} = ${is}`)
  await readOnly('on')
  const { db, close } = await openDatabase(url)
  const write = () => db.execute(sql`create table if not exists written (id integer)`)
  const refused = await write().catch((error: unknown) => error)
  expect(refused).toMatchObject({ cause: { code: '25006' } })
  expect(isOutage(refused)).toBe(true)
  await readOnly('off')
  await write()
  await close()
})

it('a statement without a response fails after the time limit', async () => {
  const hand = handClock()
  const relay = await openRelay(new URL(url))
  const { db, close } = await openDatabase(relay.url, { clock: hand, connections: 1 })
  await db.execute(sql`select 1`)
  relay.fallSilent()
  for (const ask of [() => db.execute(sql`select ${1}::integer`), () => db.select().from(users)]) {
    const failed: Promise<unknown> = ask().catch((error: unknown) => error)
    // The limit is counted in ticks of a second.
    for (let seconds = 0; seconds <= 60; seconds += 1) {
      await new Promise(setImmediate)
      hand.advance(1000)
    }
    expect(isOutage(await failed)).toBe(true)
  }
  relay.cutAll()
  await close()
  relay.close()
})

it('a statement that the server canceled after its timeout counts as an outage', async () => {
  const { db, close } = await openDatabase(url, { connections: 1 })
  await db.execute(sql`set statement_timeout = 5`)
  const error: unknown = await db.execute(sql`select pg_sleep(10)`).catch((failed: unknown) => failed)
  expect(isOutage(error)).toBe(true)
  await close()
})

it('a password may contain a percent sign, written as %25', async () => {
  const { db, close } = await openDatabase(url.replace('postgres@', 'postgres:50%25-off%25@'))
  expect(await db.execute(sql`select 1 as one`, 'objects')).toEqual([{ one: 1 }])
  await close()
})
