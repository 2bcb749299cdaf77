// Typed parameters: lists of values, and JSON with characters that PostgreSQL cannot store.

import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { rows } from '../../src/db/client.ts'
import { conversationStates } from '../../src/db/schema.ts'
import { asStored, isAnyOf, jsonb } from '../../src/db/sql.ts'
import { freshDatabase, type TestDatabase } from '../support/database/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())

describe('a list of values', () => {
  const { key } = conversationStates
  const found = (values: readonly string[]) =>
    database.db.select({ key }).from(conversationStates).where(isAnyOf(key, values)).orderBy(key)

  beforeAll(async () => {
    await database.db.execute(sql`
      insert into ${conversationStates} (key, value, updated_at)
      select 'key ' || n, '{}', now() from generate_series(1, 3000) n`)
  })

  it('finds the rows of the values, each once', async () => {
    expect(await found(['key 7', 'key 7', 'none', 'key 12'])).toEqual([{ key: 'key 12' }, { key: 'key 7' }])
    expect(await found([])).toEqual([])
  })

  it('is looked up by the index, also in a table of which the planner has no statistics', async () => {
    const statement = sql`explain select * from ${conversationStates} where ${isAnyOf(key, ['key 7'])}`
    const plan = await rows(database.db, statement, z.record(z.string(), z.string()))
    const text = plan.flatMap((line) => Object.values(line)).join('\n')
    expect(text).toContain('conversation_states_pkey')
    expect(text).not.toContain('Seq Scan')
  })
})

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
