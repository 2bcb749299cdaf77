// Broadcasts: each user once, paced, paused, stopped, and taken over from a process that was killed. On a real PostgreSQL.

import { eq, inArray } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  audiences,
  broadcastRecipients,
  broadcasts,
  payments,
  topUps,
  users,
} from '../../../src/db/schema.ts'
import { countRecipients } from '../../../src/operator/audience.ts'
import {
  type Broadcast,
  type Copied,
  createBroadcast,
  createBroadcaster,
  findBroadcast,
  readReaction,
  readStart,
  type Settings,
  setBroadcast,
  stepBroadcast,
} from '../../../src/operator/broadcasts.ts'
import { dayMs, hourMs } from '../../../src/runtime/clock.ts'
import { randomIds } from '../../../src/runtime/ids.ts'
import { silentLog } from '../../../src/runtime/log.ts'
import type { Loop } from '../../../src/runtime/loop.ts'
import { leaseMs, queuePollMs } from '../../../src/runtime/queue-worker.ts'
import { ensureUser, localeFrom } from '../../../src/users/user.ts'
import { freshDatabase, type TestDatabase } from '../../support/database/database.ts'
import { handClock } from '../../support/runtime/clock.ts'
import { actionsOn, boss } from '../../support/worlds/operator.ts'

let clock = handClock()
let database: TestDatabase
let deps: { db: TestDatabase['db']; clock: typeof clock; ids: typeof randomIds }
const running: Loop[] = []

beforeAll(async () => {
  database = await freshDatabase()
})
beforeEach(async () => {
  clock = handClock()
  deps = { db: database.db, clock, ids: randomIds }
  await database.db.delete(broadcastRecipients)
  await database.db.delete(broadcasts)
  await database.db.update(users).set({ bannedAt: clock.now() })
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop()))
})
afterAll(() => database.close())

let telegramId = 7_000

async function people(count: number): Promise<number[]> {
  const made: number[] = []
  for (let at = 0; at < count; at += 1) {
    telegramId += 1
    made.push(telegramId)
    await ensureUser(database.db, { telegramId, languageCode: 'en' }, clock.now())
  }
  return made
}

const change = (one = 0, to: object) => database.db.update(users).set(to).where(eq(users.telegramId, one))

const untilAborted = (_: number, signal?: AbortSignal) =>
  new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()))

/** Creates a broadcast of a message in the operator's chat. */
const draft = () => createBroadcast(deps, { chatId: boss, messageId: 77 })
const start = (one: Broadcast) => stepBroadcast(deps, boss, one.id, 'start')
const set = async (one: Broadcast, to: Settings) => (await setBroadcast(deps, one.id, to)) ?? one
const reread = async (one: Broadcast) => (await findBroadcast(database.db, one.id)) ?? one

/** Creates a process that sends. `answers` are the outcomes of the first copies; all later copies succeed. */
function sender(
  answers: (Copied | Promise<Copied>)[] = [],
  onCopy: (to: number) => Promise<void> = async () => undefined,
  wait = clock.wait,
) {
  const copies: number[] = []
  const endings: Broadcast[] = []
  const end = Promise.withResolvers<Broadcast>()
  const broadcaster = createBroadcaster({
    ...deps,
    // Pauses of at most 40 ms, the pace between two messages, are skipped.
    clock: { ...clock, wait: (ms, signal) => (ms <= 40 ? Promise.resolve() : wait(ms, signal)) },
    log: silentLog,
    async copy(_, { telegramId: to }) {
      copies.push(to)
      await onCopy(to)
      return (await answers.shift()) ?? 'sent'
    },
    async ended(one) {
      endings.push(one)
      end.resolve(one)
    },
  })
  running.push(broadcaster)
  return { broadcaster, copies, endings, end: end.promise }
}

/** Starts the broadcast and a process that sends it. */
async function sending(one: Broadcast, ...of: Parameters<typeof sender>) {
  const made = sender(...of)
  await start(one)
  made.broadcaster.start()
  return made
}

it('a broadcast reaches each user once, in order, without banned and deleted ones, counts the unreachable and reports its end once', async () => {
  const everybody = await people(122)
  const [banned, forgotten] = [everybody.splice(60, 1)[0] ?? 0, everybody.splice(70, 1)[0] ?? 0]
  await change(banned, { bannedAt: clock.now() })
  await change(forgotten, { telegramId: null, forgottenAt: clock.now() })
  const one = await draft()
  expect(await countRecipients(deps, one)).toBe(120)
  const { broadcaster, copies, endings, end } = sender(['unreachable'])
  broadcaster.start()
  await start(one)
  broadcaster.nudge()
  expect(await end).toMatchObject({ state: 'done', sent: 119, failed: 1, doneAt: clock.now(), lease: null })
  expect(copies).toEqual(everybody)
  expect(endings).toHaveLength(1)
  expect(await actionsOn({ deps }, `broadcast:${one.id}`)).toMatchObject([
    { operatorId: boss, action: 'broadcast', details: { step: 'start' } },
  ])
})

