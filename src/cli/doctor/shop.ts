// Checks what is sold and how it is paid: payment methods, texts, catalog, operators.

import { type Catalog, createCatalog } from '../../catalog/catalog.ts'
import { models } from '../../catalog/index.ts'
import type { Model } from '../../catalog/model.ts'
import { offeredModels } from '../../catalog/text-models.ts'
import type { Config } from '../../config.ts'
import { decimal, type Fraction, times } from '../../money.ts'
import { type ConfiguredProvider, createProviders, type Provider } from '../../payments/providers.ts'
import { createMyTax } from '../../payments/self-employed/my-tax.ts'
import type { Clock } from '../../runtime/clock.ts'
import { type Check, type Finding, type Maybe, note, ok, wrong } from './finding.ts'

export const catalogOf = ({ catalog, publicUrl }: Config): Catalog =>
  createCatalog(models, catalog, { canCallBack: publicUrl !== undefined })

export const catalogCheck = (config: Config): Check => ({
  subject: 'catalog',
  async run() {
    const catalog = catalogOf(config)
    const lacking = (lacks: (model: Model) => boolean) =>
      catalog.models
        .filter(lacks)
        .map(({ id }) => id)
        .join(', ')
    const [nameless, uncallable] = [lacking(catalog.lacksGatewayId), lacking(catalog.lacksCallback)]
    const isVoiceless = (model: Model) =>
      catalog.isOffered(model) &&
      catalog.voices(model).length === 0 &&
      model.fields.some((field) => field.kind === 'text' && field.source === 'voices')
    const voiceless = lacking(isVoiceless)
    const texts = offeredModels(config.textModels).length
    const count = `${catalog.offered().length} models and ${texts} text models are offered`
    return [
      catalog.offered().length + texts > 0
        ? ok(count)
        : wrong(`${count}: write CATALOG_FILE (npm run catalog -- --example)`),
      nameless !== '' && note(`not offered without "gatewayId" in CATALOG_FILE: ${nameless}`),
      uncallable !== '' && note(`not offered without PUBLIC_URL: ${uncallable}`),
      voiceless !== '' &&
        note(`users have to type the id of a voice, since "voices" in CATALOG_FILE is empty: ${voiceless}`),
      ...config.topUp.providers.flatMap((provider) =>
        marginOf(provider, multipliers(config, catalog), giftsOf(config)),
      ),
    ]
  },
})

interface Multiplier {
  readonly id: string
  readonly multiplier: Fraction
}

/** The lowest ratio of price and cost of each offer: surcharges and rounding only raise it. */
const multipliers = ({ catalog: settings, textModels }: Config, catalog: Catalog): readonly Multiplier[] => [
  ...catalog.offered().map(({ id }) => ({ id, multiplier: decimal(settings[id]?.multiplier ?? 1) })),
  ...offeredModels(textModels).map(({ id, multiplier }) => ({ id, multiplier: decimal(multiplier) })),
]

/** The most that each top-up may bring beside its credit, in percent of it: to its payer and to the inviter. */
const giftsOf = ({ topUp: { bonusSteps }, referralPercent }: Config): number =>
  Math.max(0, ...bonusSteps.map(({ percent }) => percent)) + referralPercent

/**
 * What the operator gets for each rouble that the gateway costs, when users pay by this provider.
 * @param gifts percents of a top-up
 */
function marginOf({ id, worth }: ConfiguredProvider, sold: readonly Multiplier[], gifts: number): Maybe[] {
  const { credit, income } = worth
  if (!income)
    return [note(`${id}: whether sales cover the gateway's cost is not known: set ${incomeVariables[id]}`)]
  const share = times(income, { num: credit.den, den: credit.num })
  const ratios = sold.map(({ id: model, multiplier }) => ({ model, ratio: times(multiplier, share) }))
  const shown = (some: typeof ratios) =>
    some
      .map(({ model, ratio: { num, den } }) => `${model} ${(Number((num * 100n) / den) / 100).toFixed(2)}`)
      .join(', ')
  const losing = ratios.filter(({ ratio: { num, den } }) => num < den)
  const even = ratios.filter(({ ratio: { num, den } }) => num === den)
  const given = ratios.filter(
    ({ ratio: { num, den } }) => num > den && num * 100n < den * BigInt(100 + gifts),
  )
  if (losing.length + even.length + given.length === 0)
    return [ok(`${id}: every sale covers the gateway's cost and the commission`)]
  const advice = `raise "multiplier"${id === 'stars' ? ', or lower TOPUP_ROUBLES_PER_STAR' : ''}`
  return [
    losing.length > 0 &&
      wrong(
        `${id}: sold at a loss, you get less than a rouble for a rouble of the gateway's cost (${shown(losing)}): ${advice}`,
      ),
    even.length > 0 &&
      note(`${id}: sold at cost, nothing is left for you: ${even.map(({ model }) => model).join(', ')}`),
    given.length > 0 &&
      note(
        `${id}: TOPUP_BONUS and REFERRAL_PERCENT give up to ${gifts}% of a top-up, with which this is sold at a loss (${shown(given)}): lower them, or ${advice}`,
      ),
  ]
}

