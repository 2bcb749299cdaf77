// The list of payment providers, in the order in which users are offered them. A new provider is a folder and an entry here.

import type { z } from 'zod'
import { higher, type Kopecks, lower } from '../money.ts'
import type { Environment } from '../runtime/env-values.ts'
import { cryptopay } from './cryptopay/index.ts'
import { platega } from './platega/index.ts'
import type { Configured, ProviderContext, ProviderKind, ProviderMethods } from './provider.ts'
import { stars } from './stars/index.ts'
import { telegramRub } from './telegram-rub/index.ts'
import { yookassa } from './yookassa/index.ts'

/** Stars come first, since Telegram's terms allow nothing else for digital goods. */
const kinds = {
  stars,
  'telegram-rub': telegramRub,
  yookassa,
  platega,
  cryptopay,
} satisfies Record<string, ProviderKind>

export type ProviderId = keyof typeof kinds

export interface ConfiguredProvider extends Configured {
  readonly id: ProviderId
  readonly minCredit: Kopecks
}

export type Provider = ProviderMethods & Pick<ConfiguredProvider, 'id' | 'minCredit' | 'worth'>

const isProviderId = (name: string): name is ProviderId => Object.hasOwn(kinds, name)

export const providerIds: readonly ProviderId[] = Object.keys(kinds).filter(isProviderId)

export const providerVariables: readonly string[] = Object.values(kinds).flatMap(({ environment }) =>
  Object.keys(environment.in.shape),
)

/** The first provider of the list whose invoices in Telegram have this currency. */
export const providerOfInvoicesIn = (currency: string): ProviderId | undefined =>
  providerIds.find((id) => kinds[id].invoiceCurrency === currency)

/** @returns the providers that the environment switches on, and what is wrong with the variables of any */
export function configureProviders(environment: Environment): {
  readonly configured: readonly ConfiguredProvider[]
  readonly issues: readonly z.core.$ZodIssue[]
} {
  const results = providerIds.map((id) => ({ id, ...kinds[id].environment.safeParse(environment) }))
  return {
    configured: results.flatMap(({ id, data }) =>
      data ? [{ id, minCredit: kinds[id].minCredit ?? 0n, ...data }] : [],
    ),
    issues: results.flatMap(({ error }) => error?.issues ?? []),
  }
}

export const createProviders = (
  configured: readonly ConfiguredProvider[],
  context: ProviderContext,
): readonly Provider[] =>
  configured.map(({ id, minCredit, worth, create }) => ({ id, minCredit, worth, ...create(context) }))

// How much can be topped up: within the limits of the operator, and by the providers that take the amount.

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
): TopUpLimits => ({ min: higher(minCredit, min), max })

/** The limits of a top-up by the provider that takes the smallest amount. */
export function limitsByAny({ limits, providers }: Offer): TopUpLimits {
  const [first = limits.min, ...others] = providers.map((one) => limitsBy({ limits }, one).min)
  return { ...limits, min: others.reduce(lower, first) }
}

export const isWithin = ({ min, max }: TopUpLimits, amount: Kopecks): boolean =>
  amount >= min && amount <= max

/** The providers that take this amount, in the order in which they are offered. */
export const providersFor = ({ limits, providers }: Offer, amount: Kopecks): readonly Provider[] =>
  providers.filter((one) => isWithin(limitsBy({ limits }, one), amount))
