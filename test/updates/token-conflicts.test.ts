// Two installations with one bot token: both detect the conflict, the younger one ends with an explanation, the other continues.

import { Api, GrammyError } from 'grammy'
import { afterEach, describe, expect, it } from 'vitest'
import { leaderLeases } from '../../src/db/schema.ts'
import { tokenCheck } from '../../src/operator/checks.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { silentLog } from '../../src/runtime/log.ts'
import type { Loop } from '../../src/runtime/loop.ts'
import { createPolling, createTokenConflicts, TokenShared } from '../../src/updates/polling.ts'
import { createWebhookWatch } from '../../src/updates/webhook.ts'
import { ensureUser } from '../../src/users/user.ts'
import { freshDatabase, type TestDatabase } from '../support/database/database.ts'
import { type HandClock, handClock } from '../support/runtime/clock.ts'

const minute = 60_000
const day = 24 * 60 * minute

const refused = (description: string, error_code = 409) =>
  new GrammyError('refused', { ok: false, error_code, description }, 'getUpdates', {})

interface Signal {
  addEventListener(type: 'abort', listener: () => void): void
}

/** A Telegram double: a new `getUpdates` request or a webhook ends the request that is waiting. */
function createTelegram() {
  let waiting: ((error: unknown) => void) | undefined
  let webhook = ''
  let isWithdrawn = false
  const isActive = "Conflict: can't use getUpdates method while webhook is active"

  const poll = async (signal: Signal | undefined) => {
    waiting?.(refused('Conflict: terminated by other getUpdates request'))
    if (webhook !== '') throw refused(isActive)
    await new Promise((_, reject) => {
      waiting = reject
      signal?.addEventListener('abort', () => reject(new Error('aborted')))
    })
  }
  const setWebhook = (url: string) => {
    webhook = url
    if (url !== '') waiting?.(refused(isActive))
  }
  const answer = async (method: string, payload: object, signal: Signal | undefined) => {
    if (isWithdrawn) throw refused('Unauthorized', 401)
    if (method === 'getUpdates') await poll(signal)
    if (method.endsWith('Webhook')) setWebhook('url' in payload ? String(payload.url) : '')
    return method === 'getWebhookInfo' ? { url: webhook } : true
  }
  const api = () => {
    const made = new Api('1:a')
    made.config.use(async (_prev, method, payload, signal) => {
      // The double knows the result type of each method; the generic type does not.
      return { ok: true, result: await answer(method, payload, signal) } as never
    })
    return made
  }
  const withdraw = () => {
    isWithdrawn = true
    waiting?.(refused('Unauthorized', 401))
  }
  return { api, webhook: () => webhook, withdraw }
}

type Telegram = ReturnType<typeof createTelegram>
interface Installation {
  readonly loop: Loop
  readonly database: TestDatabase
  readonly fatal: unknown[]
}

const opened: Installation[] = []
afterEach(async () => {
  for (const { loop, database } of opened.splice(0)) {
    await loop.stop()
    await database.close()
  }
})

/** @param ageMs time since its first user */
async function installation(
  telegram: Telegram,
  clock: HandClock,
  ageMs: number,
  url?: string,
): Promise<Installation> {
  const database = await freshDatabase('postgres')
  const came = new Date(clock.now().getTime() - ageMs)
  await ensureUser(database.db, { telegramId: 7, languageCode: 'en' }, came)
  const fatal: unknown[] = []
  const api = telegram.api()
  const deps = {
    api,
    db: database.db,
    clock,
    ids: randomIds,
    random: () => 0.5,
    log: silentLog,
    onFatal(error: unknown) {
      fatal.push(error)
      void loop.stop()
    },
  }
  const loop: Loop =
    url === undefined
      ? createPolling({ ...deps, types: ['message'], store: async () => undefined })
      : createWebhookWatch({
          ...deps,
          url,
          announce: async () => void (await api.setWebhook(url)),
        })
  loop.start()
  const one = { loop, database, fatal }
  opened.push(one)
  return one
}

/** Advances the clock in steps that are small enough for the pollers to repeat their requests. */
async function until(clock: HandClock, { database }: Installation, isSo: () => boolean | Promise<boolean>) {
  const begun = clock.now().getTime()
  while (!(await isSo())) {
    if (clock.now().getTime() - begun > 3 * 60 * minute)
      throw new Error('the condition did not hold within three hours')
    clock.advance(500)
    for (let looks = 0; looks < 5; looks += 1) await database.db.execute('select 1')
  }
}

const alarms = async ({ database }: Installation, clock: HandClock) =>
  (await tokenCheck(database.db, clock.now())).map(({ fact }) => fact)
const isFatal = ({ fatal }: Installation) => fatal.length > 0

