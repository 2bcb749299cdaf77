// Long polling: only stored updates are confirmed, stopping is no failure, and one process polls at a time. Two installations with one bot token
// detect the conflict: the younger one ends with an explanation, the other continues.

import { Api, GrammyError } from 'grammy'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { leaderLeases } from '../../src/db/schema.ts'
import { tokenCheck } from '../../src/operator/checks.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { silentLog } from '../../src/runtime/log.ts'
import type { Loop } from '../../src/runtime/loop.ts'
import { leaseMs } from '../../src/runtime/queue-worker.ts'
import {
  createPolling,
  createTokenConflicts,
  releaseLeaderLease,
  TokenShared,
  takeLeaderLease,
} from '../../src/updates/polling.ts'
import { createWebhookSecrets, createWebhookWatch } from '../../src/updates/webhook.ts'
import { ensureUser } from '../../src/users/user.ts'
import { freshDatabase, type TestDatabase } from '../support/database/database.ts'
import { type HandClock, handClock } from '../support/runtime/clock.ts'

const minute = 60_000
const day = 24 * 60 * minute
const database = await freshDatabase('postgres')
afterAll(() => database.close())

interface Signal {
  addEventListener(type: 'abort', listener: () => void): void
}
const aborted = (signal: Signal | undefined) =>
  new Promise<void>((resolve) => signal?.addEventListener('abort', resolve))
const refused = (description: string, error_code = 409) =>
  new GrammyError('refused', { ok: false, error_code, description }, 'getUpdates', {})
/** What a loop needs beside its database and clock. @param fatal the errors that end its process */
const common = (fatal: unknown[]) => {
  const onFatal = (error: unknown) => void fatal.push(error)
  return { ids: randomIds, random: () => 0.5, log: silentLog, onFatal }
}

/** A Telegram double that returns one update until it is confirmed. */
function polled(store: () => Promise<void>, clock: Clock = systemClock, refusal?: GrammyError) {
  const offsets: number[] = []
  /** The offsets of requests that were ended. */
  const ended: number[] = []
  const fatal: unknown[] = []
  const api = new Api('1:a')
  api.config.use(async (_, __, payload, signal) => {
    const offset = 'offset' in payload ? Number(payload.offset) : 0
    offsets.push(offset)
    if (refusal) throw refusal
    const told = [{ update_id: 7, message: { message_id: 1, date: 0, chat: { id: 5, type: 'private' } } }]
    if (offset > 7) await aborted(signal).then(() => ended.push(offset))
    // The types of other methods do not matter: only `getUpdates` is called.
    return { ok: true, result: offset > 7 ? [] : told } as never
  })
  const deps = { ...common(fatal), db: database.db, clock, api, types: ['message'] as const, store }
  return { polling: createPolling(deps), offsets, ended, fatal }
}

it('polling requests further updates only after the received ones are stored', async () => {
  const stored = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const { polling, offsets } = polled(() => {
    asked.resolve()
    return stored.promise
  })
  polling.start()
  await asked.promise
  await database.db.execute('select 1')
  expect(offsets).toEqual([0])
  stored.resolve()
  await expect.poll(() => offsets).toEqual([0, 8])
  await polling.stop()
})

it('stopping while updates cannot be stored does not count as a failure and confirms nothing', async () => {
  const tried = Promise.withResolvers<void>()
  const { polling, offsets, fatal } = polled(() => {
    tried.resolve()
    return Promise.reject(new Error('no database'))
  })
  polling.start()
  await tried.promise
  await polling.stop()
  await database.db.execute('select 1')
  expect([offsets, fatal]).toEqual([[0], []])
})

it('a process whose lease another one has taken stops polling, and polls again once it has the lease back', async () => {
  const clock = handClock()
  const { polling, offsets, ended, fatal } = polled(async () => undefined, clock)
  polling.start()
  await expect.poll(() => offsets).toEqual([0, 8])
  const until = new Date(clock.now().getTime() + leaseMs)
  await database.db.update(leaderLeases).set({ holder: 'another', until })
  await expect.poll(() => clock.isWaitedFor(leaseMs / 6)).toBe(true)
  clock.advance(leaseMs / 6)
  await expect.poll(() => ended).toEqual([8])
  await expect.poll(() => clock.isWaitedFor(leaseMs / 6)).toBe(true)
  clock.advance(leaseMs)
  await expect.poll(() => offsets).toEqual([0, 8, 0, 8])
  await polling.stop()
  expect(fatal).toEqual([])
})

