// The flood limit of one user: a burst of thirty, then one update a second, explained once.

import { expect, it } from 'vitest'
import { createBuckets } from '../../../src/bot/basics/recognise.ts'
import { handClock } from '../../support/runtime/clock.ts'
import { openSandbox } from '../../support/users/sandbox.ts'

const takes = (take: (person: number) => string, person: number, times: number) =>
  Array.from({ length: times }, () => take(person))

it('a burst of thirty passes, the next is answered, the rest are dropped; other users are not affected', () => {
  const take = createBuckets(handClock())
  expect(new Set(takes(take, 1, 30))).toEqual(new Set(['go']))
  expect(takes(take, 1, 3)).toEqual(['tell', 'drop', 'drop'])
  expect(take(2)).toBe('go')
})

it('one update a second always passes', () => {
  const clock = handClock()
  const take = createBuckets(clock)
  takes(take, 1, 31)
  for (let second = 0; second < 200; second += 1) {
    clock.advance(1000)
    expect(takes(take, 1, 2)).toEqual(['go', 'drop'])
  }
})

it('a clock that is set back by an hour does not block a user', () => {
  const clock = handClock()
  const take = createBuckets(clock)
  takes(take, 1, 31)
  clock.advance(-3_600_000)
  take(1)
  for (let second = 0; second < 40; second += 1) {
    clock.advance(1000)
    expect(takes(take, 1, 2)).toEqual(['go', 'drop'])
  }
})

it('after a silence the whole burst passes again, and the limit is explained again', () => {
  const clock = handClock()
  const take = createBuckets(clock)
  takes(take, 1, 40)
  clock.advance(30_000)
  expect(takes(take, 1, 31)).toEqual([...Array(30).fill('go'), 'tell'])
})

it('a user over the limit is told once, and their payment is still credited', async () => {
  const sandbox = await openSandbox()
  const anna = await sandbox.user('Anna')
  await anna.sends('/topup 100')
  await anna.taps(/Stars/)
  const invoice = await anna.sees((message) => message.invoice !== undefined)
  // The updates are so many and simultaneous that a slow machine, too, cannot handle them within the limit.
  await Promise.all(Array.from({ length: 100 }, () => anna.sends('/balance')))
  await anna.sees('Too fast')
  expect(await anna.pays(invoice)).toMatchObject({ ok: true })
  await anna.sees(/₽100.00 added/)
  expect((await anna.transcript()).match(/Too fast/g)).toHaveLength(1)
  await sandbox.stop()
})