it('conflicts that are reported at the same time end the process once', async () => {
  const { db, close } = await freshDatabase('postgres')
  const clock = handClock()
  const fatal: unknown[] = []
  const onFatal = (error: unknown) => void fatal.push(error)
  const conflicts = createTokenConflicts({ db, clock, random: () => 0.5, log: silentLog, onFatal }, 'polling')
  await conflicts.report()
  clock.advance(90_000)
  await Promise.all([conflicts.report(), conflicts.report()])
  expect(fatal).toEqual([expect.any(TokenShared)])
  await close()
})

it.each([
  ['three minutes apart count as one conflict, which ends the process when the tolerated time is over', 3, 1],
  ['further apart count as separate conflicts, which do not end the process', 3.1, 0],
])('conflicts that are %s', async (_, apart, ends) => {
  const { db, close } = await freshDatabase('postgres')
  const clock = handClock()
  await ensureUser(db, { telegramId: 7, languageCode: 'en' }, new Date(clock.now().getTime() - 10 * day))
  const fatal: unknown[] = []
  const onFatal = (error: unknown) => void fatal.push(error)
  const conflicts = createTokenConflicts({ db, clock, random: () => 0.5, log: silentLog, onFatal }, 'polling')
  for (let minutes = 0; minutes <= 20; minutes += apart) {
    await conflicts.report()
    clock.advance(apart * minute)
  }
  expect(fatal).toEqual(Array.from({ length: ends }, () => expect.any(TokenShared)))
  await close()
})

it('conflicts that return soon after others end the process soon, however long it ran without any before', async () => {
  const { db, close } = await freshDatabase('postgres')
  const clock = handClock()
  const fatal: unknown[] = []
  const onFatal = (error: unknown) => void fatal.push(error)
  const conflicts = createTokenConflicts({ db, clock, random: () => 0.5, log: silentLog, onFatal }, 'polling')
  for (const pause of [60, 4, 3]) {
    clock.advance(pause * minute)
    await conflicts.report()
  }
  expect(fatal).toEqual([])
  clock.advance(3 * minute)
  await conflicts.report()
  expect(fatal).toEqual([expect.any(TokenShared)])
  await close()
})

it.each([
  ['is our own', 'is left alone', 'https://bot.example/telegram', false],
  ['was replaced', 'is set again', 'https://other.example/telegram', true],
])('a webhook that %s is checked once a minute and %s', async (_, __, url, isSetAgain) => {
  const clock = handClock()
  const telegram = createTelegram()
  const api = telegram.api()
  await api.setWebhook(url)
  let looks = 0
  api.config.use((call, method, payload, signal) => {
    if (method === 'getWebhookInfo') looks += 1
    return call(method, payload, signal)
  })
  const { db, close } = await freshDatabase('postgres')
  const deps = { api, db, clock, random: () => 0.5, log: silentLog, onFatal: () => undefined }
  let announced = 0
  const announce = async () => {
    announced += 1
  }
  const loop = createWebhookWatch({
    ...deps,
    url: 'https://bot.example/telegram',
    announce,
  })
  loop.start()
  for (const minutes of [1, 2, 3]) {
    await expect.poll(() => clock.isWaitedFor(minute)).toBe(true)
    expect(looks).toBe(minutes)
    expect(announced).toBe(isSetAgain ? minutes : 0)
    clock.advance(minute)
  }
  await loop.stop()
  await close()
})

it('a webhook whose secret was replaced is set again, once for each time at which an update was refused', async () => {
  const clock = handClock()
  const url = 'https://bot.example/telegram'
  const refusals = [
    {},
    { last_error_date: 1, last_error_message: 'Connection refused' },
    { last_error_date: 2, last_error_message: 'Wrong response from the webhook: 401 Unauthorized' },
    { last_error_date: 2, last_error_message: 'Wrong response from the webhook: 401 Unauthorized' },
    { last_error_date: 3, last_error_message: 'Wrong response from the webhook: 401 Unauthorized' },
  ]
  const api = new Api('1:a')
  // The double knows the result type of each method; the generic type does not.
  api.config.use(async () => ({ ok: true, result: { url, ...refusals.shift() } }) as never)
  const { db, close } = await freshDatabase('postgres')
  const deps = { api, db, clock, random: () => 0.5, log: silentLog, onFatal: () => undefined }
  let announced = 0
  const announce = async () => {
    announced += 1
  }
  const loop = createWebhookWatch({ ...deps, url, announce })
  loop.start()
  const told: number[] = []
  for (const _ of [1, 2, 3, 4, 5]) {
    await expect.poll(() => clock.isWaitedFor(minute)).toBe(true)
    told.push(announced)
    clock.advance(minute)
  }
  expect(told).toEqual([0, 0, 1, 1, 2])
  expect(await tokenCheck(db, clock.now())).toEqual([])
  await loop.stop()
  await close()
})