it('a broadcast leaves out who switched news off, and can be for payers, newcomers or quiet users', async () => {
  const [first = 0, second = 0, third = 0] = await people(3)
  await database.db.update(users).set({ newsOffAt: clock.now() }).where(eq(users.telegramId, first))
  const counts = async () =>
    Promise.all(
      audiences.map(async (audience) => {
        const one = await draft()
        return countRecipients(deps, await set(one, { audience }))
      }),
    )
  expect(await counts()).toEqual([2, 0, 2, 0])
  const [payer] = await database.db.select().from(users).where(eq(users.telegramId, second))
  const paid = { provider: 'stars', chargeId: 'c1', credit: 100n, charge: 1n, currency: 'XTR' }
  const topUp = { id: 'topup00001', userId: payer?.id ?? 0n, createdAt: clock.now() }
  await database.db.insert(topUps).values({ ...topUp, ...paid })
  await database.db
    .insert(payments)
    .values({ ...paid, topUpId: topUp.id, userId: topUp.userId, createdAt: clock.now() })
  clock.advance(15 * 24 * 60 * 60_000)
  expect(await counts()).toEqual([2, 1, 2, 2])
  const one = await draft()
  await set(one, { audience: 'payers' })
  const { broadcaster, copies, end } = sender()
  broadcaster.start()
  await start(one)
  expect(await setBroadcast(deps, one.id, { audience: 'all' })).toBeUndefined()
  broadcaster.nudge()
  await end
  expect(copies).toEqual([second])
  expect(copies).not.toContain(third)
})

it('a broadcast waits as long as Telegram asks, and repeats the same message', async () => {
  const [first, second] = await people(2)
  const one = await draft()
  const { copies, end } = await sending(one, [{ again: 'later', afterMs: 34_000 }])
  await clock.asked(34_000)
  expect(copies).toEqual([first])
  clock.advance(34_000)
  await end
  expect(copies).toEqual([first, first, second])
  expect(await reread(one)).toMatchObject({ sent: 2, failed: 0 })
})

it('a broadcast stops when the message to copy was deleted', async () => {
  await people(3)
  const { copies, end } = await sending(await draft(), ['sent', 'no-source'])
  expect(await end).toMatchObject({ state: 'stopped', sent: 1, failed: 0 })
  expect(copies).toHaveLength(2)
})

it('a broadcast is paused and continues where it was', async () => {
  const everybody = await people(5)
  const one = await draft()
  const { broadcaster, copies, end } = await sending(one, [], async (to) => {
    if (to === everybody[2]) await stepBroadcast(deps, boss, one.id, 'pause')
  })
  await expect.poll(() => reread(one)).toMatchObject({ state: 'paused', sent: 3, lease: null })
  expect(await stepBroadcast(deps, boss, one.id, 'pause')).toBe(false)
  await start(one)
  broadcaster.nudge()
  await end
  expect(copies).toEqual(everybody)
})

it('a broadcast does not continue after it was stopped', async () => {
  await people(2)
  const one = await draft()
  expect(await stepBroadcast(deps, boss, one.id, 'stop')).toBe(true)
  expect(await start(one)).toBe(false)
  const { broadcaster, copies } = sender()
  broadcaster.start()
  await clock.asked(queuePollMs)
  expect(copies).toEqual([])
})

it('a broadcast is taken over from a process that was killed, repeating at most one message', async () => {
  const everybody = await people(6)
  const one = await draft()
  const frozen = Promise.withResolvers<Copied>()
  const third = Promise.withResolvers<void>()
  const onThird = async (to: number) => {
    if (to === everybody[2]) third.resolve()
  }
  // The timers of this process never fire, so it does not renew its lease.
  const dead = await sending(one, ['sent', 'sent', frozen.promise], onThird, untilAborted)
  await third.promise
  const heir = sender()
  heir.broadcaster.start()
  // No other process claims the broadcast before the lease ends.
  await clock.asked(queuePollMs)
  expect(heir.copies).toEqual([])
  clock.advance(leaseMs + 1000)
  heir.broadcaster.nudge()
  await heir.end
  expect(heir.copies).toEqual(everybody.slice(2))
  // The first process resumes: its lease is lost, so it changes nothing.
  frozen.resolve('sent')
  await dead.broadcaster.stop()
  expect(dead.copies).toHaveLength(3)
  expect(await reread(one)).toMatchObject({
    state: 'done',
    sent: 6,
    failed: 0,
    lastUserId: expect.any(BigInt),
  })
})

it('a broadcast is finished by the next process when the app is stopped, without repeated messages', async () => {
  const everybody = await people(4)
  const one = await draft()
  const middle = Promise.withResolvers<void>()
  const first = await sending(one, [], async (to) => {
    if (to === everybody[1]) middle.resolve()
  })
  await middle.promise
  await first.broadcaster.stop()
  expect(await reread(one)).toMatchObject({ state: 'running', sent: 2, lease: null })
  const second = sender()
  second.broadcaster.start()
  await second.end
  expect([...first.copies, ...second.copies]).toEqual(everybody)
})