it('a process that stops ends its request, gives its lease to the others at once and asks for nothing more', async () => {
  const clock = handClock()
  const { polling, offsets, ended } = polled(async () => undefined, clock)
  polling.start()
  await expect.poll(() => offsets).toEqual([0, 8])
  await expect.poll(() => clock.isWaitedFor(leaseMs / 6)).toBe(true)
  await polling.stop()
  expect(ended).toEqual([8])
  expect(await database.db.select().from(leaderLeases)).toEqual([])
  expect(clock.isWaitedFor(leaseMs / 6)).toBe(false)
})

it('a withdrawn token ends the process once and is named, and nothing is printed beside the log, whose lines never contain the token', async () => {
  const printed = vi.spyOn(console, 'error').mockReturnValue()
  const { polling, fatal } = polled(async () => undefined, systemClock, refused('Unauthorized', 401))
  polling.start()
  const withdrawn = expect.stringMatching(/^TokenWithdrawn: .*no longer accepts BOT_TOKEN/)
  await expect.poll(() => fatal.map(String)).toEqual([withdrawn])
  await polling.stop()
  expect(printed).not.toHaveBeenCalled()
  printed.mockRestore()
})

const leading = handClock()
const takes = (holder: string, name = 'polling') =>
  takeLeaderLease({ db: database.db, clock: leading }, name, holder)
const releases = (holder: string) => releaseLeaderLease(database, 'polling', holder)

it('one process leads until it fails to renew its lease in time or gives it back, which nobody else can', async () => {
  expect(await takes('first')).toBe(true)
  expect(await takes('second', 'other work')).toBe(true)
  for (const [afterMs, holder, isTaken] of [
    [leaseMs - 1, 'second', false],
    [0, 'first', true],
    [leaseMs - 1, 'second', false],
    [1, 'second', true],
    [0, 'first', false],
  ] as const) {
    leading.advance(afterMs)
    expect(await takes(holder)).toBe(isTaken)
  }
  expect(await takes('second', 'other work')).toBe(true)
  await releases('first')
  expect(await takes('third')).toBe(false)
  await releases('second')
  expect(await takes('third')).toBe(true)
  expect(await takes('third', 'other work')).toBe(false)
})