describe('two installations that poll with one token', () => {
  it('the younger one ends with an explanation, the older one continues, and both detect the conflict at once', async () => {
    const clock = handClock()
    const telegram = createTelegram()
    const old = await installation(telegram, clock, 30 * day)
    clock.advance(10 * minute)
    expect(await alarms(old, clock)).toEqual([])
    const young = await installation(telegram, clock, 0)
    for (const one of [old, young])
      await until(clock, one, async () => (await alarms(one, clock)).includes('polling'))
    expect([old.fatal, young.fatal]).toEqual([[], []])
    await until(clock, old, () => isFatal(young))
    expect(young.fatal).toEqual([expect.any(TokenShared)])
    expect(String(young.fatal[0])).toMatch(/another installation uses the same BOT_TOKEN/)
    await until(clock, old, async () => (await alarms(old, clock)).length === 0)
    expect(old.fatal).toEqual([])
  })

  it('of the same age: the one that has run longer continues', async () => {
    const clock = handClock()
    const telegram = createTelegram()
    const first = await installation(telegram, clock, day)
    clock.advance(20 * minute)
    const copy = await installation(telegram, clock, day)
    await until(clock, first, () => isFatal(copy) || isFatal(first))
    expect([first.fatal, copy.fatal]).toEqual([[], [expect.any(TokenShared)]])
  })

  it('a conflict that is over ends no installation', async () => {
    const clock = handClock()
    const telegram = createTelegram()
    const one = await installation(telegram, clock, 0)
    for (let times = 0; times < 5; times += 1) {
      await one.database.db.delete(leaderLeases)
      const other = await installation(telegram, clock, 0)
      await until(clock, one, async () => (await alarms(one, clock)).length > 0)
      await other.loop.stop()
      clock.advance(5 * minute)
    }
    expect(one.fatal).toEqual([])
  })
})

describe('two installations with a webhook', () => {
  it('the younger one ends, and the older one sets its webhook again', async () => {
    const clock = handClock()
    const telegram = createTelegram()
    const old = await installation(telegram, clock, 30 * day, 'https://old.example/telegram')
    await until(clock, old, () => telegram.webhook().startsWith('https://old'))
    clock.advance(10 * minute)
    const young = await installation(telegram, clock, 0, 'https://young.example/telegram')
    await until(clock, old, () => isFatal(young) || isFatal(old))
    expect([old.fatal, young.fatal]).toEqual([[], [expect.any(TokenShared)]])
    await until(clock, old, () => telegram.webhook() === 'https://old.example/telegram')
  })
})

describe('one installation that polls and one with a webhook', () => {
  it.each([
    ['polls', undefined, 'https://young.example/telegram'],
    ['has a webhook', 'https://old.example/telegram', undefined],
  ])('the older one continues when it %s', async (_, oldUrl, youngUrl) => {
    const clock = handClock()
    const telegram = createTelegram()
    const old = await installation(telegram, clock, 30 * day, oldUrl)
    await until(clock, old, () => telegram.webhook() === (oldUrl ?? ''))
    clock.advance(10 * minute)
    const young = await installation(telegram, clock, 0, youngUrl)
    await until(clock, old, () => isFatal(young) || isFatal(old))
    expect([old.fatal, young.fatal]).toEqual([[], [expect.any(TokenShared)]])
    await until(clock, old, () => telegram.webhook() === (oldUrl ?? ''))
  })
})

it('a webhook that cannot be checked ends no process; a withdrawn token is reported once, however long the process takes to end', async () => {
  const clock = handClock()
  const api = new Api('1:a')
  const answers = [refused('Bad Gateway', 502), refused('Unauthorized', 401)]
  api.config.use(async () => {
    throw answers.shift() ?? refused('Unauthorized', 401)
  })
  const { db, close } = await freshDatabase('postgres')
  const fatal: unknown[] = []
  const onFatal = (error: unknown) => void fatal.push(error)
  const deps = { api, db, clock, random: () => 0.5, log: silentLog, onFatal }
  const announce = async () => undefined
  const loop = createWebhookWatch({
    ...deps,
    url: 'https://bot.example/telegram',
    announce,
  })
  loop.start()
  const told: number[] = []
  for (const _ of [1, 2, 3, 4]) {
    await expect.poll(() => clock.isWaitedFor(minute)).toBe(true)
    told.push(fatal.length)
    clock.advance(minute)
  }
  expect(told).toEqual([0, 1, 1, 1])
  await loop.stop()
  await close()
})

describe('a token that is withdrawn', () => {
  it.each([
    ['polling', undefined],
    ['a webhook', 'https://bot.example.com/updates'],
  ])('ends a process that receives updates by %s once, and names the setting', async (_, url) => {
    const clock = handClock()
    const telegram = createTelegram()
    const one = await installation(telegram, clock, 30 * day, url)
    clock.advance(5 * minute)
    expect(one.fatal).toEqual([])
    telegram.withdraw()
    await until(clock, one, () => isFatal(one))
    clock.advance(5 * minute)
    await one.database.db.execute('select 1')
    expect(one.fatal.map(String)).toEqual([expect.stringMatching(/no longer accepts BOT_TOKEN/)])
  })
})
