// The comparison of a run of the fault harness with runs of the unchanged app.

import { expect, it } from 'vitest'
import { saidByPerson, traitsOfEvent } from './behaviour/chats.ts'
import { differencesFrom } from './behaviour/compare.ts'
import { createCounter, kindsOf, shapeOf, type Traits } from './behaviour/traits.ts'

const run = (counts: Record<string, number>): Traits =>
  new Map(Object.entries({ [saidByPerson]: 100, ...counts }))
const traitsOf = (others: readonly Traits[], one: Traits) =>
  differencesFrom(others, one).map(({ trait }) => trait)

it('differencesFrom returns no difference for a run whose counts are in the range of the other runs', () => {
  const others = [run({ a: 50, b: 3 }), run({ a: 90, c: 1 })]
  expect(traitsOf(others, run({ a: 60, d: 2 }))).toEqual([])
})

it('differencesFrom returns traits that are new, missing, much more frequent or much less frequent', () => {
  const others = [15, 30, 20, 25].map((times) => run({ missing: times, more: times, less: times + 100 }))
  const differences = traitsOf(others, run({ new: 8, more: 91, less: 36 }))
  expect(differences.toSorted()).toEqual(['less', 'missing', 'more', 'new'])
})

it('differencesFrom also returns rare traits if many runs are known, and ignores one unusual run', () => {
  const others = Array.from({ length: 16 }, (_, n) => run(n === 3 ? { odd: 1 } : { rare: 5 }))
  expect(traitsOf(others, run({ new: 2, odd: 2 })).toSorted()).toEqual(['new', 'rare'])
  expect(traitsOf(others.slice(0, 4), run({ new: 2, odd: 2 }))).toEqual([])
})

it('differencesFrom compares counts in proportion to the number of messages from people', () => {
  const others = [50, 60, 55, 58].map((a) => run({ a }))
  expect(traitsOf(others, run({ [saidByPerson]: 400, a: 220 }))).toEqual([])
  expect(traitsOf(others, run({ [saidByPerson]: 400, a: 60 }))).toEqual(['a'])
})

it('shapeOf replaces numbers, amounts, times and marks of orders, so that texts of different orders are equal', () => {
  expect(shapeOf('✅ Done in 0:15 · ₽5.28 charged')).toBe('✅ Done in # · # charged')
  expect(shapeOf('Usually ready in 50 s')).toBe(shapeOf('Usually ready in 2 min'))
  expect(shapeOf('o00003x a cat')).toBe(shapeOf('o00227x a cat'))
})

it('kindsOf returns the kind of each part of a value', () => {
  const value = {
    state: 'failed',
    note: null,
    at: '2026-11-23',
    n: 3,
    user_id: 3,
    seed: 9,
    list: [1],
    more: { by: 'tap', ok: true },
  }
  expect([...kindsOf(value, '')]).toEqual([
    'state = failed',
    'note = null',
    'at = text',
    'n = 3',
    'user_id = number',
    'seed = many',
    'list = list of 1',
    'more.by = tap',
    'more.ok = true',
  ])
})

it('a line that occurs twice in one message counts once', () => {
  const counter = createCounter()
  const from = { id: 1, is_bot: true, first_name: 'bot' }
  const chat = { id: 7, type: 'private', first_name: 'A' } as const
  const data = { message_id: 1, date: 0, from, chat, text: 'so\nso' }
  counter.add(traitsOfEvent({ type: 'message', chat_id: 7, data }))
  expect(counter.counts.get('chat message: so')).toBe(1)
})
