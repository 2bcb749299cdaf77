// The upgrade of a database of an earlier schema with rows in every table.

import { expect } from 'vitest'
import { openDatabase } from '../../../src/db/client.ts'
import { audit } from '../../../src/ledger/audit.ts'
import { freshUrl } from './database.ts'
import {
  closing,
  columnsOf,
  connect,
  contentsOf,
  emptyUrl,
  fill,
  migrateTo,
  migrationNames,
  schemaOf,
} from './old-database.ts'

export const names = await migrationNames()
/** The schema of this version. */
export const fresh = await (async () => {
  await using sql = closing(connect(await freshUrl('postgres')))
  return await schemaOf(sql.client)
})()

/** The tables whose rows are in `accounts` now; the audit compares these with the transfers. */
const moved = ['balances', 'wallets']

/** Upgrades a filled database of the schema after so many migrations; its rows, the audit and the schema are as expected afterwards. */
export async function upgrade(count: number): Promise<void> {
  const url = await emptyUrl()
  await using sql = closing(connect(url))
  const { client } = sql
  await migrateTo(client, names.slice(0, count))
  await fill(client)
  const columns = await columnsOf(client)
  const before = await contentsOf(client, columns)
  expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([])

  const { db, close } = await openDatabase(url)
  expect(await audit(db)).toEqual([])
  await close()
  const kept = columns.filter(({ table }) => !moved.includes(table))
  expect(await contentsOf(client, kept)).toEqual(
    Object.fromEntries(Object.entries(before).filter(([table]) => !moved.includes(table))),
  )
  expect(await schemaOf(client)).toEqual(fresh)
}
