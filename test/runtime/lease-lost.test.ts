// Work whose lease has expired sends nothing more; all other work continues.

import { expect, it } from 'vitest'
import { randomIds } from '../../src/runtime/ids.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { assertLease, createQueueWorker, LeaseLost } from '../../src/runtime/queue-worker.ts'
import { handClock } from '../support/runtime/clock.ts'

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A queue with one row, whose work goes on when the test says so and then asserts its lease. */
function world() {
  const clock = handClock()
  const goesOn = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<unknown>()
  let rows = [{ claims: 1 }]
  let renewals = 0
  const worker = createQueueWorker(
    { clock, ids: randomIds, log: silentLog },
    {
      claim: async () => rows.splice(0),
      async renew() {
        renewals += 1
      },
      release: async () => undefined,
      giveBack: async () => undefined,
      async work() {
        rows = []
        await goesOn.promise
        try {
          ended.resolve(assertLease())
        } catch (error) {
          ended.resolve(error)
        }
      },
    },
    { slots: 2, failed: 'failed' },
  )
  const end = async () => {
    goesOn.resolve()
    const outcome = await ended.promise
    await worker.stop()
    return outcome
  }
  return { clock, worker, renewals: () => renewals, end }
}

it('work loses its lease in a process that was suspended until another one could take the work', async () => {
  const { clock, worker, end } = world()
  worker.start()
  await settled()
  clock.advance(30_000)
  await settled()
  expect(await end()).toBeInstanceOf(LeaseLost)
})

it('work keeps its lease while the lease is renewed', async () => {
  const { clock, worker, renewals, end } = world()
  worker.start()
  await settled()
  for (let seconds = 0; seconds < 60; seconds += 1) {
    clock.advance(1000)
    await settled()
  }
  expect(renewals()).toBeGreaterThan(3)
  expect(await end()).toBeUndefined()
})

it('the check of the lease passes in code that does not run under a lease', () => {
  expect(assertLease).not.toThrow()
})
