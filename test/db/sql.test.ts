// Typed parameters: JSON with characters that PostgreSQL cannot store.

import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { rows } from '../../src/db/client.ts'
import { asStored, jsonb } from '../../src/db/sql.ts'
import { freshDatabase, type TestDatabase } from '../support/database/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())

describe('JSON', () => {
  const stored = async (value: unknown) => {
    const [row] = await rows(
      database.db,
      sql`select ${jsonb(value)} as value`,
      z.object({ value: z.unknown() }),
    )
    return row?.value
  }

  it.each<[string, unknown, unknown]>([
    ['texts', { a: ['кот 🐈', 'b "quoted" \\ \n'] }, { a: ['кот 🐈', 'b "quoted" \\ \n'] }],
    ['NUL characters, which are removed', { a: 'x\0y', b: [['\0']] }, { a: 'xy', b: [['']] }],
    ['lone surrogates, which are replaced', { a: 'x\ud83dy' }, { a: 'x\ufffdy' }],
    ['the spelling of such characters, which stays', { a: '\\u0000 \\ud83d' }, { a: '\\u0000 \\ud83d' }],
    ['JSON inside of JSON', { a: JSON.stringify({ b: 'кот "x"' }) }, { a: JSON.stringify({ b: 'кот "x"' }) }],
  ])('with %s', async (_, value, expected) => {
    expect(await stored(value)).toEqual(expected)
    expect(asStored(value)).toEqual(expected)
  })
})
