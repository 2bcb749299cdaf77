// The states of an order: which event leads where, which step is due, and when a running task is looked at again.

import { expect, it } from 'vitest'
import { generationStates } from '../../src/db/schema.ts'
import { after, dueStep, type OrderEvent, statesBefore } from '../../src/orders/generation.ts'
import { nextLookMs } from '../../src/orders/times.ts'

/** The state that follows an event, for each state before it; a dash where the event is impossible. */
const table = `
  event            held       submitting running   unknown   succeeded failed canceled
  submit           submitting -          -         -         -         -      -
  postpone         held       held       -         -         -         -      -
  lose-answer      -          unknown    -         -         -         -      -
  start            -          running    running   running   -         -      -
  reveal           -          -          -         running   -         -      -
  complete         -          -          succeeded -         -         -      -
  complete-at-once -          succeeded  -         succeeded -         -      -
  fail             failed     failed     failed    failed    -         -      -
  refuse           -          failed     -         failed    -         -      -
  cancel           -          -          canceled  -         -         -      -
  withdraw         canceled   -          -         -         -         -      -`

const [head = [], ...rows] = table
  .trim()
  .split('\n')
  .map((row) => row.trim().split(/ +/))

it('the table has a column for each state', () => {
  expect(head.slice(1)).toEqual([...generationStates])
})

it.each(rows)('%s', (name, ...expected) => {
  const event = name as OrderEvent
  const found = generationStates.map((state) =>
    statesBefore(event).includes(state) ? after(state, event) : '-',
  )
  expect(found).toEqual(expected)
  for (const [at, state] of generationStates.entries()) {
    if (expected[at] === '-') expect(() => after(state, event)).toThrow('cannot')
  }
})

it.each([
  ['held', 'submit'],
  ['submitting', 'lose-answer'],
  ['running', 'poll'],
  ['unknown', 'reveal'],
  ['succeeded', 'poll-late'],
  ['failed', 'poll-late'],
  ['canceled', 'poll-late'],
] as const)('the step of an order that is %s is %s, and its delivery comes first', (state, step) => {
  expect(dueStep({ state, delivery: 'none' })).toBe(step)
  expect(dueStep({ state, delivery: 'delivered' })).toBe(step)
  expect(dueStep({ state, delivery: 'pending' })).toBe('deliver')
})

it('looks are a sixth of the elapsed time apart, between the shortest pause and 20 times that', () => {
  const pauses = [0, 500, 1200, 6000, 12_000, 60_000].map((elapsed) => nextLookMs(elapsed, 100, 0.5))
  expect(pauses).toEqual([100, 100, 200, 1000, 2000, 2000])
  expect([nextLookMs(0, 100, 0), nextLookMs(0, 100, 1)]).toEqual([80, 120])
})
