// The statements that read large tables use the indexes that were made for them, and every index is used by a statement.
// Planned on a thousandth of a large database, without sequential scans; `test/bench/growth` measures the same statements on
// all of it.

import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/db/client.ts'
import { audit } from '../../src/ledger/audit.ts'
import { cases, depsOf } from '../bench/growth/cases.ts'
import { findRows } from '../bench/growth/found.ts'
import { type Observatory, openObservatory } from '../bench/growth/observe.ts'
import { seed } from '../bench/growth/seed.ts'
import { freshUrl } from '../support/database/database.ts'
import { connect } from '../support/database/old-database.ts'

let url: string
let sql: Sql
let observatory: Observatory

beforeAll(async () => {
  url = await freshUrl('postgres')
  sql = connect(url)
  await seed(sql, 0.001, () => undefined)
  observatory = await openObservatory(url, {
    settings: 'set enable_seqscan = off; set jit = off',
    isMeasured: false,
  })
})
afterAll(async () => {
  await observatory.close()
  await sql.end()
})

/** Used only on larger tables: with many waiting updates, or with more blocks than these tables have here. */
const onlyOnLargeTables = ['drafts_updated', 'quotes_created', 'turns_created']
/** Indexes of tables that stay small. */
const ofSmallTables = ['operator_actions_subject', 'wallets_of_owner', 'wallets_on']

describe('the indexes', () => {
  it.each(cases.filter(({ indexes }) => indexes))(
    'that were made for a statement are used by it: $name',
    async ({ run, before, indexes = [] }) => {
      const found = await findRows(sql)
      const observed = await observatory.observe(
        (db) => run({ ...found, deps: depsOf(db, found.now) }),
        before,
      )
      const used = new Set(observed.flatMap((one) => one.indexes))
      expect(indexes.filter((index) => !used.has(index))).toEqual([])
    },
  )

  it('are each used by a statement', async () => {
    const made = await sql<{ name: string }[]>`
      select indexname as name from pg_indexes
      where schemaname = 'public' and indexname not in (select conname from pg_constraint) order by 1`
    const used = new Set([
      ...cases.flatMap(({ indexes = [] }) => indexes),
      ...onlyOnLargeTables,
      ...ofSmallTables,
    ])
    expect(made.map(({ name }) => name).filter((name) => !used.has(name))).toEqual([])
  })
})

it('the seeded ledger passes the audit', async () => {
  const { db, close } = await openDatabase(url)
  expect(await audit(db)).toEqual([])
  await close()
})
