// Two installations with one bot token: both detect the conflict, the younger one ends with an explanation, the other continues.

import { Api, GrammyError } from 'grammy'
import { afterEach, describe, expect, it } from 'vitest'
import { leaderLeases } from '../../src/db/schema.ts'
import { tokenCheck } from '../../src/operator/checks.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { silentLog } from '../../src/runtime/log.ts'
import type { Loop } from '../../src/runtime/loop.ts'
import { createPolling, createTokenConflicts, TokenShared } from '../../src/updates/polling.ts'
import { createWebhookSecrets, createWebhookWatch } from '../../src/updates/webhook.ts'
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
  readonly loop: Pick<Loop, 'stop'>
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
          secrets: createWebhookSecrets(deps, 'own'),
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

/** The conflicts of an installation. @param ageMs time since its first user; undefined without one */
async function conflictsOf(ageMs?: number) {
  const database = await freshDatabase('postgres')
  const clock = handClock()
  if (ageMs !== undefined)
    await ensureUser(
      database.db,
      { telegramId: 7, languageCode: 'en' },
      new Date(clock.now().getTime() - ageMs),
    )
  const fatal: unknown[] = []
  const onFatal = (error: unknown) => void fatal.push(error)
  const deps = { db: database.db, clock, random: () => 0.5, log: silentLog, onFatal }
  opened.push({ loop: { stop: async () => undefined }, database, fatal })
  return { clock, fatal, conflicts: createTokenConflicts(deps, 'polling') }
}

it('conflicts that are reported at the same time end the process once', async () => {
  const { clock, fatal, conflicts } = await conflictsOf()
  await conflicts.report()
  clock.advance(90_000)
  await Promise.all([conflicts.report(), conflicts.report()])
  expect(fatal).toEqual([expect.any(TokenShared)])
})

it.each([
  ['three minutes apart count as one conflict, which ends the process when the tolerated time is over', 3, 1],
  ['further apart count as separate conflicts, which do not end the process', 3.1, 0],
])('conflicts that are %s', async (_, apart, ends) => {
  const { clock, fatal, conflicts } = await conflictsOf(10 * day)
  for (let minutes = 0; minutes <= 20; minutes += apart) {
    await conflicts.report()
    clock.advance(apart * minute)
  }
  expect(fatal).toEqual(Array.from({ length: ends }, () => expect.any(TokenShared)))
})

it('conflicts that return soon after others end the process soon, however long it ran without any before', async () => {
  const { clock, fatal, conflicts } = await conflictsOf()
  for (const pause of [60, 4, 3]) {
    clock.advance(pause * minute)
    await conflicts.report()
  }
  expect(fatal).toEqual([])
  clock.advance(3 * minute)
  await conflicts.report()
  expect(fatal).toEqual([expect.any(TokenShared)])
})

const ourUrl = 'https://bot.example/telegram'

/**
 * Watches a webhook for minutes.
 * @param answer of Telegram about the webhook, or an error that it throws
 * @returns after each minute how often the webhook was set, and how many errors ended the process; and the alarms
 */
async function watched(minutes: number, answer: () => object) {
  const clock = handClock()
  const api = new Api('1:a')
  // The double knows the result type of each method; the generic type does not.
  api.config.use(async () => ({ ok: true, result: answer() }) as never)
  const { db, close } = await freshDatabase('postgres')
  const [announced, fatal]: [number[], unknown[]] = [[], []]
  const onFatal = (error: unknown) => void fatal.push(error)
  const deps = { api, db, clock, random: () => 0.5, log: silentLog, onFatal }
  const loop = createWebhookWatch({
    ...deps,
    secrets: createWebhookSecrets(deps, 'own'),
    url: ourUrl,
    announce: async () => void announced.push(1),
  })
  loop.start()
  const [setAgain, ended]: [number[], number[]] = [[], []]
  for (let passed = 0; passed < minutes; passed += 1) {
    if (passed > 0) clock.advance(minute)
    await expect.poll(() => clock.isWaitedFor(minute)).toBe(true)
    setAgain.push(announced.length)
    ended.push(fatal.length)
  }
  await loop.stop()
  const alarms = await tokenCheck(db, clock.now())
  await close()
  return { setAgain, ended, alarms }
}

it.each([
  ['is our own', 'is left alone', ourUrl, [0, 0, 0]],
  ['was replaced', 'is set again', 'https://other.example/telegram', [1, 2, 3]],
])('a webhook that %s is checked once a minute and %s', async (_, __, url, times) => {
  let looks = 0
  const { setAgain } = await watched(3, () => {
    looks += 1
    return { url }
  })
  expect(setAgain).toEqual(times)
  expect(looks).toBe(3)
})

it('a webhook whose secret was replaced is set again, once for each time at which an update was refused', async () => {
  const refusedAt = (last_error_date: number) => ({
    last_error_date,
    last_error_message: 'Wrong response from the webhook: 401 Unauthorized',
  })
  const broken = { last_error_date: 1, last_error_message: 'Connection refused' }
  const told = [{}, broken, refusedAt(2), refusedAt(2), refusedAt(3)]
  const { setAgain, alarms } = await watched(5, () => ({ url: ourUrl, ...told.shift() }))
  expect(setAgain).toEqual([0, 0, 1, 1, 2])
  expect(alarms).toEqual([])
})

it('a webhook that cannot be checked ends no process; a withdrawn token is reported once, however long the process takes to end', async () => {
  const answers = [refused('Bad Gateway', 502)]
  const { ended } = await watched(4, () => {
    throw answers.shift() ?? refused('Unauthorized', 401)
  })
  expect(ended).toEqual([0, 1, 1, 1])
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
