// The model of the fault harness: what promo codes and invitations are worth.

import { describe, expect, it } from 'vitest'
import { exactly, upTo } from '../chaos/model/balances.ts'
import { bonusOf, promoEntries, promoUses } from '../chaos/model/gifts.ts'

describe('a promo code', () => {
  const facts = (mostUses: number, told: readonly number[], isOver = false) => ({
    code: 'CODE',
    amount: 500,
    mostUses,
    isOver,
    redeemers: new Set([1, 2, 3]),
    isTold: (person: number) => told.includes(person),
    wasBanned: (person: number) => person === 3,
  })
  const duesOf = (...args: Parameters<typeof facts>) => promoEntries(facts(...args)).map(({ due }) => due)

  it('is worth its amount to everybody, and perhaps nothing to whoever was banned', () => {
    expect(duesOf(10, [])).toEqual([exactly(500), exactly(500), upTo(500)])
    expect(promoUses(facts(10, []))).toEqual({ least: 2, most: 3 })
  })

  it('that few may use is worth it to those who were told so, and nothing to others once all uses are told', () => {
    expect(duesOf(1, [2])).toEqual([exactly(0), exactly(500), exactly(0)])
    expect(duesOf(2, [2])).toEqual([upTo(500), exactly(500), upTo(500)])
    expect(promoUses(facts(1, []))).toEqual(exactly(1))
  })

  it('that has expired is worth nothing', () => {
    expect(duesOf(10, [], true)).toEqual([exactly(0), exactly(0), exactly(0)])
    expect(promoUses(facts(10, [], true))).toEqual(exactly(0))
  })
})

describe('an invitation', () => {
  const friend = { friend: 2, inviter: 1, isCertain: true, kept: 1, givenBack: 0, wasBanned: false }
  const dueOf = (change: Partial<typeof friend>) => bonusOf({ ...friend, ...change }, 1100).due

  it('is worth one bonus once the friend has paid', () => {
    expect(dueOf({ kept: 3 })).toEqual(exactly(1100))
    expect(dueOf({ kept: 0 })).toEqual(exactly(0))
  })

  it('may be worth nothing if all was given back, the inviter was banned, or the first message was not answered', () => {
    for (const change of [{ kept: 0, givenBack: 1 }, { wasBanned: true }, { isCertain: false }])
      expect(dueOf(change)).toEqual(upTo(1100))
  })
})
