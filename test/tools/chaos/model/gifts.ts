// Computes what each person must get for promo codes and invitations.

import { type Due, type Entry, exactly, upTo } from './balances.ts'

export interface PromoCode {
  readonly code: string
  /** In kopecks. Each code has another amount, by which the bot's answer is recognised. */
  readonly amount: number
  /** The most people who may use the code. */
  readonly mostUses: number
  readonly isOver: boolean
}

export interface PromoFacts extends PromoCode {
  readonly redeemers: ReadonlySet<number>
  /** Whether the bot has said that the code was credited. */
  isTold(person: number): boolean
  /** Whether the person was banned, and so not answered, for some time. */
  wasBanned(person: number): boolean
}

/**
 * If more people tried a code than may use it, a person who was told of the credit has it; others may have it only if fewer people than
 * allowed were told.
 */
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

/** The least and the most uses of a code. */
export function promoUses({ mostUses, isOver, redeemers, wasBanned }: PromoFacts): Due {
  if (isOver) return exactly(0)
  const certain = [...redeemers].filter((person) => !wasBanned(person))
  return { least: Math.min(mostUses, certain.length), most: Math.min(mostUses, redeemers.size) }
}

export interface InvitationFacts {
  readonly friend: number
  readonly inviter: number
  readonly isCertain: boolean
  /** The number of the friend's payments that were not refunded. */
  readonly kept: number
  readonly givenBack: number
  /** Whether the inviter was banned for some time, since a banned inviter gets no bonus. */
  readonly wasBanned: boolean
}

/**
 * The bonus for the first payment of a friend. It is taken back when no payment of the friend is left, and not given again for a later one:
 * with some payments kept and others given back, their order decides.
 */
export function bonusOf(facts: InvitationFacts, bonus: number): Entry {
  const { friend, inviter, isCertain, kept, givenBack, wasBanned } = facts
  const isSure = isCertain && !wasBanned && (kept === 0 || givenBack === 0)
  const due = kept > 0 ? bonus : 0
  return { person: inviter, what: `invited ${friend}`, due: isSure ? exactly(due) : upTo(due) }
}
