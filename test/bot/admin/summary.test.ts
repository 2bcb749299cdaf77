// The daily summary: each operator gets it once a day in their language, from the hour in the settings on, also with several processes.

import { Api } from 'grammy'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSummaries } from '../../../src/bot/admin/summary.ts'
import { post } from '../../../src/ledger/ledger.ts'
import { deposit } from '../../../src/ledger/moves.ts'
import { randomIds } from '../../../src/runtime/ids.ts'
import { silentLog } from '../../../src/runtime/log.ts'
import { loadTexts } from '../../../src/texts.ts'
import { ensureUser } from '../../../src/users/user.ts'
import { freshDatabase, type TestDatabase } from '../../support/database/database.ts'
import { handClock } from '../../support/runtime/clock.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase('postgres')
})
afterAll(() => database.close())

const minute = 60_000
const hour = 60 * minute

it('comes once a day to each operator, and an hour later when nobody could be reached', async () => {
  const { db } = database
  // 15:00 in Moscow.
  const start = new Date('2026-11-21T12:00:00Z')
  const clocks = [handClock(start), handClock(start)]
  const yesterday = new Date(start.getTime() - 15 * hour - 1)
  const { user } = await ensureUser(db, { telegramId: 8, languageCode: 'en', name: 'Ann' }, yesterday)
  const paid = { provider: 'stars', chargeId: 'a', userId: user.id, credit: 100_00n, topUpId: 'a' }
  await post(db, deposit(paid), yesterday)
  const sent: string[] = []
  let isReachable = true
  const api = new Api('1:x')
  api.config.use(async (_, __, payload) => {
    if (!isReachable) throw new Error('unreachable')
    sent.push(`${Object(payload).chat_id}: ${Object(payload).text}`)
    return { ok: true, result: {} } as never
  })
  const operator = {
    ids: [7, 8],
    supportIds: [],
    supportRefundLimit: 0n,
    chat: undefined,
    contact: undefined,
    consentVersion: undefined,
    timeZone: 'Europe/Moscow',
  }
  const topUp = {
    min: 1n,
    max: 2n,
    vatCode: undefined,
    providers: [],
    bonusSteps: [],
    selfEmployed: undefined,
  }
  const deps = { db, api, log: silentLog, texts: loadTexts(), ids: randomIds }
  const processes = clocks.flatMap((clock) =>
    createSummaries({ ...deps, clock }, { operator: { ...operator, summaryHour: 16 }, topUp }),
  )
  for (const one of processes) one.start()
  /** How many messages come within this time. */
  const after = async (ms: number) => {
    const before = sent.length
    for (const clock of clocks) clock.advance(ms)
    for (const clock of clocks) await expect.poll(() => clock.isWaitedFor(minute)).toBe(true)
    return sent.length - before
  }
  expect([await after(59 * minute), await after(minute), await after(minute), await after(7 * hour)]).toEqual(
    [0, 2, 0, 0],
  )
  expect(sent.toSorted()).toEqual([
    expect.stringMatching(
      /^7: ☀️ .*20\.11\.2026.*\n.*Пришло: 1, из них заказали: 0, заплатили: 1\n.*Пополнения: 100\s₽/,
    ),
    expect.stringMatching(
      /^8: ☀️ .*20\.11\.2026.*\n.*Came: 1, of them ordered: 0, paid: 1\n.*Top-ups: ₽100\n/,
    ),
  ])
  // 23:01; the next summary is of the 21st, on which nothing happened.
  expect([await after(16 * hour), await after(hour), await after(hour)]).toEqual([0, 2, 0])
  expect(sent.at(-1)).toMatch(/21\.11\.2026[\s\S]*: 0, [\s\S]*: 0, [\s\S]*: 0/)
  isReachable = false
  expect(await after(23 * hour)).toBe(0)
  isReachable = true
  expect([await after(59 * minute), await after(2 * minute), await after(2 * hour)]).toEqual([0, 2, 0])
  for (const one of processes) await one.stop()
  expect(
    createSummaries(
      { ...deps, clock: handClock() },
      { operator: { ...operator, summaryHour: undefined }, topUp },
    ),
  ).toEqual([])
})
