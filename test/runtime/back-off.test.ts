// Pauses between attempts.

import { expect, it } from 'vitest'
import { backoffMs } from '../../src/runtime/clock.ts'

const middle = 0.5

it('pauses double up to 64 times the shortest, and are at least what was asked for', () => {
  const pauses = [0, 1, 2, 5, 6, 7, 100].map((attempts) => backoffMs(attempts, 100, middle))
  expect(pauses).toEqual([100, 200, 400, 3200, 6400, 6400, 6400])
  expect(backoffMs(0, 100, middle, 250)).toBe(250)
  expect([backoffMs(0, 100, 0), backoffMs(0, 100, 1)]).toEqual([80, 120])
})
