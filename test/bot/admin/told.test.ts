// What operators are told without asking: the daily summary, the news of their group, and that the database takes no writes. The clock is
// moved by hand.

import { eq } from 'drizzle-orm'
import { Api } from 'grammy'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createGroupNews } from '../../../src/bot/admin/group.ts'
import { createSummaries, createWriteWatch } from '../../../src/bot/admin/outgoing.ts'
import { operatorTopics, payments, topUps, users } from '../../../src/db/schema.ts'
import { post } from '../../../src/ledger/ledger.ts'
import { deposit } from '../../../src/ledger/moves.ts'
import { hourMs, minuteMs } from '../../../src/runtime/clock.ts'
import { randomIds } from '../../../src/runtime/ids.ts'
import { silentLog } from '../../../src/runtime/log.ts'
import type { Loop } from '../../../src/runtime/loop.ts'
import { loadTexts } from '../../../src/texts.ts'
import { ensureUser } from '../../../src/users/user.ts'
import { freshDatabase, type TestDatabase } from '../../support/database/database.ts'
import { failing } from '../../support/database/failing.ts'
import { type HandClock, handClock } from '../../support/runtime/clock.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())
const running: Loop[] = []
afterEach(() => Promise.all(running.splice(0).map((one) => one.stop())))

/** A Telegram that records what it is asked for, as `method: chat/topic text`. */
function recorder() {
  const asked: string[] = []
  const telegram = { isReachable: true }
  const api = new Api('1:x')
  api.config.use(async (_, method, payload) => {
    if (!telegram.isReachable) throw new Error('unreachable')
    const { chat_id, message_thread_id, text, name } = Object(payload)
    asked.push(
      `${method}: ${[chat_id, message_thread_id].join('/').replace(/\/$/, '')} ${text ?? name ?? ''}`,
    )
    return { ok: true, result: { message_thread_id: asked.length } } as never
  })
  const deps = { api, log: silentLog, texts: loadTexts(), ids: randomIds, db: database.db }
  /** Starts the loops, whose clocks are moved together. @returns how many calls each of these times brings */
  const passes = async (clocks: readonly HandClock[], loops: readonly Loop[], idleMs: number) => {
    for (const one of loops) one.start()
    running.push(...loops)
    const idle = async () => {
      for (const clock of clocks) await expect.poll(() => clock.isWaitedFor(idleMs)).toBe(true)
    }
    await idle()
    return async (...times: number[]) => {
      const counts: number[] = []
      for (const ms of times) {
        const before = asked.length
        for (const clock of clocks) clock.advance(ms)
        await idle()
        counts.push(asked.length - before)
      }
      return counts
    }
  }
  return { asked, telegram, deps, passes }
}

const operator = {
  ...{ ids: [7, 8], supportIds: [], supportRefundLimit: 0n, chat: undefined, contact: undefined },
  ...{ consentVersion: undefined, timeZone: 'Europe/Moscow' },
}

