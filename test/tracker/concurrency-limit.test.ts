// How many requests may be under way: what failures and answers make of it. Pure.

import { expect, it } from 'vitest'
import { createWindow } from '../../src/tracker/concurrency-limit.ts'

it('is open at first, halved by every failure, never closed', () => {
  const window = createWindow(32)
  const seen = Array.from({ length: 7 }, () => {
    const now = window.places()
    window.halve()
    return now
  })
  expect(seen).toEqual([32, 16, 8, 4, 2, 1, 1])
})

it('grows again by one place for each round of answers', () => {
  const window = createWindow(32)
  window.shut()
  const rounds: number[] = []
  while (window.places() < 32) {
    rounds.push(window.places())
    for (let place = window.places(); place > 0; place -= 1) window.grow()
    if (rounds.length > 100) break
  }
  expect(rounds.length).toBeGreaterThanOrEqual(31)
  expect(rounds.length).toBeLessThan(40)
  for (let answer = 0; answer < 1000; answer += 1) window.grow()
  expect(window.places()).toBe(32)
})
