// Judges promo codes and invitations by the harness's model.

import { z } from 'zod'
import type { Entry } from '../model/balances.ts'
import { bonusOf, type PromoFacts, promoEntries, promoUses } from '../model/gifts.ts'
import { amountIn } from '../model/roubles.ts'
import { referralBonus } from '../offer.ts'
import type { Check, Evidence } from './check.ts'

const promosOf = ({ promoCodes, chats, desk }: Evidence): readonly PromoFacts[] =>
  promoCodes.map((promo) => ({
    ...promo,
    isTold: (person) =>
      chats
        .of(person)
        .told()
        .some(({ words }) => /^🎁 ₽[\d.,]+ added/u.test(words) && amountIn(words) === promo.amount),
    wasBanned: (person) => desk.banned.has(person),
  }))

export const giftsOf = (evidence: Evidence): readonly Entry[] => [
  ...promosOf(evidence).flatMap(promoEntries),
  ...bonuses(evidence),
]

function bonuses({ invitations, payments, books, desk }: Evidence): readonly Entry[] {
  const booked = payments.filter(({ charge, asked }) => books.paid.get(charge) === asked)
  const own = Map.groupBy(booked, ({ person }) => person)
  return [...invitations].map(([friend, { inviter, isCertain }]) => {
    const paid = own.get(friend) ?? []
    const givenBack = paid.filter(({ charge }) => books.refunded.has(charge)).length
    const wasBanned = desk.banned.has(inviter)
    const facts = { friend, inviter, isCertain, kept: paid.length - givenBack, givenBack, wasBanned }
    return bonusOf(facts, referralBonus)
  })
}

const row = z.object({ code: z.string(), uses: z.coerce.number() })

export const promoLimitsAreKept: Check = {
  name: 'each promo code is used as often as it may and people want to',
  async find(evidence) {
    const found = await evidence.database.sql`select code, uses from promo_codes`
    const uses = new Map(found.map((one) => row.parse(one)).map((one) => [one.code, one.uses]))
    return promosOf(evidence).flatMap((promo) => {
      const used = uses.get(promo.code) ?? 0
      const { least, most } = promoUses(promo)
      evidence.journal.count(`promo code ${promo.code} used`, used)
      const fact = `used ${used} times instead of ${least} to ${most}`
      return used < least || used > most ? [{ about: `promo code ${promo.code}`, fact }] : []
    })
  },
}

export const everyBonusIsTold: Check = {
  name: 'each bonus for an invitation is told',
  find(evidence) {
    const due = bonuses(evidence).filter((entry) => entry.due.least > 0)
    evidence.journal.count('bonuses for invitations', due.length)
    return [...Map.groupBy(due, ({ person }) => person)].flatMap(([person, own]) => {
      const told = evidence.chats
        .of(person)
        .told()
        .filter(({ words }) => /^🎁 A friend you invited has topped up/u.test(words))
      const fact = `${own.length} bonuses, ${told.length} messages`
      return told.length < own.length ? [{ about: String(person), fact }] : []
    })
  },
}
