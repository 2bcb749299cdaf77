// The model of the fault harness: amounts, prices, balances, wallets and disturbances.

import { describe, expect, it } from 'vitest'
import { priceOfTokens } from './model/answers.ts'
import {
  amountsIn,
  disturbedBy,
  exactly,
  faultsOfBalances,
  movesOf,
  together,
  upTo,
} from './model/balances.ts'

const person = 7

it('amountsIn reads the amounts in a text of the bot', () => {
  expect(amountsIn('₽1,092.45 and ₽0.01, not ₽5')).toEqual([109_245, 1])
})

it('priceOfTokens rounds the sum of both prices up once', () => {
  expect(priceOfTokens({ input: '39.62', output: '158.46' }, 1_000_000, 0)).toBe(3962)
  expect(priceOfTokens({ input: '39.62', output: '158.46' }, 1, 1)).toBe(1)
})

describe('faultsOfBalances', () => {
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

  it('accepts a balance in the range of the sum of its entries that the bot also states, and nothing held', () => {
    expect(faultsOf(100)).toEqual([])
    expect(faultsOf(90)).toEqual([])
    expect(faultsOf(101)).toHaveLength(1)
    expect(faultsOf(89)).toHaveLength(1)
    expect(faultsOf(100, 99)).toHaveLength(1)
    expect(faultsOf(100, 100, 1)).toHaveLength(1)
  })
})

describe('the model of a group wallet', () => {
  const [owner, id] = [person, -5]
  const move = { way: 'in', amount: 10_000, taps: ['a', 'b'] } as const
  const facts = (answer: string | undefined, mayBeEmptied = false) => ({
    id,
    owner,
    moves: new Map([['gwf:1', move]]),
    mayBeEmptied,
    answerTo: (tap: string) => (tap === 'b' ? answer : ''),
  })

  it('moves the amount of a button once if the bot confirmed it', () => {
    const entries = movesOf(facts('₽100.00 added to the wallet'))
    expect(entries.map(({ person: whose, due }) => [whose, due])).toEqual([
      [owner, exactly(-10_000)],
      [id, exactly(10_000)],
    ])
  })

  it("accepts a move without an answer as done or not done, but expects the sum with the owner's balance to be exact", () => {
    const entries = movesOf(facts(undefined))
    expect(entries.map(({ due }) => due)).toEqual([upTo(-10_000), upTo(10_000)])
    const spent = { person: id, what: 'o00001x', due: exactly(-500) }
    expect(together([...entries, spent], facts(undefined))).toEqual([spent])
  })

  it("accepts that a refund of the owner's payment has emptied the wallet, but expects the sum with the balance to be exact", () => {
    const given = facts('₽100.00 added to the wallet', true)
    const entries = movesOf(given)
    expect(entries.map(({ person: whose, due }) => [whose, due])).toEqual([
      [owner, exactly(-10_000)],
      [id, exactly(10_000)],
      [owner, upTo(10_000)],
      [id, upTo(-10_000)],
    ])
    expect(together(entries, given)).toEqual([])
  })
})

it('disturbedBy finds the times at which a process, the database or the machine was disturbed', () => {
  const wasDisturbed = disturbedBy([
    { at: 1000, what: 'process :1 killed' },
    { at: 9000, what: 'database: answers later than a lease' },
    { at: 11_600, what: 'database: answers were later than a lease for 2600 ms' },
    { at: 20_000, what: 'process :1 started' },
    { at: 40_000, what: 'machine: was too slow for 9000 ms' },
    { at: 50_000, what: 'process :1 paused' },
    { at: 50_500, what: 'process :2 resumed after 700 ms' },
    { at: 53_000, what: 'process :1 resumed after 3000 ms' },
  ])
  expect([wasDisturbed(0, 999), wasDisturbed(900, 1100), wasDisturbed(1001, 8000)]).toEqual([
    false,
    true,
    false,
  ])
  expect([wasDisturbed(11_000, 11_100), wasDisturbed(19_000, 21_000)]).toEqual([true, false])
  expect([wasDisturbed(31_000, 31_100), wasDisturbed(30_000, 30_900)]).toEqual([true, false])
  expect([wasDisturbed(52_000, 52_100), wasDisturbed(53_001, 54_000)]).toEqual([true, false])
})
