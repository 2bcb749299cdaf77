// The tools beside the pool: nudges between processes, the synchronisation of clocks, the deletion of old rows, typed parameters (among them JSON
// with characters that PostgreSQL cannot store), and rows that are read from written SQL.

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
import { openDatabase, rows } from '../../src/db/client.ts'
import { notifyOver } from '../../src/db/nudges.ts'
import { messageNotes } from '../../src/db/schema.ts'
import { asStored, columnsOf, jsonb, readRows } from '../../src/db/sql.ts'
import { synchronise } from '../../src/db/upkeep.ts'
import { type AdjustableClock, type Clock, createSteadyClock } from '../../src/runtime/clock.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { deleteOldNotes } from '../../src/telegram/message-notes.ts'
import { freshDatabase, type TestDatabase } from '../support/database/database.ts'

const one = await freshDatabase()
const other = await openDatabase(one.url)
const { db } = one
afterAll(() => Promise.all([one.close(), other.close()]))

function heardBy({ nudges }: Pick<TestDatabase, 'nudges'>) {
  const heard: string[] = []
  const hear = (topic: 'updates' | 'notices' | 'stop') =>
    nudges.on(topic, (about) => heard.push(`${topic} ${about}`.trim()))
  for (const topic of ['updates', 'notices', 'stop'] as const) hear(topic)
  return heard
}

async function listeners(): Promise<number> {
  const listening = sql`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and query ilike 'listen%' and state = 'idle'`
  const [found] = await db.execute(listening, 'objects')
  return Number(found?.count)
}

it('nudges reach every process once, also the process that sends them', async () => {
  const [own, others] = [heardBy(one), heardBy(other)]
  await expect.poll(listeners).toBe(2)
  one.nudges.send('stop', 'turn')
  one.nudges.send('updates')
  await expect.poll(() => others).toEqual(['stop turn', 'updates'])
  // Notifications arrive in the order of their commits: a repetition of its own nudges would have come before this one.
  other.nudges.send('notices')
  await expect.poll(() => own).toEqual(['stop turn', 'updates', 'notices'])
})

it('nudges that come while others are being sent are sent together', async () => {
  const payloads: string[] = []
  const sent = Promise.withResolvers<void>()
  const send = (_channel: string, payload: string) => {
    payloads.push(payload)
    return sent.promise
  }
  const nudges = notifyOver(send, { listen: () => Promise.reject(new Error('nobody listens')) })
  nudges.send('updates')
  await expect.poll(() => payloads).toHaveLength(1)
  for (const kind of ['submit', 'deliver', 'submit']) nudges.send('generations', kind)
  sent.resolve()
  await expect.poll(() => payloads.slice(1)).toEqual([expect.stringContaining('deliver')])
  expect(payloads[1]).toContain('[["generations","submit"],["generations","deliver"]]')
})

const second = 1000

/** The clock of a machine whose time of day is wrong by `wrongMs`. */
const machine = (wrongMs: number): AdjustableClock =>
  createSteadyClock({ startedAt: Date.now() - performance.now() + wrongMs, elapsed: () => performance.now() })

it('clocks of machines that are wrong agree with the database after the synchronisation; small differences stay', async () => {
  for (const wrongMs of [45 * second, -45 * second, 5 * 3600 * second]) {
    const clock = machine(wrongMs)
    await synchronise(db, clock, silentLog)
    expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(2 * second)
  }
  const clock = machine(50)
  const adjusted: number[] = []
  await synchronise(db, { ...clock, adjust: (ms) => adjusted.push(ms) }, silentLog)
  expect(adjusted).toEqual([])
})

it('old rows are deleted in batches of 5000, and newer rows stay; those that are left at a stop are deleted later', async () => {
  const now = new Date('2026-11-21T12:00:00Z')
  await db.execute(sql`insert into users (telegram_id, created_at) values (1, now())`)
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

const stored = async (value: unknown) => {
  const asked = sql`select ${jsonb(value)} as value`
  return (await rows(db, asked, z.object({ value: z.unknown() })))[0]?.value
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
  const table = pgTable('one', {
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
  const read = sql`with made as (${values}) select ${columnsOf(table, 'made')} from made`
  expect(await readRows(db, table, read)).toEqual([
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
