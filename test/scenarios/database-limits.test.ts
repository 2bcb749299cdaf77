// Limits of PostgreSQL in the middle of orders: no free connections, a restart, a full disk. Every order that was begun is delivered
// later, once, at its shown price.

import { randomBytes } from 'node:crypto'
import { isNull } from 'drizzle-orm'
import postgres, { type Sql } from 'postgres'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { updates } from '../../src/db/schema.ts'
import { audit } from '../../src/ledger/audit.ts'
import { freshUrl } from '../support/database/database.ts'
import { openSandbox, type TestSandbox } from '../support/users/sandbox.ts'
import type { SandboxUser } from '../support/users/user.ts'

/** A role of its own, because connection limits do not apply to the superuser that other tests use. */
const role = `limited_${randomBytes(6).toString('hex')}`
let sandbox: TestSandbox
/** A connection of the superuser. */
let server: Sql

beforeAll(async () => {
  const url = new URL(await freshUrl('postgres'))
  server = postgres(url.href, { max: 1, onnotice: () => undefined })
  await server.unsafe(`create role ${role} login; grant all on schema public, drizzle to ${role}`)
  await changeAll((table) => `alter table ${table} owner to ${role}`)
  url.username = role
  sandbox = await openSandbox('postgres', { DATABASE_URL: url.href, WELCOME_CREDIT: '500' })
})

afterAll(async () => {
  await sandbox.stop()
  await server.unsafe(`drop owned by ${role}; drop role ${role}`)
  await server.end()
})

/** Changes one table after the other: a transaction that locks several of them could wait for a statement of the app that waits for it. */
async function changeAll(statement: (table: string) => string): Promise<void> {
  const tables = await server`select schemaname || '.' || tablename as name from pg_tables
    where schemaname in ('public', 'drizzle')`
  for (const { name } of tables) await server.unsafe(statement(String(name)))
}

const allow = (connections: number) => server.unsafe(`alter role ${role} connection limit ${connections}`)
const disconnectAll = () =>
  server`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${role}`

const order = (user: SandboxUser) => user.sends('/image a cat surfing')
const confirm = async (user: SandboxUser) => {
  await user.sees('Price:')
  await user.taps(/^Generate · /)
}

/**
 * Orders, and waits for all updates before the tap. An update that the disturbance interrupts is handled again after it, and a repeated
 * `/image` would send another card than the tapped one.
 */
async function orderAndConfirm(user: SandboxUser): Promise<void> {
  await order(user)
  await user.sees('Price:')
  const isUndone = isNull(updates.doneAt)
  await expect.poll(() => sandbox.app.db.$count(updates, isUndone), { timeout: 60_000 }).toBe(0)
  await confirm(user)
}

/** Checks that the result was delivered once and that the ledger is consistent. */
async function isServed(user: SandboxUser): Promise<void> {
  await user.sees((message) => message.photo !== undefined)
  const photos = (await user.chat()).filter(({ photo }) => photo !== undefined)
  expect(photos).toHaveLength(1)
  expect(await audit(sandbox.app.db)).toEqual([])
}

afterEach(() => allow(-1))

it('the app serves many users at once with fewer connections than it asks for', async () => {
  await allow(3)
  await disconnectAll()
  const people = await Promise.all(Array.from({ length: 8 }, (_, n) => sandbox.user(`Person ${n}`)))
  await Promise.all(people.map(order))
  await Promise.all(people.map(confirm))
  await Promise.all(people.map(isServed))
})

it('a restart of PostgreSQL and a lack of connections delay orders and commands without losing them', async () => {
  const [anna, boris] = [await sandbox.user('Anna'), await sandbox.user('Boris')]
  await orderAndConfirm(anna)
  await allow(0)
  await disconnectAll()
  await order(boris)
  await sandbox.get('/api/gateway/account')
  await allow(-1)
  await confirm(boris)
  await isServed(anna)
  await isServed(boris)
})

it('a full disk delays orders and commands without losing them, and reading still works', async () => {
  const [anna, boris] = [await sandbox.user('Anna'), await sandbox.user('Boris')]
  await orderAndConfirm(anna)
  await server.unsafe(`create function disk_is_full() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`)
  await changeAll(
    (table) =>
      `create trigger full_disk before insert or update or delete on ${table} for each statement execute function disk_is_full()`,
  )
  await order(boris)
  expect(await audit(sandbox.app.db)).toEqual([])
  await changeAll((table) => `drop trigger full_disk on ${table}`)
  await server.unsafe('drop function disk_is_full')
  await confirm(boris)
  await isServed(anna)
  await isServed(boris)
})
