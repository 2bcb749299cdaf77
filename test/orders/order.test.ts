// The states of an order: which event leads where, and which step is due.

import { expect, it } from 'vitest'
import { generationStates } from '../../src/db/schema.ts'
import { after, dueStep, type OrderEvent, statesBefore } from '../../src/orders/generation.ts'

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