it('a broadcast can be for one language, one source and any number of quiet days', async () => {
  // What Telegram says of the person, and what the person has chosen.
  const spoken = 'uk ru-RU de/ru de/xx - ru/en be'.split(' ').map((one) => one.split('/'))
  const ids = await people(spoken.length)
  for (const [at, [told, language = null]] of spoken.entries())
    await change(ids[at], {
      telegramLanguage: told === '-' ? null : told,
      language,
      source: at < 4 ? 'blog' : null,
    })
  const reached = async (to: Settings) => {
    const { copies, broadcaster, end } = await sending(await set(await draft(), to))
    await end
    await broadcaster.stop()
    return copies.map((id) => ids.indexOf(id))
  }
  const all = await database.db.select().from(users).where(inArray(users.telegramId, ids))
  const speak = (locale: string) =>
    all.filter((one) => localeFrom(one) === locale).map((one) => ids.indexOf(one.telegramId ?? 0))
  expect(speak('ru').toSorted()).toEqual([0, 1, 2, 6])
  expect(await reached({ language: 'ru' })).toEqual([0, 1, 2, 6])
  expect(await reached({ language: 'en' })).toEqual(speak('en').toSorted())
  expect(await reached({ source: 'blog' })).toEqual([0, 1, 2, 3])
  expect(await reached({ source: 'direct', language: 'en' })).toEqual([4, 5])
  clock.advance(3 * dayMs)
  expect(await reached({ audience: 'quiet', quietDays: 2 })).toHaveLength(7)
  expect(await countRecipients(deps, await set(await draft(), { audience: 'quiet', quietDays: 4 }))).toBe(0)
})

it('a scheduled broadcast starts once at its time, whichever process is first, for those who came before, and not once it has passed', async () => {
  const early = await people(3)
  const startAt = new Date(clock.now().getTime() + hourMs)
  const one = await set(await draft(), { startAt })
  await start(one)
  expect(await reread(one)).toMatchObject({ state: 'scheduled', startedAt: null })
  const comesLate = async () => {
    clock.advance(1000)
    await people(1)
  }
  const senders = [sender([], comesLate), sender([], comesLate), sender([], comesLate)]
  for (const { broadcaster } of senders) broadcaster.start()
  const stepped = await stepBroadcast(deps, boss, one.id, 'edit')
  expect([stepped, (await reread(one)).state]).toEqual([true, 'draft'])
  await start(one)
  clock.advance(hourMs - 1)
  const before = await people(1)
  for (const { broadcaster } of senders) broadcaster.nudge()
  await clock.asked(queuePollMs)
  expect(senders.flatMap(({ copies }) => copies)).toEqual([])
  clock.advance(1)
  for (const { broadcaster } of senders) broadcaster.nudge()
  const ended = await Promise.race(senders.map(({ end }) => end))
  expect(ended).toMatchObject({ state: 'done', sent: 4, startedAt: startAt })
  expect(senders.flatMap(({ copies }) => copies)).toEqual([...early, ...before])
  expect(await start(await set(await draft(), { startAt: clock.now() }))).toBe(false)
})

it('what people do within a day after a broadcast is counted, and nothing that came before or later', async () => {
  const [first = 0, second = 0] = await people(3)
  const one = await draft()
  await (await sending(one, ['sent', 'sent', 'unreachable'])).end
  const none = { switchedOff: 0, orders: 0, people: 0 }
  expect(await readReaction(database.db, one.id)).toEqual(none)
  await change(first, { newsOffAt: new Date(clock.now().getTime() + dayMs) })
  await change(second, { newsOffAt: new Date(clock.now().getTime() + dayMs - 1) })
  expect(await readReaction(database.db, one.id)).toEqual({ ...none, switchedOff: 1 })
})

it('the recipients of a broadcast are deleted when another one ends a month later', async () => {
  await people(1)
  const [old, one] = [await draft(), await draft()]
  const { broadcaster } = await sending(old)
  const reached = async () =>
    (await database.db.select().from(broadcastRecipients)).map(({ broadcastId }) => broadcastId)
  await expect.poll(reached).toEqual([old.id])
  await expect.poll(() => reread(old)).toMatchObject({ state: 'done' })
  clock.advance(31 * dayMs)
  await start(one)
  broadcaster.nudge()
  await expect.poll(reached).toEqual([one.id])
})

it('the time of a start is read as operators write it, in their time zone, and lies within a year', () => {
  const rows = {
    '15:30': '2026-11-28T12:30Z',
    '9:00': '2026-11-29T06:00Z',
    '1.1, 00:05': '2026-12-31T21:05Z',
    '2026-12-01 10:00': '2026-12-01T07:00Z',
    '27.11 15:30': 'outside',
    '2026-11-28 12:00': 'outside',
    '2027-11-28 12:00': 'outside',
    '30.02 10:00': undefined,
    tomorrow: undefined,
  }
  // At noon in Moscow.
  const read = Object.keys(rows).map((typed) => {
    const found = readStart(typed, new Date('2026-11-28T09:00:00Z'), 'Europe/Moscow')
    return [typed, found instanceof Date ? found.toISOString().replace(':00.000Z', 'Z') : found]
  })
  expect(Object.fromEntries(read)).toEqual(rows)
})
