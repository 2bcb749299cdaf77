// Old rows are deleted in batches with pauses.

import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messageNotes } from '../../src/db/schema.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import { deleteOldNotes } from '../../src/telegram/message-notes.ts'
import { freshDatabase, type TestDatabase } from '../support/database/database.ts'

const now = new Date('2026-11-21T12:00:00Z')

describe('old rows', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await freshDatabase()
    await database.db.execute(sql`insert into users (telegram_id, created_at) values (1, now())`)
  })
  afterAll(() => database.close())

  /** Half of the old rows have the same time. */
  const fill = () =>
    database.db.execute(sql`
      insert into message_notes (chat_id, message_id, user_id, kind, about, created_at)
      select 1, n, 1, 'card', '{}', ${now.toISOString()}::timestamptz
        - case when n > 11000 then interval '1 day' when n % 2 = 0 then interval '40 days' else n * interval '1 second' + interval '31 days' end
      from generate_series(1, 11003) n`)
  const left = () => database.db.$count(messageNotes)
  const pausing = (paused: () => void): Clock => ({ now: () => now, wait: async () => paused() })

  it('are deleted in batches of 5000, and newer rows stay', async () => {
    await fill()
    const between: Promise<number>[] = []
    await deleteOldNotes({ db: database.db, clock: pausing(() => between.push(left())) })
    expect(await Promise.all(between)).toHaveLength(2)
    expect(await left()).toBe(3)
    await database.db.delete(messageNotes)
  })

  it('that are left at the stop of the process are deleted later', async () => {
    await fill()
    const stopping = new AbortController()
    await deleteOldNotes({ db: database.db, clock: pausing(() => stopping.abort()) }, stopping.signal)
    expect(await left()).toBe(6003)
    await deleteOldNotes({ db: database.db, clock: pausing(() => undefined) })
    expect(await left()).toBe(3)
  })
})
