// Questions to a text model, and a promo code: money that moves without a card.

import type { Errand } from './errands.ts'

/** Of which an answer takes several messages. */
const longShare = 0.4

/** Each is another question, so that its answer can be told from others. Nobody waits for it. */
export const talk: Errand = ({ asked }, person) => {
  const length = person.chance.happens(longShare) ? ' [long]' : ''
  return person.says(`Question ${asked.next().value}: what is it about?${length}`)
}

/** It is credited once, however often it is tried. */
export const redeem: Errand = (town, person) => person.says(`/promo ${town.promoCode}`)
