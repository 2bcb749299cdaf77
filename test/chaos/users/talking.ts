// Questions to a text model, and a promo code: charges and credits without a card.

import type { Errand } from './errands.ts'

/** The share of questions whose answer takes several messages. */
const longShare = 0.4

/** Every question is different, so that its answer is recognised. The person does not wait for the answer. */
export const talk: Errand = ({ asked }, person) => {
  const length = person.chance.happens(longShare) ? ' [long]' : ''
  return person.says(`Question ${asked.next().value}: what is it about?${length}`)
}

/** It is credited once, however often it is tried. */
export const redeem: Errand = (town, person) => person.says(`/promo ${town.promoCode}`)
