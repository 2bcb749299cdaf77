// The traits of the tables: the kinds of values in each column, by the state or the kind of the row.

import type { Sql } from 'postgres'
import { z } from 'zod'
import { tablesOf } from '../machine/tables.ts'
import { type Counter, kindsOf } from './traits.ts'

const row = z.record(z.string(), z.unknown())

export async function countTables(sql: Sql, counter: Counter): Promise<void> {
  for (const table of await tablesOf(sql)) {
    const found = await sql`select to_jsonb(t) as row from ${sql(table)} t`
    for (const one of found) counter.add(traitsOfRow(table, row.parse(one.row)))
  }
}

function* traitsOfRow(table: string, columns: z.infer<typeof row>): Generator<string> {
  const state = [columns.state, columns.kind].find((name) => typeof name === 'string')
  const of = `table ${table}${state === undefined ? '' : ` ${state}`}`
  yield of
  for (const kind of kindsOf(columns, '')) yield `${of}: ${kind}`
}
