// Typed parameters, among them JSON with characters that PostgreSQL cannot store, and rows that are read from written SQL.

import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  doublePrecision,
  jsonb as jsonbColumn,
  pgTable,
  text,
  timestamp,
} from 'drizzle-orm/pg-core'
import { afterAll, expect, it } from 'vitest'
import { z } from 'zod'
import { rows } from '../../src/db/client.ts'
import { asStored, columnsOf, jsonb, readRows } from '../../src/db/sql.ts'
import { freshDatabase } from '../support/database/database.ts'

const database = await freshDatabase()
afterAll(() => database.close())

const stored = async (value: unknown) => {
  const asked = sql`select ${jsonb(value)} as value`
  return (await rows(database.db, asked, z.object({ value: z.unknown() })))[0]?.value
}

it.each<[string, unknown, unknown?]>([
  ['texts', { a: ['кот 🐈', 'b "quoted" \\ \n'] }],
  ['NUL characters, which are removed', { a: 'x\0y', b: [['\0']] }, { a: 'xy', b: [['']] }],
  ['lone surrogates, which are replaced', { a: 'x\ud83dy' }, { a: 'x\ufffdy' }],
  ['the spelling of such characters, which stays', { a: '\\u0000 \\ud83d' }],
  ['JSON inside of JSON', { a: JSON.stringify({ b: 'кот "x"' }) }],
])('JSON is stored with %s', async (_, value, expected = value) => {
  expect(await stored(value)).toEqual(expected)
  expect(asStored(value)).toEqual(expected)
})

it('rows are read with exact values', async () => {
  const one = pgTable('one', {
    amount: bigint({ mode: 'bigint' }),
    chat: bigint({ mode: 'number' }),
    share: doublePrecision(),
    isOn: boolean('is_on'),
    words: text(),
    facts: jsonbColumn(),
    began: timestamp({ withTimezone: true }),
    ended: timestamp({ withTimezone: true }),
  })
  const values = sql`
    select 9007199254740993::bigint as amount, -1002147483648::bigint as chat, 0.1::double precision as share, true as is_on,
      'кот' as words, '{"a": [1, null]}'::jsonb as facts, '1969-12-31 23:59:59.999+00'::timestamptz as began,
      null::timestamptz as ended`
  const read = sql`with made as (${values}) select ${columnsOf(one, 'made')} from made`
  expect(await readRows(database.db, one, read)).toEqual([
    {
      amount: 9007199254740993n,
      chat: -1002147483648,
      share: 0.1,
      isOn: true,
      words: 'кот',
      facts: { a: [1, null] },
      began: new Date(-1),
      ended: null,
    },
  ])
})
