// Readers of rows give the same values as the queries of Drizzle, on both engines.

import { getColumns, sql } from 'drizzle-orm'
import { bigint, doublePrecision, pgTable, smallint } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { flag, joined, readRows, rowReader } from '../../src/db/row-reader.ts'
import {
  artifacts,
  drafts,
  generations,
  quotes,
  transfers,
  turns,
  updates,
  users,
} from '../../src/db/schema.ts'
import { createWorld, type GenerationWorld, order, userWith } from '../support/worlds/generations.ts'

const tables = { artifacts, drafts, generations, quotes, transfers, turns, updates, users }

describe.each(['postgres', 'pglite'] as const)('on %s', (engine) => {
  let world: GenerationWorld
  beforeAll(async () => {
    world = await createWorld(engine)
    await order(world, await userWith(world, 500_00n))
  })
  afterAll(() => world.close())

  it.each(Object.entries(tables))('the rows of %s are those of Drizzle', async (_, table) => {
    const { db } = world.deps
    const reader = rowReader(getColumns(table))
    const read = await readRows(db, sql`select ${reader.columnsOf('one')} from ${table} one`, reader)
    expect(read.map(([row]) => row)).toEqual(await db.select().from(table))
  })

  it('there are rows of orders to compare', async () => {
    for (const table of [generations, quotes, drafts, transfers, users])
      expect(await world.deps.db.$count(table)).toBeGreaterThan(0)
  })

  it('large amounts, small fractions, times before 1970 and nulls are exact', async () => {
    const one = pgTable('one', {
      amount: bigint({ mode: 'bigint' }),
      chatId: bigint({ mode: 'number' }),
      share: doublePrecision(),
    })
    const { createdAt, settledAt } = generations
    const reader = rowReader({ ...getColumns(one), createdAt, settledAt })
    const statement = sql`
      select 9007199254740993::bigint, -1002147483648::bigint, 0.1::double precision,
        '1969-12-31 23:59:59.999+00'::timestamptz, null::timestamptz`
    expect(await readRows(world.deps.db, statement, reader)).toEqual([
      [
        {
          amount: 9007199254740993n,
          chatId: -1002147483648,
          share: 0.1,
          createdAt: new Date(-1),
          settledAt: null,
        },
      ],
    ])
  })

  it('flags and the missing side of an outer join are read', async () => {
    const { id, chatId } = generations
    const statement = sql`select true, null::text, null::bigint, false, 'one', 2::bigint`
    const reader = joined(rowReader({ id, chatId }))
    expect(await readRows(world.deps.db, statement, flag, reader, flag, reader)).toEqual([
      [true, undefined, false, { id: 'one', chatId: 2 }],
    ])
  })

  it('a statement with more values than are read is refused', async () => {
    await expect(readRows(world.deps.db, sql`select true, true`, flag)).rejects.toThrow('read the whole row')
  })
})

it('a column of an unknown type is refused', () => {
  const { age } = getColumns(pgTable('one', { age: smallint() }))
  expect(() => rowReader({ age })).toThrow('the column age has a type that readers know')
})
