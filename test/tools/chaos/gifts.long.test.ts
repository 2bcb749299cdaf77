// The model of the fault harness: the credit for promo codes and invitations.

import { describe, expect, it } from 'vitest'
import { bonusOf, exactly, promoEntries, promoUses, upTo } from './model/balances.ts'

describe('promoEntries and promoUses', () => {
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

  it('credit a promo code to every person who tried it, and possibly nothing to a banned person', () => {
    expect(duesOf(10, [])).toEqual([exactly(500), exactly(500), upTo(500)])
    expect(promoUses(facts(10, []))).toEqual({ least: 2, most: 3 })
  })

  it('credit a limited promo code to people who were told so, and to others only if uses are left', () => {
    expect(duesOf(1, [2])).toEqual([exactly(0), exactly(500), exactly(0)])
    expect(duesOf(2, [2])).toEqual([upTo(500), exactly(500), upTo(500)])
    expect(promoUses(facts(1, []))).toEqual(exactly(1))
  })

  it('credit nothing for an expired promo code', () => {
    expect(duesOf(10, [], true)).toEqual([exactly(0), exactly(0), exactly(0)])
    expect(promoUses(facts(10, [], true))).toEqual(exactly(0))
  })
})

describe('bonusOf', () => {
  const friend = { friend: 2, inviter: 1, isCertain: true, kept: 1, givenBack: 0, wasBanned: false }
  const dueOf = (change: Partial<typeof friend>) => bonusOf({ ...friend, ...change }, 1100).due

  it('gives the inviter one bonus if the friend paid, and none otherwise', () => {
    expect(dueOf({ kept: 3 })).toEqual(exactly(1100))
    expect(dueOf({ kept: 0 })).toEqual(exactly(0))
  })

  it('leaves no bonus if all payments were refunded', () => {
    expect(dueOf({ kept: 0, givenBack: 1 })).toEqual(exactly(0))
  })

  it('allows no bonus if some payments were refunded, the inviter was banned, or the link was not answered', () => {
    for (const change of [{ kept: 1, givenBack: 1 }, { wasBanned: true }, { isCertain: false }])
      expect(dueOf(change)).toEqual(upTo(1100))
  })
})
