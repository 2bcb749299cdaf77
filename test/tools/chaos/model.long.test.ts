// The model of the fault harness reports what runs of the planted mutants seldom show, and the clock of a run moves as it is told.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type AnswerFacts, faultsOfAnswers } from './model/answers.ts'
import { disturbedBy } from './model/balances.ts'
import { judgeOrders, type OrderFacts, type Wanted } from './model/orders.ts'
import { createPacedClock, readPace } from './time/clock.ts'
import { createRunClock } from './time/run-clock.ts'

const person = 7

it('faultsOfAnswers accepts the billed price, and less for an answer that was cut short', () => {
  const text = 'x'.repeat(40_000)
  const tokens = { input: 10_000, output: 10_000, isWhole: true, tellsUsage: true }
  const bill = {
    number: 1,
    model: 'a',
    text,
    thinking: '',
    modes: [],
    begunAt: 0,
    endedAt: 100,
    ...tokens,
  }
  const faults = (shown: number, captured: number, change: Partial<AnswerFacts> = {}) =>
    faultsOfAnswers({
      questions: [{ number: 1, person }],
      stops: [],
      billed: [bill],
      booked: [{ id: 't', number: 1, captured, refunded: 0, delivery: 'delivered', asked: 5 }],
      saidTo: () => [
        {
          id: 1,
          words: text.slice(0, shown),
          buttons: [{ data: 'cc:t', label: `₽${(captured / 100).toFixed(2)}` }],
        },
      ],
      wasDisturbed: () => false,
      models: [{ id: 'a', rates: { input: '39.62', output: '158.46' } }],
      ...change,
    }).length
  const stops = [{ person, draft: 5, at: 0 }]
  expect([faults(40_000, 199), faults(40_000, 200), faults(4000, 199)]).toEqual([0, 1, 1])
  expect([faults(4000, 80, { stops }), faults(4000, 199, { stops })]).toEqual([0, 1])
  expect([faults(40_000, 199, { billed: [bill, bill] }), faults(0, 199, { billed: [] })]).toEqual([1, 1])
})

it('judgeOrders expects the tapped price, the share of what came, and the told refund of a failure', () => {
  const mark = 'o00001x'
  const offers = new Map([['q:quote', { price: 1000, count: 3, isByGroup: false }]])
  const wanted: Wanted = {
    mark,
    words: mark,
    person,
    place: person,
    isGone: false,
    offers,
    again: undefined,
  }
  const amounts = { amount: 1000, captured: 1000, refunded: 0 }
  const faults = (change: object, status = 'completed', results = 3, words = '', facts: object = {}) =>
    judgeOrders({
      wanted: new Map([[mark, wanted]]),
      made: [{ mark, status, results }],
      entered: [{ id: 'g', mark, quoteId: 'quote', isByGroup: false, ...amounts, ...change }],
      saidIn: () => [{ id: 1, words: `${words}\n${mark}`, buttons: [] }],
      refundedByOperators: new Set(),
      ...facts,
    } satisfies OrderFacts).flatMap((order) => order.faults).length
  expect([faults({}), faults({ amount: 1001 }), faults({ quoteId: 'other' })]).toEqual([0, 1, 1])
  expect([faults({ captured: 666 }, 'completed', 2), faults({}, 'completed', 2)]).toEqual([0, 1])
  const back = '₽10 is back on your balance.'
  expect([faults({ captured: 0 }, 'failed', 0, back), faults({ captured: 0 }, 'failed', 0)]).toEqual([0, 1])
  const refundedByOperators = new Set(['g'])
  const refunded = (amount: number) =>
    faults({ refunded: amount }, 'completed', 3, '', { refundedByOperators })
  expect([refunded(1000), refunded(2000), faults({ isByGroup: true })]).toEqual([0, 1, 1])
})

it('disturbedBy finds the times at which a process, the database or the machine was disturbed', () => {
  const wasDisturbed = disturbedBy([
    { at: 1000, what: 'process :1 killed' },
    { at: 40_000, what: 'machine: was too slow for 9000 ms' },
    { at: 50_000, what: 'process :1 paused' },
    { at: 50_500, what: 'process :2 resumed after 700 ms' },
    { at: 53_000, what: 'process :1 resumed after 3000 ms' },
  ])
  const disturbed = [
    [900, 1100],
    [31_000, 31_100],
    [52_000, 52_100],
  ] as const
  const quiet = [
    [0, 999],
    [1001, 8000],
    [30_000, 30_900],
    [53_001, 54_000],
  ] as const
  expect(disturbed.filter(([from, to]) => !wasDisturbed(from, to))).toEqual([])
  expect(quiet.filter(([from, to]) => wasDisturbed(from, to))).toEqual([])
})

it('the clock of a run does not jump when it is slowed, and a leap ends the waits whose time it passes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'chaos-clock-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const hour = 3_600_000
  const own = createRunClock(join(folder, 'pace'), hour)
  const app = createPacedClock(readPace(own.file))
  own.onChange(() => app.reset())
  const before = app.now().getTime()
  own.slowTo(1 / hour)
  expect(app.now().getTime()).toBeGreaterThanOrEqual(before)
  expect(readPace(own.file)().times).toBeCloseTo(1)
  const woken: string[] = []
  const leaving = new AbortController()
  const soon = app.wait(hour).then(() => woken.push('after an hour'))
  const later = app.wait(3 * hour, leaving.signal).then(() => woken.push('after three'))
  own.leap(2 * hour)
  await soon
  expect(woken).toEqual(['after an hour'])
  leaving.abort()
  await later
})
