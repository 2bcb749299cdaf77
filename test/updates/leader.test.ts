// The lease of the process that leads: one at a time, renewed by its holder, free once it has expired or was released.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { leaseMs } from '../../src/runtime/queue-worker.ts'
import { releaseLeaderLease, takeLeaderLease } from '../../src/updates/polling.ts'
import { freshDatabase, type TestDatabase } from '../support/database/database.ts'
import { watchedClock } from '../support/telegram/local-telegram.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())

const clock = watchedClock()
const takes = (holder: string, name = 'polling') => takeLeaderLease({ db: database.db, clock }, name, holder)
const releases = (holder: string) => releaseLeaderLease(database, 'polling', holder)

it('one process leads until it fails to renew its lease in time', async () => {
  expect(await takes('first')).toBe(true)
  expect(await takes('second', 'other work')).toBe(true)
  clock.advance(leaseMs - 1)
  expect(await takes('second')).toBe(false)
  expect(await takes('first')).toBe(true)
  clock.advance(leaseMs - 1)
  expect(await takes('second')).toBe(false)
  clock.advance(1)
  expect(await takes('second')).toBe(true)
  expect(await takes('first')).toBe(false)
})

it('only its holder gives the lease back, and no other lease with it', async () => {
  expect(await takes('second', 'other work')).toBe(true)
  await releases('first')
  expect(await takes('third')).toBe(false)
  await releases('second')
  expect(await takes('third')).toBe(true)
  expect(await takes('third', 'other work')).toBe(false)
})
