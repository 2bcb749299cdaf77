// A question to a text model, and a promo code: money that moves without a card.

import type { Errand } from './errands.ts'

/** Answers come beside everything else, so nobody waits for them. */
export const talk: Errand = (_, person) => person.says(`What is ${person.chance.between(1, 99)} times two?`)

/** Good once, however often it is tried. */
export const redeem: Errand = (town, person) => person.says(`/promo ${town.promoCode}`)
