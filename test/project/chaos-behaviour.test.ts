// The comparison of a run of the fault harness with runs of the unchanged app.

import { expect, it } from 'vitest'
import { saidByPerson, traitsOfEvent } from '../chaos/behaviour/chats.ts'
import { differencesFrom } from '../chaos/behaviour/compare.ts'
import { createCounter, kindsOf, shapeOf, type Traits } from '../chaos/behaviour/traits.ts'

const run = (counts: Record<string, number>): Traits =>
  new Map(Object.entries({ [saidByPerson]: 100, ...counts }))
const traitsOf = (others: readonly Traits[], one: Traits) =>
  differencesFrom(others, one).map(({ trait }) => trait)

it('a run that looks like the others has no differences', () => {
  const others = [run({ a: 50, b: 3 }), run({ a: 90, c: 1 })]
  expect(traitsOf(others, run({ a: 60, d: 2 }))).toEqual([])
})

it('what is new, what is missing, and what is much more or less often is a difference', () => {
  const others = [15, 30, 20, 25].map((times) => run({ missing: times, more: times, less: times + 100 }))
  const differences = traitsOf(others, run({ new: 8, more: 91, less: 36 }))
  expect(differences.toSorted()).toEqual(['less', 'missing', 'more', 'new'])
})

it('what is rare counts when many runs are known, one of which may be unusual itself', () => {
  const others = Array.from({ length: 16 }, (_, n) => run(n === 3 ? { odd: 1 } : { rare: 5 }))
  expect(traitsOf(others, run({ new: 2, odd: 2 })).toSorted()).toEqual(['new', 'rare'])
  expect(traitsOf(others.slice(0, 4), run({ new: 2, odd: 2 }))).toEqual([])
})

it('a run in which people said more is compared in proportion', () => {
  const others = [50, 60, 55, 58].map((a) => run({ a }))
  expect(traitsOf(others, run({ [saidByPerson]: 400, a: 220 }))).toEqual([])
  expect(traitsOf(others, run({ [saidByPerson]: 400, a: 60 }))).toEqual(['a'])
})

it('texts are compared without what differs in every order', () => {
  expect(shapeOf('✅ Done in 0:15 · ₽5.28 charged')).toBe('✅ Done in # · # charged')
  expect(shapeOf('Usually ready in 50 s')).toBe(shapeOf('Usually ready in 2 min'))
  expect(shapeOf('o00003x a cat')).toBe(shapeOf('o00227x a cat'))
})

it('values are compared by their kind', () => {
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

it('a line that is in one message twice counts once', () => {
  const counter = createCounter()
  const from = { id: 1, is_bot: true, first_name: 'bot' }
  const chat = { id: 7, type: 'private', first_name: 'A' } as const
  const data = { message_id: 1, date: 0, from, chat, text: 'so\nso' }
  counter.add(traitsOfEvent({ type: 'message', chat_id: 7, data }))
  expect(counter.counts.get('chat message: so')).toBe(1)
})
