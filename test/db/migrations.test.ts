// Migrations upgrade a database of an earlier schema and keep its data.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/db/client.ts'
import * as schema from '../../src/db/schema.ts'
import { audit } from '../../src/ledger/audit.ts'
import { freshUrl } from '../support/database/database.ts'
import { closing, columnsOf, connect, fill, fresh, names, upgrade } from '../support/database/old-database.ts'

describe('a database of an earlier schema', () => {
  it('is upgraded with its data, from the first schema and by the newest migration', async () => {
    await upgrade(1)
    await upgrade(names.length - 1)
  })

  it('has test data with every kind of transfer and every state', async () => {
    const url = await freshUrl('postgres')
    await using sql = closing(connect(url))
    await fill(sql.client)
    const told = async (column: string, table: string) => {
      const found = await sql.client.unsafe(`select distinct ${column} as one from ${table} order by 1`)
      return found.map(({ one }) => String(one))
    }
    expect(await told('kind', 'transfers')).toEqual([...schema.transferKinds].toSorted())
    expect(await told('state', 'generations')).toEqual([...schema.generationStates].toSorted())
    expect(await told('state', 'turns')).toEqual([...schema.turnStates].toSorted())
    const { db, close } = await openDatabase(url)
    expect(await audit(db)).toEqual([])
    await sql.client`update accounts set held = held + 1 where kind = 'user' and owner_id = 2`
    expect(await audit(db)).toHaveLength(1)
    await close()
  })
})

describe('the migrations', () => {
  it('create the tables of the schema in the code', async () => {
    await using sql = closing(connect(await freshUrl('postgres')))
    const found = (await columnsOf(sql.client)).map(({ table, name }) => `${table}.${name}`)
    const tables = Object.values<unknown>(schema).filter((one) => one instanceof PgTable)
    const known = tables.map((one) => getTableConfig(one))
    const columns = known.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`))
    expect(columns.toSorted()).toEqual(found.toSorted())
    const indexes = known.flatMap((one) => one.indexes.map((index) => index.config.name ?? ''))
    for (const index of indexes) expect(fresh.some((line) => line.includes(` INDEX ${index} ON `))).toBe(true)
  })

  /**
   * The previous version runs at the same time during an upgrade, and again after a rollback. Without an index it is only slower, no
   * version has a statement that relies on the unique key of `updates.seq`, and the constraint of balances is replaced by one that
   * refuses the same as long as nobody owes. The migration to accounts is the exception: it is refused while the previous version runs.
   */
  const harmless =
    /drop index if exists|drop constraint if exists "updates_seq_key"|drop constraint "balances_not_negative", add/gi
  it('only add to the schema, so that the previous version keeps working', async () => {
    for (const name of names.filter((one) => !one.endsWith('_accounts'))) {
      const text = await readFile(join(import.meta.dirname, '../../drizzle', name, 'migration.sql'), 'utf8')
      expect(text.replaceAll(harmless, ''), name).not.toMatch(
        /\b(drop|rename|alter column|set not null|truncate|delete from)\b/i,
      )
      const added = text.match(/add column .*/gi) ?? []
      expect(added.filter((line) => /not null/i.test(line) && !/default/i.test(line))).toEqual([])
    }
  })
})