const incomeVariables = {
  stars: 'STAR_INCOME',
  'telegram-rub': 'TOPUP_RUB_COMMISSION',
  yookassa: 'YOOKASSA_COMMISSION',
  platega: 'PLATEGA_COMMISSION',
  cryptopay: 'CRYPTOPAY_COMMISSION',
} as const satisfies Record<ConfiguredProvider['id'], string>

export const textsCheck = ({ textsDir, operator }: Config): Check => ({
  subject: 'texts',
  run: async () => [
    ok(
      textsDir
        ? `those in ${textsDir} replace the built-in ones`
        : 'the built-in ones; your own go into TEXTS_DIR',
    ),
    !operator.contact &&
      note('no SUPPORT_CONTACT: users can write to the operators only by /support, which needs ADMIN_IDS'),
    !operator.consentVersion &&
      note('no CONSENT_VERSION: users pay without being asked to accept /terms and /privacy'),
    operator.ids.length === 0 &&
      note('no ADMIN_IDS: alarms and summaries reach nobody, and nobody may do everything in /admin'),
    ...supportOf(operator),
  ],
})

function supportOf({ ids, supportIds, supportRefundLimit: limit }: Config['operator']): Maybe[] {
  const both = supportIds.filter((id) => ids.includes(id)).join(', ')
  if (supportIds.length === 0)
    return [limit > 0n && note('SUPPORT_REFUND_LIMIT concerns nobody: there are no SUPPORT_IDS')]
  return [
    both !== '' && wrong(`SUPPORT_IDS: ${both} may do everything by ADMIN_IDS: take the id out of one list`),
    limit === 0n && note('no SUPPORT_REFUND_LIMIT: those in SUPPORT_IDS may refund nothing'),
  ]
}

export const paymentsCheck = ({ topUp }: Config): Check => ({
  subject: 'payments',
  async run() {
    if (topUp.providers.length === 0)
      return [note('no method is configured, so /topup says that top-ups are off')]
    const unavailable = async () => ({ is: 'unavailable', said: 'not asked here' }) as const
    const providers = createProviders(topUp.providers, {
      vatCode: topUp.vatCode,
      returnUrl: () => 'https://t.me',
      starAccount: { refund: unavailable, transactions: async () => ({ count: 0, movements: [] }) },
    })
    const findings = await Promise.all(providers.map(askProvider))
    for (const provider of providers) await provider.close?.()
    return findings
  },
})

/** Checks a provider. A provider whose API has no check of its own is asked about a payment that does not exist. */
async function askProvider({ id, way }: Provider): Promise<Finding> {
  if (way.by === 'invoice') return note(`not checked: ${id} is configured; only a payment proves it`)
  const state = (await way.check?.()) ?? (await way.read('00000000-doctor'))
  // A status without words may come from any server.
  if (state.is === 'refused' && /^\d+$/.test(state.said))
    return note(
      `not checked: ${id} answers ${state.said} without words, as any server might; only a payment proves it`,
    )
  if (state.is !== 'unavailable') return ok(`${id} answers and accepts the key`)
  return wrong(`${id}: ${state.said}: check its credentials and the network`)
}

export const receiptsCheck = ({ topUp: { selfEmployed }, operator }: Config, clock: Clock): Check => ({
  subject: 'receipts',
  async run() {
    if (!selfEmployed) return []
    const service = createMyTax(selfEmployed, clock, operator.timeZone)
    const opened = await service.signIn()
    await service.close()
    const names = selfEmployed.providers.join(', ')
    return opened.is === 'answer'
      ? [
          ok(
            `“Мой налог” accepts the taxpayer and the password; payments in roubles by ${names} get receipts`,
          ),
        ]
      : [
          wrong(
            `“Мой налог”: ${opened.said}: check SELF_EMPLOYED_INN, SELF_EMPLOYED_PASSWORD and the network`,
          ),
        ]
  },
})
