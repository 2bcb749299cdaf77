// Long polling: only stored updates are confirmed, stopping is no failure, and one process polls at a time.

import { Api, GrammyError } from 'grammy'
import { afterAll, expect, it, vi } from 'vitest'
import { leaderLeases } from '../../src/db/schema.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { leaseMs } from '../../src/runtime/queue-worker.ts'
import {
  createPolling,
  releaseLeaderLease,
  TokenWithdrawn,
  takeLeaderLease,
} from '../../src/updates/polling.ts'
import { freshDatabase } from '../support/database/database.ts'
import { handClock } from '../support/runtime/clock.ts'

const database = await freshDatabase('postgres')
afterAll(() => database.close())

interface Signal {
  addEventListener(type: 'abort', listener: () => void): void
}
const aborted = (signal: Signal | undefined) =>
  new Promise<void>((resolve) => signal?.addEventListener('abort', resolve))

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
  const types = ['message'] as const
  const onFatal = (error: unknown) => void fatal.push(error)
  const common = { db: database.db, clock, ids: randomIds, random: () => 0.5, log: silentLog }
  return { polling: createPolling({ ...common, api, types, store, onFatal }), offsets, ended, fatal }
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

it('a failed request prints nothing beside the log, whose lines never contain the token', async () => {
  const printed = vi.spyOn(console, 'error').mockReturnValue()
  const answer = { ok: false, error_code: 401, description: 'Unauthorized' } as const
  const refusal = new GrammyError('refused', answer, 'getUpdates', {})
  const { polling, fatal } = polled(async () => undefined, systemClock, refusal)
  polling.start()
  await expect.poll(() => fatal).toEqual([expect.any(TokenWithdrawn)])
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
