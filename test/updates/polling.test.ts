// Long polling: only stored updates are confirmed, stopping is no failure, and one process polls at a time. Of two installations with
// one bot token both detect the conflict: the younger one ends with an explanation, the other continues.

import { Api, GrammyError } from 'grammy'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import type { Database } from '../../src/db/client.ts'
import { leaderLeases } from '../../src/db/schema.ts'
import { tokenCheck } from '../../src/operator/checks.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { leaseMs } from '../../src/runtime/queue-worker.ts'
import {
  createPolling,
  createTokenConflicts,
  releaseLeaderLease,
  TokenShared,
  takeLeaderLease,
} from '../../src/updates/polling.ts'
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
function polled(
  store: () => Promise<void>,
  {
    clock = systemClock,
    db = database.db,
    refusal = () => undefined,
  }: { clock?: Clock; db?: Database; refusal?: () => GrammyError | undefined } = {},
) {
  const offsets: number[] = []
  const methods: string[] = []
  /** The offsets of requests that were ended. */
  const ended: number[] = []
  const fatal: unknown[] = []
  const api = new Api('1:a')
  api.config.use(async (_, method, payload, signal) => {
    methods.push(method)
    if (method !== 'getUpdates') return { ok: true, result: true } as never
    const offset = 'offset' in payload ? Number(payload.offset) : 0
    offsets.push(offset)
    const refused = refusal()
    if (refused) throw refused
    const told = [{ update_id: 7, message: { message_id: 1, date: 0, chat: { id: 5, type: 'private' } } }]
    if (offset > 7) await aborted(signal).then(() => ended.push(offset))
    // The double knows the result type of each method; the generic type does not.
    return { ok: true, result: offset > 7 ? [] : told } as never
  })
  const deps = { ...common(fatal), db, clock, api, types: ['message'] as const, store }
  return { polling: createPolling(deps), offsets, methods, ended, fatal }
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
  const { polling, offsets, ended, fatal } = polled(async () => undefined, { clock })
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
  const { polling, offsets, ended } = polled(async () => undefined, { clock })
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
  const { polling, fatal } = polled(async () => undefined, {
    refusal: () => refused('Unauthorized', 401),
  })
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

const opened: TestDatabase[] = []
afterEach(async () => {
  for (const own of opened.splice(0)) await own.close()
})

/** A database whose first user came so long ago, if anybody did. */
async function databaseOf(clock: HandClock, ageMs: number | undefined): Promise<TestDatabase> {
  const own = await freshDatabase('postgres')
  opened.push(own)
  const came = new Date(clock.now().getTime() - (ageMs ?? 0))
  if (ageMs !== undefined) await ensureUser(own.db, { telegramId: 7, languageCode: 'en' }, came)
  return own
}

describe('conflicts about a token', () => {
  /** @param ageMs time since the first user, if there is one */
  async function conflictsOf(ageMs?: number) {
    const clock = handClock()
    const own = await databaseOf(clock, ageMs)
    const fatal: unknown[] = []
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
    ['that return later at the same time do not yet', undefined, [0, 1, 10, 0], 0],
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
  ['an older installation goes on, without an alarm in the end', 5 * day, true],
  ['a new one ends', 0, false],
])(
  'while another installation polls or has a webhook, it is taken away, and %s',
  async (_, ageMs, goesOn) => {
    const clock = handClock()
    const { db } = await databaseOf(clock, ageMs)
    const alarms = () => tokenCheck(db, clock.now())
    let refusal: GrammyError | undefined = refused(
      "Conflict: can't use getUpdates method while webhook is active",
    )
    const { polling, fatal, methods } = polled(async () => undefined, { clock, db, refusal: () => refusal })
    /** Advances the clock in steps in which leases are renewed. */
    const until = async (isSo: () => boolean | Promise<boolean>) => {
      for (let steps = 0; !(await isSo()); steps += 1) {
        if (steps > 2000) throw new Error('the condition did not hold within an hour')
        clock.advance(2000)
        for (let looks = 0; looks < 3; looks += 1) await db.execute('select 1')
      }
    }
    polling.start()
    await until(() => methods.includes('deleteWebhook'))
    refusal = refused('Conflict: terminated by other getUpdates request')
    await until(async () => (await alarms()).length > 0)
    expect(fatal).toEqual([])
    const begun = clock.now().getTime()
    await until(() => fatal.length > 0 || clock.now().getTime() - begun > 5 * minute)
    expect(fatal).toEqual(goesOn ? [] : [expect.any(TokenShared)])
    refusal = undefined
    if (goesOn) await until(async () => (await alarms()).length === 0)
    await polling.stop()
  },
)
