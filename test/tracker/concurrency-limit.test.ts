// How failures and answers change the number of requests that may be in flight.

import { expect, it } from 'vitest'
import { createConcurrencyLimit } from '../../src/tracker/concurrency-limit.ts'

it('the concurrency limit starts at its maximum, is halved by every failure, and is at least one', () => {
  const limit = createConcurrencyLimit(32)
  const seen = Array.from({ length: 7 }, () => {
    const now = limit.current()
    limit.halve()
    return now
  })
  expect(seen).toEqual([32, 16, 8, 4, 2, 1, 1])
})

it('the concurrency limit is raised by about one per round of answers', () => {
  const limit = createConcurrencyLimit(32)
  limit.lowerToOne()
  const rounds: number[] = []
  while (limit.current() < 32) {
    rounds.push(limit.current())
    for (let place = limit.current(); place > 0; place -= 1) limit.raise()
    if (rounds.length > 100) break
  }
  expect(rounds.length).toBeGreaterThanOrEqual(31)
  expect(rounds.length).toBeLessThan(40)
  for (let answer = 0; answer < 1000; answer += 1) limit.raise()
  expect(limit.current()).toBe(32)
})
