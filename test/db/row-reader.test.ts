// Readers of rows give the same values as the queries of Drizzle, on both engines.

import { sql } from 'drizzle-orm'
import { bigint, doublePrecision, pgTable, timestamp } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
import { columnsOf, readRows } from '../../src/db/sql.ts'
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
    const read = await readRows(db, table, sql`select ${columnsOf(table, 'one')} from ${table} one`)
    expect(read).toEqual(await db.select().from(table))
  })

  it('there are rows of orders to compare', async () => {
    for (const table of [generations, quotes, drafts, transfers, users])
      expect(await world.deps.db.$count(table)).toBeGreaterThan(0)
  })

  it('large amounts, small fractions, times before 1970 and nulls are exact', async () => {
    const one = pgTable('one', {
      amount: bigint({ mode: 'bigint' }),
      chat: bigint({ mode: 'number' }),
      share: doublePrecision(),
      began: timestamp({ withTimezone: true }),
      ended: timestamp({ withTimezone: true }),
    })
    const statement = sql`
      select 9007199254740993::bigint as amount, -1002147483648::bigint as chat, 0.1::double precision as share,
        '1969-12-31 23:59:59.999+00'::timestamptz as began, null::timestamptz as ended`
    expect(await readRows(world.deps.db, one, statement)).toEqual([
      { amount: 9007199254740993n, chat: -1002147483648, share: 0.1, began: new Date(-1), ended: null },
    ])
  })
})
