// The flood limit of one user: a burst of thirty, then one update a second, explained once.

import { expect, it } from 'vitest'
import { createBuckets } from '../../../src/bot/basics/recognise.ts'
import { handClock } from '../../support/runtime/clock.ts'
import { sharedSandbox } from '../../support/users/sandbox.ts'

const sandbox = await sharedSandbox()

const takes = (take: (person: number) => string, times: number) =>
  Array.from({ length: times }, () => take(1))

it('a burst of thirty passes, the next is answered, the rest are dropped; other users are not affected', () => {
  const clock = handClock()
  const take = createBuckets(clock)
  expect(takes(take, 33)).toEqual([...Array(30).fill('go'), 'tell', 'drop', 'drop'])
  expect(take(2)).toBe('go')
  clock.advance(30_000)
  // After a silence the whole burst passes again, and the limit is explained again.
  expect(takes(take, 31)).toEqual([...Array(30).fill('go'), 'tell'])
})

it('one update a second always passes, also after the clock was set back by an hour', () => {
  const clock = handClock()
  const take = createBuckets(clock)
  takes(take, 31)
  for (let second = 0; second < 200; second += 1) {
    if (second === 100) {
      clock.advance(-3_600_000)
      take(1)
    }
    clock.advance(1000)
    expect(takes(take, 2)).toEqual(['go', 'drop'])
  }
})

it('a user over the limit is told once, and their payment is still credited', async () => {
  const anna = await sandbox.user('Anna')
  await anna.sends('/topup 100')
  await anna.taps(/Stars/)
  const invoice = await anna.sees((message) => message.invoice !== undefined)
  // The updates are so many and simultaneous that a slow machine, too, cannot handle them within the limit.
  await Promise.all(Array.from({ length: 100 }, () => anna.sends('/balance')))
  await anna.sees('Too fast')
  expect(await anna.pays(invoice)).toMatchObject({ ok: true })
  await anna.sees(/₽100 added/)
  expect((await anna.transcript()).match(/Too fast/g)).toHaveLength(1)
})
