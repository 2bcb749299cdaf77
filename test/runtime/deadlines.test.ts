// Deadlines that share a timer: each is missed when its time is over, unless it was ended before.

import { expect, it } from 'vitest'
import { createDeadlines } from '../../src/runtime/deadlines.ts'
import { handClock } from '../support/runtime/clock.ts'

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

function world() {
  const clock = handClock()
  const deadlines = createDeadlines(clock, 60_000)
  const missed: string[] = []
  /** Advances the clock second by second, as the shared timer runs. */
  const pass = async (seconds: number) => {
    for (let at = 0; at < seconds; at += 1) {
      clock.advance(1000)
      await settled()
    }
  }
  return { clock, missed, pass, set: (name: string) => deadlines.set(() => missed.push(name)) }
}

it('deadlines are missed in their order, each at most a second after its time is over', async () => {
  const { missed, pass, set } = world()
  set('first')
  await pass(20)
  set('second')
  await pass(39)
  expect(missed).toEqual([])
  await pass(1)
  expect(missed).toEqual(['first'])
  await pass(20)
  expect(missed).toEqual(['first'])
  await pass(1)
  expect(missed).toEqual(['first', 'second'])
})

it.each([
  ['forward', 3_600_000],
  ['back', -3_600_000],
])('deadlines are neither ended nor prolonged by a clock that is set an hour %s', async (_, step) => {
  const clock = handClock()
  let offset = 0
  const corrected = { ...clock, now: () => new Date(clock.now().getTime() + offset) }
  const deadlines = createDeadlines(corrected, 60_000)
  const missed: string[] = []
  for (const name of ['before', 'after']) {
    deadlines.set(() => missed.push(name))
    offset = step
  }
  for (let seconds = 0; seconds < 59; seconds += 1) {
    clock.advance(1000)
    await settled()
  }
  expect(missed).toEqual([])
  for (let seconds = 0; seconds < 2; seconds += 1) {
    clock.advance(1000)
    await settled()
  }
  expect(missed).toEqual(['before', 'after'])
})

it('deadlines are not missed after they were ended', async () => {
  const { missed, pass, set } = world()
  const ended = set('ended')
  set('other')
  await pass(59)
  ended()
  await pass(10)
  expect(missed).toEqual(['other'])
})

it('the last deadline leaves no timer behind, and the next one starts it again', async () => {
  const { clock, missed, pass, set } = world()
  set('first')()
  await pass(1)
  expect(clock.isWaitedFor(1000)).toBe(false)
  set('second')
  await pass(60)
  expect(missed).toEqual(['second'])
})