/** A Telegram double: a new `getUpdates` request or a webhook ends the request that is waiting. */
function createTelegram() {
  let waiting: ((error: unknown) => void) | undefined
  let webhook = ''
  const isActive = "Conflict: can't use getUpdates method while webhook is active"

  const poll = async (signal: Signal | undefined) => {
    waiting?.(refused('Conflict: terminated by other getUpdates request'))
    if (webhook !== '') throw refused(isActive)
    await new Promise((_, reject) => {
      waiting = reject
      void aborted(signal).then(() => reject(new Error('aborted')))
    })
  }
  const setWebhook = (url: string) => {
    webhook = url
    if (url !== '') waiting?.(refused(isActive))
  }
  const answer = async (method: string, payload: object, signal: Signal | undefined) => {
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
  return { api, webhook: () => webhook }
}

interface Installation {
  readonly loop: Pick<Loop, 'start' | 'stop'>
  readonly own: TestDatabase
  readonly fatal: unknown[]
}
const opened: Installation[] = []
afterEach(async () => {
  for (const { loop, own } of opened.splice(0)) {
    await loop.stop()
    await own.close()
  }
})

/** A database whose first user came so long ago, if anybody did. */
async function databaseOf(clock: HandClock, ageMs: number | undefined): Promise<TestDatabase> {
  const own = await freshDatabase('postgres')
  const came = new Date(clock.now().getTime() - (ageMs ?? 0))
  if (ageMs !== undefined) await ensureUser(own.db, { telegramId: 7, languageCode: 'en' }, came)
  return own
}

/** @param ageMs time since its first user @param url its webhook; without one it polls */
async function installation(
  telegram: ReturnType<typeof createTelegram>,
  clock: HandClock,
  ageMs: number,
  url?: string,
): Promise<Installation> {
  const own = await databaseOf(clock, ageMs)
  const fatal: unknown[] = []
  const onFatal = (error: unknown) => {
    fatal.push(error)
    void loop.stop()
  }
  const api = telegram.api()
  const deps = { ...common(fatal), onFatal, api, db: own.db, clock }
  const secrets = createWebhookSecrets(deps, 'own')
  const loop: Loop =
    url === undefined
      ? createPolling({ ...deps, types: ['message'], store: async () => undefined })
      : createWebhookWatch({ ...deps, secrets, url, announce: async () => void (await api.setWebhook(url)) })
  loop.start()
  const one = { loop, own, fatal }
  opened.push(one)
  return one
}

/** Advances the clock in steps in which leases are renewed. */
async function until(clock: HandClock, { own }: Installation, isSo: () => boolean | Promise<boolean>) {
  const begun = clock.now().getTime()
  while (!(await isSo())) {
    if (clock.now().getTime() - begun > 3 * 60 * minute)
      throw new Error('the condition did not hold within three hours')
    clock.advance(2000)
    for (let looks = 0; looks < 3; looks += 1) await own.db.execute('select 1')
  }
}

const alarms = async ({ own }: Installation, clock: HandClock) =>
  (await tokenCheck(own.db, clock.now())).map(({ fact }) => fact)

describe('conflicts about a token', () => {
  /** @param ageMs time since the first user, if there is one */
  async function conflictsOf(ageMs?: number) {
    const clock = handClock()
    const own = await databaseOf(clock, ageMs)
    const fatal: unknown[] = []
    opened.push({ loop: { start: () => undefined, stop: async () => undefined }, own, fatal })
    return {
      clock,
      fatal,
      conflicts: createTokenConflicts({ ...common(fatal), db: own.db, clock }, 'polling'),
    }
  }

  it.each([
    ['a new installation', undefined, 0, 2],
    ['one of ten days', 10 * day, 0, 13],
    ['one of a hundred days', 100 * day, 0, 68],
    ['a new one that ran for twenty minutes without conflicts', undefined, 20, 24],
    ['a new one that ran for a day', undefined, 24 * 60, 68],
  ])('end %s after a time by its age', async (_, age, ran, endsAfter) => {
    const { clock, fatal, conflicts } = await conflictsOf(age)
    clock.advance(ran * minute)
    for (let minutes = 0; minutes <= endsAfter; minutes += 1) {
      await conflicts.report()
      expect([minutes, fatal.length]).toEqual([minutes, minutes < endsAfter ? 0 : 1])
      clock.advance(minute)
    }
    expect(fatal).toEqual([expect.any(TokenShared)])
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
  ])('%s', async (_, age, pauses, ends) => {
    const { clock, fatal, conflicts } = await conflictsOf(age)
    const reports: Promise<void>[] = []
    for (const pause of pauses) {
      if (pause > 0) await Promise.all(reports)
      clock.advance(pause * minute)
      reports.push(conflicts.report())
    }
    await Promise.all(reports)
    expect(fatal).toHaveLength(ends)
  })
})

it.each([
  ['both poll', undefined],
  ['it has a webhook', 'https://young.example/telegram'],
])('of two installations with one token the younger one ends: %s', async (_, url) => {
  const clock = handClock()
  const telegram = createTelegram()
  const first = await installation(telegram, clock, 5 * day)
  await until(clock, first, async () => (await alarms(first, clock)).length === 0)
  const second = await installation(telegram, clock, 0, url)
  await until(clock, first, async () => (await alarms(first, clock)).length > 0)
  expect(first.fatal).toEqual([])
  await until(clock, first, () => second.fatal.length + first.fatal.length > 0)
  expect([first.fatal, second.fatal]).toEqual([[], [expect.any(TokenShared)]])
  await until(clock, first, () => telegram.webhook() === '')
  await until(clock, first, async () => (await alarms(first, clock)).length === 0)
  expect(first.fatal).toEqual([])
})
