// Lost database connections, statement timeouts, and passwords in addresses.

import { sql } from 'drizzle-orm'
import { expect, it, vi } from 'vitest'
import { openDatabase } from '../../src/db/client.ts'
import { isOutage } from '../../src/db/outage.ts'
import { users } from '../../src/db/schema.ts'
import { freshUrl } from '../support/database/database.ts'
import { openRelay } from '../support/database/relay.ts'
import { handClock } from '../support/runtime/clock.ts'

it('a connection that is lost during its first query fails that query and does not end the process', async () => {
  const unheard: unknown[] = []
  const hear = (error: unknown) => unheard.push(error)
  process.on('unhandledRejection', hear)
  const relay = await openRelay(new URL(await freshUrl('postgres')))
  const { db, close } = await openDatabase(relay.url)
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
  const url = await freshUrl('postgres')
  const server = await openDatabase(url)
  const name = new URL(url).pathname.slice(1)
  const setting = 'default_transaction_read_only'
  const readOnly = (is: 'on' | 'off') =>
    server.db.execute(sql.raw(`set ${setting} = off; alter database ${name} set ${setting} = ${is}`))
  await readOnly('on')
  const { db, close } = await openDatabase(url)
  const write = () => db.execute(sql`create table if not exists written (id integer)`)
  const refused = await write().catch((error: unknown) => error)
  expect(refused).toMatchObject({ cause: { code: '25006' } })
  expect(isOutage(refused)).toBe(true)
  await readOnly('off')
  await write()
  await close()
  await server.close()
})

it('a statement without a response fails after the time limit', async () => {
  const clock = handClock()
  const relay = await openRelay(new URL(await freshUrl('postgres')))
  const { db, close } = await openDatabase(relay.url, { clock })
  await db.execute(sql`select 1`)
  relay.fallSilent()
  for (const ask of [() => db.execute(sql`select ${1}::integer`), () => db.select().from(users)]) {
    const failed: Promise<unknown> = ask().catch((error: unknown) => error)
    // The limit is counted in ticks of a second.
    for (let seconds = 0; seconds <= 60; seconds += 1) {
      await new Promise(setImmediate)
      clock.advance(1000)
    }
    expect(isOutage(await failed)).toBe(true)
  }
  relay.cutAll()
  await close()
  relay.close()
})

it('a statement that the server canceled after its timeout counts as an outage', async () => {
  const { db, close } = await openDatabase(await freshUrl('postgres'), { connections: 1 })
  await db.execute(sql`set statement_timeout = 5`)
  const error: unknown = await db.execute(sql`select pg_sleep(10)`).catch((failed: unknown) => failed)
  expect(isOutage(error)).toBe(true)
  await close()
})

it('a password may contain a percent sign, written as %25', async () => {
  const url = (await freshUrl('postgres')).replace('postgres@', 'postgres:50%25-off%25@')
  const { db, close } = await openDatabase(url)
  expect(await db.execute(sql`select 1 as one`, 'objects')).toEqual([{ one: 1 }])
  await close()
})
