// Background loops: they sleep when idle, lose no nudge, and wait for the current pass when they stop.

import { expect, it } from 'vitest'
import { silentLog } from '../../src/runtime/log.ts'
import { createLoop } from '../../src/runtime/loop.ts'
import { handClock } from '../support/runtime/clock.ts'

/** A loop whose passes end when the test says so. */
function world() {
  const clock = handClock()
  const passes: PromiseWithResolvers<boolean>[] = []
  let begun = Promise.withResolvers<void>()
  const loop = createLoop(
    { clock, log: silentLog },
    {
      pass() {
        const pass = Promise.withResolvers<boolean>()
        passes.push(pass)
        begun.resolve()
        return pass.promise
      },
      idleMs: 1000,
      limitMs: 30_000,
      failed: 'failed',
    },
  )
  /** Ends the current pass and waits for the next one. */
  const next = async (end: () => void, act: () => void = () => undefined) => {
    begun = Promise.withResolvers()
    end()
    await settled()
    act()
    await begun.promise
  }
  const last = () => passes.at(-1) ?? expect.unreachable('no pass has begun')
  return { clock, loop, passes, next, last }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

it('a loop runs the next pass at once while there is more work, and sleeps otherwise', async () => {
  const { clock, loop, passes, next, last } = world()
  loop.start()
  await next(() => last().resolve(true))
  expect(passes).toHaveLength(2)
  last().resolve(false)
  await settled()
  clock.advance(999)
  await settled()
  expect(passes).toHaveLength(2)
  await next(() => clock.advance(1))
  expect(passes).toHaveLength(3)
  last().resolve(false)
  await loop.stop()
})

it('a nudge ends the sleep, also when it comes during the pass before', async () => {
  const { loop, passes, next, last } = world()
  loop.start()
  await next(
    () => last().resolve(false),
    () => void loop.nudge(),
  )
  expect(passes).toHaveLength(2)
  loop.nudge()
  await next(() => last().resolve(false))
  expect(passes).toHaveLength(3)
  last().resolve(false)
  await loop.stop()
})

it('a pass that throws is followed by a sleep and another pass', async () => {
  const { clock, loop, passes, next, last } = world()
  loop.start()
  await next(
    () => last().reject(new Error('no database')),
    () => void clock.advance(1000),
  )
  expect(passes).toHaveLength(2)
  last().resolve(false)
  await loop.stop()
})

it('a stop waits for the current pass and starts no other', async () => {
  const { loop, passes, last } = world()
  loop.start()
  let isOver = false
  const stopping = loop.stop().then(() => {
    isOver = true
  })
  await settled()
  expect(isOver).toBe(false)
  last().resolve(true)
  await stopping
  expect(passes).toHaveLength(1)
})

it('after the time limit of a hung pass another one starts', async () => {
  const { clock, loop, passes, next, last } = world()
  loop.start()
  clock.advance(29_999)
  await settled()
  expect(passes).toHaveLength(1)
  await next(
    () => clock.advance(1),
    () => clock.advance(1000),
  )
  expect(passes).toHaveLength(2)
  last().resolve(false)
  await loop.stop()
})
