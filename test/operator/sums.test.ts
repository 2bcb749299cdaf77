// Sums of the gauges: every row is counted once, however often they are read, and old rows are not read again.

import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSums } from '../../src/operator/sums.ts'
import { freshDatabase, type TestDatabase } from '../support/database/database.ts'
import { handClock } from '../support/runtime/clock.ts'

const hourMs = 60 * 60_000

describe('sums', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await freshDatabase()
    await run(`insert into users (telegram_id, created_at) values (1, now())`)
    await run(`insert into accounts (kind, owner_id, created_at) values ('user', 1, now())`)
  })
  afterAll(() => database.close())

  const run = (text: string) => database.db.execute(sql.raw(text))
  let key = 0
  const give = (amount: number, at: Date) => {
    key += 1
    return run(`insert into transfers (key, kind, user_id, debit, credit, amount, created_at)
      values ('k${key}', 'promotion', 1, 'promotions', 'available', ${amount}, '${at.toISOString()}')`)
  }

  it('count every transfer once while hours pass, and read all of them anew after a day', async () => {
    const clock = handClock()
    const read = createSums({ db: database.db, clock })
    const account = async () => (await read()).money
    let sum = 0
    await give(1000, new Date(clock.now().getTime() - 48 * hourMs))
    sum += 1000
    for (let hour = 0; hour < 20; hour += 1) {
      await give(hour + 1, clock.now())
      sum += hour + 1
      expect(await account()).toEqual({ available: sum, promotions: -sum })
      clock.advance(hourMs)
    }
    await run(`update transfers set amount = amount + 5 where key = 'k1'`)
    expect(await account()).toEqual({ available: sum, promotions: -sum })
    clock.advance(5 * hourMs)
    expect(await account()).toEqual({ available: sum + 5, promotions: -sum - 5 })
  })

  it('have the current balances and users, and no generations when there are none', async () => {
    const read = createSums({ db: database.db, clock: handClock() })
    await run('update accounts set available = 70, held = 7')
    expect(await read()).toMatchObject({ balances: { available: 70, held: 7 }, users: 1, generations: {} })
  })
})
