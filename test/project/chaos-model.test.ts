// The model of the fault harness: what people saw and paid, what was booked outside, and what must follow from it.

import { describe, expect, it } from 'vitest'
import { type AnswerFacts, faultsOfAnswers } from '../chaos/model/answers.ts'
import { exactly, faultsOfBalances, upTo } from '../chaos/model/balances.ts'
import { disturbedBy } from '../chaos/model/disturbed.ts'
import { priceOfTokens } from '../chaos/model/rates.ts'
import { amountsIn } from '../chaos/model/roubles.ts'
import { movesOf, together } from '../chaos/model/wallets.ts'

const person = 7

it('reads amounts as they are shown', () => {
  expect(amountsIn('₽1,092.45 and ₽0.01, not ₽5')).toEqual([109_245, 1])
})

it('rounds the price of an answer up once', () => {
  expect(priceOfTokens({ input: '39.62', output: '158.46' }, 1_000_000, 0)).toBe(3962)
  expect(priceOfTokens({ input: '39.62', output: '158.46' }, 1, 1)).toBe(1)
})

describe('an answer', () => {
  const bill = {
    number: 1,
    text: 'A whole answer.',
    input: 10_000,
    output: 10_000,
    isWhole: true,
    begunAt: 0,
    endedAt: 100,
  }
  const turn = { id: 'turn', number: 1, captured: 199, refunded: 0, delivery: 'delivered' }
  const said = (words: string, label = '₽1.99') => [{ id: 1, words, buttons: [{ data: 'cc:turn', label }] }]
  const faultsOf = (change: Partial<AnswerFacts>) =>
    faultsOfAnswers({
      questions: [{ number: 1, person }],
      billed: [bill],
      booked: [turn],
      saidTo: () => said('A whole answer.'),
      wasDisturbed: () => false,
      rates: { input: '39.62', output: '158.46' },
      ...change,
    }).map(({ fact }) => fact)

  it('costs what was billed, as its button says', () => {
    expect(faultsOf({})).toEqual([])
    expect(
      faultsOf({ booked: [{ ...turn, captured: 200 }], saidTo: () => said('A whole answer.', '₽2.00') }),
    ).toHaveLength(1)
    expect(faultsOf({ saidTo: () => said('A whole answer.', '₽1.98') })).toHaveLength(1)
  })

  it('is complete in its chat', () => {
    expect(faultsOf({ saidTo: () => said('A whole') })).toHaveLength(1)
  })

  it('may end early when its process was disturbed, and then costs at most what is shown', () => {
    const wasDisturbed = () => true
    const early = { ...bill, output: 10_000, text: 'x'.repeat(40_000) }
    const part = said('x'.repeat(4000), '₽0.80')
    const facts = { wasDisturbed, billed: [early], saidTo: () => part }
    expect(faultsOf({ ...facts, booked: [{ ...turn, captured: 80 }] })).toEqual([])
    expect(faultsOf({ ...facts, booked: [{ ...turn, captured: 199 }] })).not.toEqual([])
  })

  it('without a bill is free', () => {
    expect(faultsOf({ billed: [], saidTo: () => said('❌ No answer came.') })).toHaveLength(1)
  })

  it('is asked for once, and after its money was held', () => {
    expect(faultsOf({ billed: [bill, bill] })).toHaveLength(1)
    expect(faultsOf({ booked: [] })).toHaveLength(1)
  })
})

describe('a balance', () => {
  const faultsOf = (available: number, said: number | undefined = available, held = 0) =>
    faultsOfBalances({
      people: [person],
      entries: [
        { person, what: 'welcome', due: exactly(100) },
        { person, what: 'correction', due: upTo(-10) },
      ],
      kept: [{ person, available, held }],
      saidBy: () => said,
    })

  it('is the sum of what is due, and what the bot says', () => {
    expect(faultsOf(100)).toEqual([])
    expect(faultsOf(90)).toEqual([])
    expect(faultsOf(101)).toHaveLength(1)
    expect(faultsOf(89)).toHaveLength(1)
    expect(faultsOf(100, 99)).toHaveLength(1)
    expect(faultsOf(100, 100, 1)).toHaveLength(1)
  })
})

describe('the wallet of a group', () => {
  const [owner, id] = [person, -5]
  const move = { way: 'in', amount: 10_000, taps: ['a', 'b'] } as const
  const facts = (answer: string | undefined) => ({
    id,
    owner,
    moves: new Map([['gwf:1', move]]),
    answerTo: (tap: string) => (tap === 'b' ? answer : ''),
  })

  it('has what a button moved, once, if the bot said so', () => {
    const entries = movesOf(facts('₽100.00 added to the wallet'))
    expect(entries.map(({ person: whose, due }) => [whose, due])).toEqual([
      [owner, exactly(-10_000)],
      [id, exactly(10_000)],
    ])
  })

  it('may have it or not without an answer, but the sum with the balance of its owner is the same', () => {
    const entries = movesOf(facts(undefined))
    expect(entries.map(({ due }) => due)).toEqual([upTo(-10_000), upTo(10_000)])
    const spent = { person: id, what: 'o00001x', due: exactly(-500) }
    expect(together([...entries, spent], facts(undefined))).toEqual([spent])
  })
})

it('knows when a process or the database was disturbed', () => {
  const wasDisturbed = disturbedBy([
    { at: 1000, what: 'process :1 killed' },
    { at: 9000, what: 'database: answers later than a lease' },
    { at: 20_000, what: 'process :1 started' },
  ])
  expect([wasDisturbed(0, 999), wasDisturbed(900, 1100), wasDisturbed(1001, 8000)]).toEqual([
    false,
    true,
    false,
  ])
  expect([wasDisturbed(11_000, 11_100), wasDisturbed(19_000, 21_000)]).toEqual([true, false])
})
