// The pool of connections: each statement gets its own answer or fails, whatever happens to others and to the connections.

import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type OpenDatabase, openDatabase } from '../../src/db/client.ts'
import { isOutage } from '../../src/db/outage.ts'
import { usualConnections } from '../../src/db/pool.ts'
import { systemClock as clock } from '../../src/runtime/clock.ts'
import { freshUrl } from '../support/database/database.ts'

let url: string
let server: postgres.Sql
let open: OpenDatabase

beforeAll(async () => {
  url = await freshUrl('postgres')
  server = postgres(url, { max: 2, onnotice: () => undefined })
})
beforeEach(async () => {
  open = await openDatabase(url, { clock })
})
afterEach(() => open.close())
afterAll(() => server.end())

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

it('each statement is answered or fails when a migration has changed the result of a prepared one', async () => {
  await server`create table shelf (label varchar(10))`
  await server`insert into shelf values ('a')`
  const read = (n: number) => open.db.execute(sql`select ${n}::integer as n, label from shelf`, 'objects')
  const mixed = () => Promise.allSettled(many(200).map((n) => (n % 3 === 0 ? read(n) : echo(n))))
  for (const length of [20, 30, 40]) {
    expect(mistaken(await mixed())).toEqual([])
    await server.unsafe(`alter table shelf alter column label type varchar(${length})`)
    expect(mistaken(await mixed())).toEqual([])
  }
  expect((await mixed()).every(({ status }) => status === 'fulfilled')).toBe(true)
})

it.each([
  ['undefined', undefined],
  ['an invalid date', new Date(Number.NaN)],
  ['a symbol', Symbol('one')],
])('a statement with %s fails alone', async (_, value) => {
  await Promise.all(many(20).map(echo))
  const wrong = (n: number) => open.db.execute(sql`select ${n}::integer as n, ${sql.param(value)}::text`)
  const outcomes = await Promise.allSettled(
    many(60).map((n) =>
      n % 5 === 4
        ? wrong(n).then(
            () => 'sent',
            () => [{ n }],
          )
        : echo(n),
    ),
  )
  expect(outcomes.map((one) => (one.status === 'fulfilled' ? one.value : one.reason))).toEqual(
    many(60).map((n) => [{ n }]),
  )
})

it('a statement that the server refuses fails alone', async () => {
  const divide = (n: number) =>
    open.db.execute(sql`select ${n}::integer as n, 1 / (${n}::integer % 7 - 3)`, 'objects')
  for (let round = 0; round < 3; round += 1) {
    const outcomes = await Promise.allSettled(many(70).map(divide))
    for (const [n, { status }] of outcomes.entries())
      expect(status).toBe(n % 7 === 3 ? 'rejected' : 'fulfilled')
    expect(mistaken(outcomes.filter(({ status }) => status === 'fulfilled')).length).toBeGreaterThan(0)
  }
})

it.each(['timestamptz', 'bytea'])('a number in place of a %s fails its statement alone', async (type) => {
  const cast = (value: unknown, n: number) =>
    open.db.execute(sql`select ${n}::integer as n, ${value}::${sql.raw(type)}`, 'objects')
  const right = type === 'bytea' ? Buffer.from([1]) : '2026-11-25'
  for (let round = 0; round < 3; round += 1) {
    const outcomes = await Promise.allSettled(many(40).map((n) => cast(n % 10 === 3 ? 5 : right, n)))
    const refused = outcomes.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))
    expect(refused).toEqual([3, 13, 23, 33])
    expect(mistaken(outcomes).map(String)).toEqual(
      Array.from({ length: 4 }, () => expect.stringContaining('Failed query')),
    )
  }
})

it('more parameters than a statement may have fail it alone', async () => {
  const list = sql.join(
    many(65_536).map((n) => sql`${n}::integer`),
    sql`, `,
  )
  const outcomes = await Promise.allSettled([
    ...many(9).map(echo),
    open.db.execute(sql`select 9 as n where 1 in (${list})`, 'objects'),
    ...many(9).map(echo),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 9 }, () => 'fulfilled'),
    'rejected',
    ...Array.from({ length: 9 }, () => 'fulfilled'),
  ])
})

it('every statement ends when connections are lost, and later statements succeed', async () => {
  const disconnectAll = () =>
    server`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
  let failures = 0
  for (let round = 0; round < 20; round += 1) {
    const statements = many(40).map(echo)
    const [, outcomes] = await Promise.all([
      round % 3 === 0 && disconnectAll(),
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
    const processes = async () => {
      const found = await Promise.all(
        many(60).map((n) => few.db.execute(sql`select pg_backend_pid() as pid, ${n}::integer`, 'objects')),
      )
      return new Set(found.map(([row]) => row?.pid)).size
    }
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
  expect(await server`select id, times from pairs order by id`).toEqual([
    { id: 1, times: 2 },
    { id: 2, times: 2 },
  ])
  expect(
    await server`select deadlocks > 0 as met from pg_stat_database where datname = current_database()`,
  ).toEqual([{ met: true }])
})