it('the summary comes once a day to each operator, and an hour later when nobody could be reached', async () => {
  const { db } = database
  // 15:00 in Moscow.
  const start = new Date('2026-11-21T12:00:00Z')
  const clocks = [handClock(start), handClock(start)]
  const yesterday = new Date(start.getTime() - 15 * hourMs - 1)
  const { user } = await ensureUser(db, { telegramId: 8, languageCode: 'en', name: 'Ann' }, yesterday)
  const paid = { provider: 'stars', chargeId: 'a', userId: user.id, credit: 100_00n, topUpId: 'a' }
  await post(db, deposit(paid), yesterday)
  const { asked, telegram, deps, passes } = recorder()
  const limits = { min: 1n, max: 2n, vatCode: undefined, bonusSteps: [], selfEmployed: undefined }
  const config = (summaryHour: number | undefined) => ({
    operator: { ...operator, summaryHour },
    topUp: { ...limits, providers: [] },
  })
  const loops = clocks.flatMap((clock) => createSummaries({ ...deps, clock }, config(16)))
  const after = await passes(clocks, loops, minuteMs)
  expect(await after(59 * minuteMs, minuteMs, minuteMs, 7 * hourMs)).toEqual([0, 2, 0, 0])
  expect(asked.toSorted()).toEqual([
    expect.stringMatching(
      /^sendMessage: 7 ☀️ .*20\.11\.2026.*\n.*Пришло: 1, из них заказали: 0, заплатили: 1\n.*Пополнения: 100\s₽/,
    ),
    expect.stringMatching(
      /^sendMessage: 8 ☀️ .*20\.11\.2026.*\n.*Came: 1, of them ordered: 0, paid: 1\n.*Top-ups: ₽100\n/,
    ),
  ])
  // 23:01; the next summary is of the 21st, on which nothing happened.
  expect(await after(16 * hourMs, hourMs, hourMs)).toEqual([0, 2, 0])
  expect(asked.at(-1)).toMatch(/21\.11\.2026[\s\S]*: 0, [\s\S]*: 0, [\s\S]*: 0/)
  telegram.isReachable = false
  expect(await after(23 * hourMs)).toEqual([0])
  telegram.isReachable = true
  expect(await after(59 * minuteMs, 2 * minuteMs, 2 * hourMs)).toEqual([0, 2, 0])
  expect(createSummaries({ ...deps, clock: handClock() }, config(undefined))).toEqual([])
})

it('the group is told once of payments and newcomers, and its topics about people go with their data', async () => {
  const { db } = database
  const clocks = [handClock(), handClock()]
  const second = (later: number) => new Date((clocks[0]?.now().getTime() ?? 0) + later * 1000)
  await ensureUser(db, { telegramId: 20, languageCode: 'en', name: 'Early' }, second(-60))
  const { asked, deps, passes } = recorder()
  const chat = -100
  const loops = clocks.map((clock) => createGroupNews({ ...deps, clock, operator: { ...operator, chat } }))
  const after = await passes(clocks, loops, 10_000)
  const { user } = await ensureUser(db, { telegramId: 21, languageCode: 'en', name: 'F<red' }, second(1))
  const paid = { provider: 'stars', userId: user.id, credit: 100_00n, charge: 1n, currency: 'XTR' }
  await db.insert(topUps).values({ id: 'topup00021', createdAt: second(1), ...paid })
  const row = { ...paid, topUpId: 'topup00021', chargeId: 'c21', createdAt: second(2) }
  await db.insert(payments).values(row)
  expect(await after(10_000, 10_000)).toEqual([4, 0])
  expect(asked).toEqual([
    'createForumTopic: -100 👋 Новички',
    expect.stringMatching(/^sendMessage: -100\/1 👋 .*F&lt;red.* · .*#\d+/),
    'createForumTopic: -100 💳 Платежи',
    expect.stringMatching(/^sendMessage: -100\/3 💳 <b>\+100\s₽<\/b> · .*F&lt;red.*#\d+.* · stars$/),
  ])
  const topic = { chatId: chat, name: `user:${user.id}`, topicId: 77 }
  await db.insert(operatorTopics).values(topic)
  expect(await after(10_000)).toEqual([0])
  await db
    .update(users)
    .set({ forgottenAt: second(30) })
    .where(eq(users.id, user.id))
  expect(await after(10_000, 10_000)).toEqual([1, 0])
  expect(asked.at(-1)).toBe('deleteForumTopic: -100/77 ')
})

it('the operators are told after a minute without a write, once, and when writes succeed again', async () => {
  const clock = handClock()
  const { asked, deps, passes } = recorder()
  const watched = { ...deps, clock, db: failing(database.db, 8, /^insert$/) }
  const watch = createWriteWatch(watched, { role: 'worker', operator: { ids: [7] } })
  const after = await passes([clock], [watch], 15_000)
  expect(await after(...Array(9).fill(15_000))).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0])
  expect(asked).toEqual([
    expect.stringMatching(/^sendMessage: 7 🚨 Процесс «worker» уже 1 мин не может ничего записать .*\(cut\)/),
    'sendMessage: 7 ✅ Процесс «worker» снова пишет в базу данных, перерыв был 2 мин.',
  ])
})
