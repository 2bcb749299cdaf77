// Old rows are deleted in batches with pauses.

import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { messageNotes } from '../../src/db/schema.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import { deleteOldNotes } from '../../src/telegram/message-notes.ts'
import { freshDatabase, type TestDatabase } from '../support/database/database.ts'

const now = new Date('2026-11-21T12:00:00Z')

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
  await database.db.execute(sql`insert into users (telegram_id, created_at) values (1, now())`)
})
afterAll(() => database.close())

it('old rows are deleted in batches of 5000, and newer rows stay; those that are left at a stop are deleted later', async () => {
  const { db } = database
  const left = () => db.$count(messageNotes)
  const pausing = (paused: () => void): Clock => ({ now: () => now, wait: async () => paused() })
  // Half of the old rows have the same time.
  await db.execute(sql`
    insert into message_notes (chat_id, message_id, user_id, kind, about, created_at)
    select 1, n, 1, 'card', '{}', ${now.toISOString()}::timestamptz
      - case when n > 11000 then interval '1 day' when n % 2 = 0 then interval '40 days' else n * interval '1 second' + interval '31 days' end
    from generate_series(1, 11003) n`)
  const stopping = new AbortController()
  await deleteOldNotes({ db, clock: pausing(() => stopping.abort()) }, stopping.signal)
  expect(await left()).toBe(6003)
  let pauses = 0
  const count = () => {
    pauses += 1
  }
  await deleteOldNotes({ db, clock: pausing(count) })
  expect([await left(), pauses]).toEqual([3, 1])
})
