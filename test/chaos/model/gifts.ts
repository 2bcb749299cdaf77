// What promo codes and invitations are worth to whom.

import { type Due, type Entry, exactly, upTo } from './balances.ts'

export interface PromoCode {
  readonly code: string
  /** In kopecks; different for each code, by which its answer is recognised. */
  readonly amount: number
  /** How many people may use it. */
  readonly mostUses: number
  readonly isOver: boolean
}

export interface PromoFacts extends PromoCode {
  readonly redeemers: ReadonlySet<number>
  /** Whether the bot has said that the code was credited. */
  isTold(person: number): boolean
  /** Whether somebody was not answered for some time. */
  wasBanned(person: number): boolean
}

/** Where fewer may use a code than want to, who was told has it; others may have it as long as not all uses are told. */
export function promoEntries(facts: PromoFacts): readonly Entry[] {
  const { code, redeemers } = facts
  return [...redeemers].map((person) => ({ person, what: `promo ${code}`, due: promoDue(facts, person) }))
}

function promoDue(facts: PromoFacts, person: number): Due {
  const { amount, mostUses, isOver, redeemers } = facts
  if (isOver) return exactly(0)
  if (facts.isTold(person)) return exactly(amount)
  if (redeemers.size <= mostUses) return facts.wasBanned(person) ? upTo(amount) : exactly(amount)
  const told = [...redeemers].filter((one) => facts.isTold(one))
  return told.length < mostUses ? upTo(amount) : exactly(0)
}

/** The least and the most uses. */
export function promoUses({ mostUses, isOver, redeemers, wasBanned }: PromoFacts): Due {
  if (isOver) return exactly(0)
  const certain = [...redeemers].filter((person) => !wasBanned(person))
  return { least: Math.min(mostUses, certain.length), most: Math.min(mostUses, redeemers.size) }
}

export interface InvitationFacts {
  readonly friend: number
  readonly inviter: number
  readonly isCertain: boolean
  /** The payments of the friend. */
  readonly kept: number
  readonly givenBack: number
  /** A banned inviter gets nothing. */
  readonly wasBanned: boolean
}

/** For the first payment of a friend. It stays when the payment is given back later. */
export function bonusOf(facts: InvitationFacts, bonus: number): Entry {
  const { friend, inviter, isCertain, kept, givenBack, wasBanned } = facts
  const hasPaid = kept + givenBack > 0
  const isSure = isCertain && !wasBanned && (kept > 0 || !hasPaid)
  const due = hasPaid ? bonus : 0
  return { person: inviter, what: `invited ${friend}`, due: isSure ? exactly(due) : upTo(due) }
}
