// The states of an order: which event leads where, which step is due, and when a running task is looked at again; what its results cost,
// and what is refunded for those that are missing. The price of several results need not be a multiple of their number, since it may be
// rounded.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { generationStates } from '../../src/db/schema.ts'
import { shareOf } from '../../src/orders/deliver/deliver.ts'
import { after, dueStep, type OrderEvent, statesBefore } from '../../src/orders/generation.ts'
import { chargeFor } from '../../src/orders/settle.ts'
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

it('every event leads to the state of the table, or is impossible', () => {
  expect(head.slice(1)).toEqual([...generationStates])
  for (const [name, ...expected] of rows) {
    const event = name as OrderEvent
    const found = generationStates.map((state) =>
      statesBefore(event).includes(state) ? after(state, event) : '-',
    )
    expect([name, ...found]).toEqual([name, ...expected])
    for (const [at, state] of generationStates.entries())
      if (expected[at] === '-') expect(() => after(state, event)).toThrow('cannot')
  }
})

it('each state has its step, and a delivery comes first', () => {
  const ended = { succeeded: 'poll-late', failed: 'poll-late', canceled: 'poll-late' }
  const steps = { held: 'submit', submitting: 'lose-answer', running: 'poll', unknown: 'reveal', ...ended }
  for (const state of generationStates) {
    const due = (['none', 'delivered', 'pending'] as const).map((delivery) => dueStep({ state, delivery }))
    expect(due).toEqual([steps[state], steps[state], 'deliver'])
  }
})

it('looks are a sixth of the elapsed time apart, between the shortest pause and 20 times that', () => {
  const pauses = [0, 500, 1200, 6000, 12_000, 60_000].map((elapsed) => nextLookMs(elapsed, 100, 0.5))
  expect(pauses).toEqual([100, 100, 200, 1000, 2000, 2000])
  expect([nextLookMs(0, 100, 0), nextLookMs(0, 100, 1)]).toEqual([80, 120])
})

it('all results cost the whole price, also if more came than were ordered, and a part its part, rounded down', () => {
  expect([chargeFor(100n, 3, 3), chargeFor(100n, 4, 3), chargeFor(1n, 2, 2)]).toEqual([100n, 100n, 1n])
  expect([chargeFor(100n, 1, 3), chargeFor(100n, 2, 3), chargeFor(100n, 0, 3)]).toEqual([33n, 66n, 0n])
})

it.each([
  [300n, { lost: 1, files: 3, paid: 3, others: 0 }, 100n],
  [100n, { lost: 1, files: 3, paid: 3, others: 0 }, 34n],
  [100n, { lost: 3, files: 3, paid: 3, others: 0 }, 100n],
  [100n, { lost: 1, files: 2, paid: 1, others: 0 }, 0n],
  [100n, { lost: 1, files: 2, paid: 1, others: 1 }, 100n],
  [100n, { lost: 0, files: 1, paid: 1, others: 1 }, 0n],
  [75n, { lost: 1, files: 3, paid: 4, others: 2 }, 25n],
  [300n, { lost: 1, files: 6, paid: 3, others: 3 }, 100n],
  [300n, { lost: 1, files: 6, paid: 3, others: 2 }, 0n],
  [300n, { lost: 4, files: 6, paid: 3, others: 1 }, 200n],
])('with %s kopecks captured, %o leads to a refund of %s', (captured, counts, share) => {
  expect(shareOf(captured, counts)).toBe(share)
})

it('the refund is zero when no file is missing, everything when all are, and never shrinks with more missing files', () => {
  const least = (min: number, max: number) => fc.integer({ min, max })
  const counted = fc.record({
    lost: least(0, 8),
    others: least(0, 6),
    arrived: least(0, 6),
    paid: least(1, 6),
  })
  const order = fc
    .tuple(counted, fc.bigInt({ min: 0n, max: 1_000_000n }))
    .map(([{ arrived, ...one }, captured]) => ({
      ...one,
      captured,
      files: Math.max(1, one.lost + one.others + arrived),
    }))
  fc.assert(
    fc.property(order, ({ captured, ...counts }) => {
      const share = shareOf(captured, counts)
      expect(share >= 0n && share <= captured).toBe(true)
      if (counts.lost === 0) expect(share).toBe(0n)
      if (counts.lost === counts.files) expect(share).toBe(captured)
      if (counts.lost > 0) expect(shareOf(captured, { ...counts, lost: counts.lost - 1 }) <= share).toBe(true)
    }),
  )
})
