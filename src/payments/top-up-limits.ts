// How much can be topped up: within the limits of the operator, and by the providers that take the amount.

import type { Kopecks } from '../money.ts'
import type { Provider } from './providers.ts'

export interface TopUpLimits {
  readonly min: Kopecks
  readonly max: Kopecks
}

interface Offer {
  readonly limits: TopUpLimits
  readonly providers: readonly Provider[]
}

/** The limits of a top-up by one provider. */
export const limitsBy = (
  { limits: { min, max } }: Pick<Offer, 'limits'>,
  { minCredit }: Pick<Provider, 'minCredit'>,
): TopUpLimits => ({ min: minCredit > min ? minCredit : min, max })

/** The limits of a top-up by the provider that takes the smallest amount. */
export function limitsByAny({ limits, providers }: Offer): TopUpLimits {
  const [first, ...others] = providers.map((provider) => limitsBy({ limits }, provider))
  return others.reduce((lowest, one) => (one.min < lowest.min ? one : lowest), first ?? limits)
}

export const isWithin = ({ min, max }: TopUpLimits, amount: Kopecks): boolean =>
  amount >= min && amount <= max

/** The providers that take this amount, in the order in which they are offered. */
export const providersFor = ({ limits, providers }: Offer, amount: Kopecks): readonly Provider[] =>
  providers.filter((one) => isWithin(limitsBy({ limits }, one), amount))
