// Pauses between attempts.

import { expect, it } from 'vitest'
import { nextLookMs } from '../../src/orders/times.ts'

const middle = 0.5

it('looks are a sixth of the elapsed time apart, between the shortest pause and 20 times that', () => {
  const pauses = [0, 500, 1200, 6000, 12_000, 60_000].map((elapsed) => nextLookMs(elapsed, 100, middle))
  expect(pauses).toEqual([100, 100, 200, 1000, 2000, 2000])
  expect([nextLookMs(0, 100, 0), nextLookMs(0, 100, 1)]).toEqual([80, 120])
})
