// Statements that share connections: each gets its own answer or fails, whatever happens to those that are sent with it.

import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Database, type OpenDatabase, openDatabase } from '../../src/db/client.ts'
import { isOutage } from '../../src/db/outage.ts'
import { freshUrl } from '../support/database/database.ts'
import { handClock } from '../support/runtime/clock.ts'

const clock = handClock()
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
const processOf = (n: number) =>
  open.db.execute(sql`select pg_backend_pid() as pid, ${n}::integer`, 'objects')

/** Statements that succeeded with another answer than their own, and failures that are no outage. */
const mistaken = (outcomes: readonly PromiseSettledResult<readonly Record<string, unknown>[]>[]) =>
  outcomes.flatMap((one, n) => {
    if (one.status === 'rejected') return isOutage(one.reason) ? [] : [one.reason]
    return one.value[0]?.n === n ? [] : [{ n, got: one.value }]
  })

it('statements of one moment are sent over three connections', async () => {
  await Promise.all(many(20).map(processOf))
  const processes = await Promise.all(many(20).map(processOf))
  expect(new Set(processes.map(([row]) => row?.pid)).size).toBe(3)
})

/** Begins statements that wait for `lock`; a statement begins when it is awaited. */
const waitFor = (db: Database, statements: number) =>
  Promise.all(many(statements).map(() => db.execute(sql`select pg_advisory_xact_lock_shared(${1}::bigint)`)))

/** @param work begins statements that wait for the lock, and returns them */
async function whileLocked(work: () => Promise<{ begun: Promise<unknown> }>): Promise<void> {
  const { begun } = await server.begin(async (lock) => {
    await lock`select pg_advisory_xact_lock(1)`
    return work()
  })
  await begun
}

it('other statements are answered while one waits for a lock', async () => {
  await Promise.all(many(50).map(echo))
  await whileLocked(async () => {
    const begun = waitFor(open.db, 1)
    await new Promise(setImmediate)
    clock.advance(50)
    expect(mistaken(await Promise.allSettled(many(100).map(echo)))).toEqual([])
    return { begun }
  })
})

it('further connections are used while many statements wait', async () => {
  const usual = await Promise.all(many(20).map(processOf))
  await whileLocked(async () => {
    const begun = waitFor(open.db, 24)
    await new Promise(setImmediate)
    clock.advance(50)
    const [row] = await processOf(0)
    expect(usual.map(([one]) => one?.pid)).not.toContain(row?.pid)
    return { begun }
  })
})

it('a long statement does not delay short ones', async () => {
  await Promise.all(many(20).map(echo))
  await whileLocked(async () => {
    const begun = waitFor(open.longDb, 3)
    expect(mistaken(await Promise.allSettled(many(100).map(echo)))).toEqual([])
    return { begun }
  })
})

it('each statement is answered or fails when a migration has changed the result of a prepared one', async () => {
  await server`create table shelf (label varchar(10))`
  await server`insert into shelf values ('a')`
  const read = (n: number) => open.db.execute(sql`select ${n}::integer as n, label from shelf`, 'objects')
  const mixed = () => Promise.allSettled(many(200).map((n) => (n % 3 === 0 ? read(n) : echo(n))))
  const failures: number[] = []
  for (const length of [20, 30, 40]) {
    expect(mistaken(await mixed())).toEqual([])
    await server.unsafe(`alter table shelf alter column label type varchar(${length})`)
    const outcomes = await mixed()
    expect(mistaken(outcomes)).toEqual([])
    failures.push(outcomes.filter(({ status }) => status === 'rejected').length)
    expect(mistaken(await mixed())).toEqual([])
  }
  expect(Math.max(...failures)).toBeGreaterThan(0)
  // Each connection that has prepared the earlier statement is closed once.
  await expect.poll(async () => (await mixed()).every(({ status }) => status === 'fulfilled')).toBe(true)
})

it.each([
  ['undefined', undefined],
  ['an invalid date', new Date(Number.NaN)],
  ['a symbol', Symbol('one')],
  ['a value that is no JSON', { amount: 1n }],
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

it('a transaction is refused', async () => {
  await expect(open.db.transaction(async () => undefined)).rejects.toThrow('a connection of its own')
  await open.longDb.transaction(async (change) => {
    expect(await change.execute(sql`select 1 as one`, 'objects')).toEqual([{ one: 1 }])
  })
})

it('every statement ends when connections are lost, and later statements succeed', async () => {
  const disconnectAll = () =>
    server`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
  let failures = 0
  for (let round = 0; round < 60; round += 1) {
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
    // One of the three is used by the check of the schema.
    expect(await processes()).toBeLessThan(3)
    await setLimit(20)
    clock.advance(5000)
    await new Promise(setImmediate)
    await processes()
    expect(await processes()).toBeGreaterThan(2)
  }))

it('short statements are sent over a connection for long ones when the server has no other, and the reverse', () =>
  withFew(1, async (few) => {
    // The only connection is that of the check of the schema, which is for long statements.
    const ask = (db: Database) =>
      Promise.all(many(6).map((n) => db.execute(sql`select ${n}::integer as n`, 'objects')))
    const answers = many(6).map((n) => [{ n }])
    // A statement that notices a refusal or a loss may fail; those after it use the connection that is left.
    const isAnswered = (db: Database) => expect.poll(() => ask(db).catch(() => undefined)).toEqual(answers)
    await isAnswered(few.db)
    await server`select pg_terminate_backend(pid) from pg_stat_activity where usename like 'few\\_%'`
    await isAnswered(few.db)
    await isAnswered(few.longDb)
    clock.advance(5000)
    await new Promise(setImmediate)
    await isAnswered(few.db)
    await isAnswered(few.longDb)
  }))
