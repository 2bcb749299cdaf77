// Two installations with one bot token: both detect the conflict, the younger one ends with an explanation, the other continues.

import { Api, GrammyError } from 'grammy'
import { afterEach, expect, it } from 'vitest'
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

/** @param ageMs time since its first user @param url its webhook; without one it polls */
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
  const onFatal = (error: unknown) => {
    fatal.push(error)
    void loop.stop()
  }
  const common = { ids: randomIds, random: () => 0.5, log: silentLog, onFatal }
  const deps = { ...common, api, db: database.db, clock }
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

/** Advances the clock in steps in which leases are renewed. */
async function until(clock: HandClock, { database }: Installation, isSo: () => boolean | Promise<boolean>) {
  const begun = clock.now().getTime()
  while (!(await isSo())) {
    if (clock.now().getTime() - begun > 3 * 60 * minute)
      throw new Error('the condition did not hold within three hours')
    clock.advance(2000)
    for (let looks = 0; looks < 3; looks += 1) await database.db.execute('select 1')
  }
}

const alarms = async ({ database }: Installation, clock: HandClock) =>
  (await tokenCheck(database.db, clock.now())).map(({ fact }) => fact)
const isFatal = ({ fatal }: Installation) => fatal.length > 0

/** The conflicts of an installation. @param ageMs time since its first user; undefined without one */
async function conflictsOf(ageMs?: number) {
  const database = await freshDatabase('postgres')
  const clock = handClock()
  const came = new Date(clock.now().getTime() - (ageMs ?? 0))
  if (ageMs !== undefined) await ensureUser(database.db, { telegramId: 7, languageCode: 'en' }, came)
  const fatal: unknown[] = []
  const onFatal = (error: unknown) => void fatal.push(error)
  const deps = { db: database.db, clock, random: () => 0.5, log: silentLog, onFatal }
  opened.push({ loop: { stop: async () => undefined }, database, fatal })
  return { clock, fatal, conflicts: createTokenConflicts(deps, 'polling') }
}

it.each([
  ['a new installation', undefined, 0, 2],
  ['one of ten days', 10 * day, 0, 13],
  ['one of a hundred days', 100 * day, 0, 68],
  ['a new one that ran for twenty minutes without conflicts', undefined, 20, 24],
  ['a new one that ran for a day', undefined, 24 * 60, 68],
])('conflicts end %s after a time by its age', async (_, age, ran, endsAfter) => {
  const { clock, fatal, conflicts } = await conflictsOf(age)
  clock.advance(ran * minute)
  for (let minutes = 0; minutes <= endsAfter; minutes += 1) {
    await conflicts.report()
    expect([minutes, ...fatal]).toEqual([minutes, ...(minutes < endsAfter ? [] : [expect.any(TokenShared)])])
    clock.advance(minute)
  }
  expect(String(fatal[0])).toMatch(/another installation uses the same BOT_TOKEN/)
})

it.each<[string, number | undefined, readonly number[], number]>([
  ['within three minutes count as one', 10 * day, [0, 3, 3, 3, 3, 3, 3], 1],
  ['further apart count as separate ones', 10 * day, [0, 3.1, 3.1, 3.1, 3.1, 3.1, 3.1], 0],
  [
    'that return soon after others end the process soon, however long it ran before',
    undefined,
    [60, 4, 3, 3],
    1,
  ],
  ['that return later do not yet', undefined, [60, 4, 3], 0],
  ['that are reported at the same time end it once', undefined, [0, 1.5, 0], 1],
])('conflicts %s', async (_, age, pauses, ends) => {
  const { clock, fatal, conflicts } = await conflictsOf(age)
  const reports: Promise<void>[] = []
  for (const pause of pauses) {
    if (pause > 0) await Promise.all(reports)
    clock.advance(pause * minute)
    reports.push(conflicts.report())
  }
  await Promise.all(reports)
  expect(fatal).toEqual(Array.from({ length: ends }, () => expect.any(TokenShared)))
})

const old = 'https://old.example/telegram'
const young = 'https://young.example/telegram'

it.each([
  ['both poll', undefined, undefined],
  ['both have a webhook', old, young],
  ['the older one polls', undefined, young],
])('of two installations with one token the younger one ends: %s', async (_, oldUrl, youngUrl) => {
  const clock = handClock()
  const telegram = createTelegram()
  const first = await installation(telegram, clock, 5 * day, oldUrl)
  await until(clock, first, () => telegram.webhook() === (oldUrl ?? ''))
  await until(clock, first, async () => (await alarms(first, clock)).length === 0)
  const second = await installation(telegram, clock, 0, youngUrl)
  await until(clock, first, async () => (await alarms(first, clock)).length > 0)
  expect(first.fatal).toEqual([])
  await until(clock, first, () => isFatal(second) || isFatal(first))
  expect([first.fatal, second.fatal]).toEqual([[], [expect.any(TokenShared)]])
  await until(clock, first, () => telegram.webhook() === (oldUrl ?? ''))
  await until(clock, first, async () => (await alarms(first, clock)).length === 0)
  expect(first.fatal).toEqual([])
})

it.each([
  ['polling', undefined],
  ['a webhook', old],
])('a token that is withdrawn ends a process with %s once, and is named', async (_, url) => {
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
