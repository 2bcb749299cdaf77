// For the contract tests of payment providers: each provider with its local double, and the actions of users, the provider and the
// operator. A new provider needs an entry in `cases`.

import { createHash, createHmac } from 'node:crypto'
import { Bot } from 'grammy'
import type { Update } from 'grammy/types'
import { expect } from 'vitest'
import { createStarAccount, paymentUpdates } from '../../../src/bot/account/checkout.ts'
import { checkDueLinks, createNotifications } from '../../../src/payments/links.ts'
import type { Charge, Notice } from '../../../src/payments/provider.ts'
import type { ProviderId } from '../../../src/payments/providers.ts'
import { reconcile } from '../../../src/payments/reconcile.ts'
import { noteRefund } from '../../../src/payments/refunds.ts'
import type { TopUp } from '../../../src/payments/top-ups.ts'
import type { PaymentTarget } from '../../../src/sandbox/faults.ts'
import { loadTexts } from '../../../src/texts.ts'
import { startTelegram } from '../telegram/local-telegram.ts'
import { createUser, type SandboxUser } from '../users/user.ts'
import { noticeOf, openPaying } from './payments.ts'

export interface PaidTopUp {
  readonly chargeId: string
  /** Makes the provider report the payment in all of its ways. */
  report(): Promise<void>
  /** Refunds the payment at the provider, without the app. */
  refundElsewhere(): Promise<void>
  /** Tells the app of that refund. */
  reportRefund(): Promise<void>
}

export interface ProviderCase {
  /** The environment variables that switch the provider on; all are required. */
  readonly variables: readonly string[]
  readonly secrets: readonly string[]
  /** The price of 500 roubles of credit. */
  readonly charge: Charge
  /** Whether the app can refund through the provider. */
  readonly refunds: boolean
  /** The double of its API, if it has one. */
  readonly double?: PaymentTarget
  /** Asks the user to pay, and the user pays. */
  pay(user: Payer): Promise<PaidTopUp>
}

interface Payer {
  readonly id: bigint
  readonly telegramId: number
}

export const credit = 500_00n

type Env = Readonly<Record<string, string>>

/** A notification of Platega, as its documentation shows it. */
export const plategaNotice = ({ PLATEGA_MERCHANT_ID = '', PLATEGA_SECRET = '' }: Env, id: string): Notice =>
  noticeOf(
    { id, amount: 500, currency: 'RUB', status: 'CONFIRMED', paymentMethod: 2 },
    { 'x-merchantid': PLATEGA_MERCHANT_ID, 'x-secret': PLATEGA_SECRET },
  )

/** A notification of CryptoPay, as its documentation shows it, signed with the token. */
export function cryptopayNotice({ CRYPTOPAY_TOKEN = '' }: Env, id: string): Notice {
  const price = { currency_type: 'fiat', fiat: 'RUB', amount: '500.00' }
  const payload = { invoice_id: Number(id), status: 'paid', ...price }
  const about = { update_type: 'invoice_paid', request_date: '2026-11-28T00:00:00Z' }
  const { text } = noticeOf({ update_id: 1, ...about, payload })
  const key = createHash('sha256').update(CRYPTOPAY_TOKEN).digest()
  const signature = createHmac('sha256', key).update(text).digest('hex')
  return { text, header: (name) => (name === 'crypto-pay-api-signature' ? signature : '') }
}

export async function openProviders() {
  const local = await startTelegram()
  const bot = local.bot()
  const world = await openPaying(createStarAccount(bot.api))
  const reports: Update[] = []
  const deps = { ...world.deps, clock: world.clock, texts: loadTexts(), topUps: world.deps }
  // Updates about payments are collected instead of handled, so that a test decides when and how often they are reported.
  bot.on(['message:successful_payment', 'message:refunded_payment'], (ctx) => void reports.push(ctx.update))
  bot.use(paymentUpdates(deps))
  await new Promise<void>((resolve) => void bot.start({ onStart: () => resolve() }))
  const handler = new Bot(bot.token, { botInfo: bot.botInfo })
  handler.use(paymentUpdates(deps))

  const seen = async (find: (update: Update) => boolean): Promise<Update> => {
    await expect.poll(() => reports.some(find)).toBe(true)
    return reports.find(find) ?? expect.unreachable('the update was there')
  }

  async function payInvoice(id: ProviderId, topUp: TopUp, telegramId: number) {
    const anna: SandboxUser = await createUser(local.url, { first_name: 'Anna', id: telegramId })
    await anna.sends('/topup')
    const { way } = world.provider(id)
    if (way.by !== 'invoice') throw new Error(`${id} is not paid by invoice`)
    const charge = { currency: topUp.currency, amount: topUp.charge }
    const label = 'Top-up'
    const prices = [{ label, amount: Number(topUp.charge) }]
    const extras = { provider_token: way.token, ...way.extras(charge, label) }
    const shown = [label, label, topUp.id, topUp.currency, prices, extras] as const
    const invoice = await bot.api.sendInvoice(telegramId, ...shown)
    const paid = await anna.pays(invoice)
    if (!paid.ok) throw new Error(paid.error)
    const report = await seen((one) => one.message?.successful_payment?.invoice_payload === topUp.id)
    return { chargeId: paid.telegram_payment_charge_id, report }
  }

  const stars: ProviderCase = {
    variables: ['TOPUP_ROUBLES_PER_STAR'],
    secrets: [],
    charge: { currency: 'XTR', amount: 250n },
    refunds: true,
    async pay({ id, telegramId }) {
      const topUp = await world.open(id, credit, 'stars')
      const { chargeId, report } = await payInvoice('stars', topUp, telegramId)
      const compare = () => reconcile(world.deps, world.provider('stars'))
      return {
        chargeId,
        report: async () => void (await Promise.all([handler.handleUpdate(report), compare()])),
        refundElsewhere: async () => void (await bot.api.refundStarPayment(telegramId, chargeId)),
        async reportRefund() {
          const isRefund = ({ message }: Update) =>
            message?.refunded_payment?.telegram_payment_charge_id === chargeId
          const refund = await seen(isRefund)
          await Promise.all([handler.handleUpdate(refund), compare()])
        },
      }
    },
  }

  const telegramRub: ProviderCase = {
    variables: ['TOPUP_RUB_PROVIDER_TOKEN'],
    secrets: [world.env.TOPUP_RUB_PROVIDER_TOKEN ?? ''],
    charge: { currency: 'RUB', amount: credit },
    refunds: false,
    async pay({ id, telegramId }) {
      const topUp = await world.open(id, credit, 'telegram-rub')
      const { chargeId, report } = await payInvoice('telegram-rub', topUp, telegramId)
      return {
        chargeId,
        report: () => handler.handleUpdate(report),
        refundElsewhere: async () => undefined,
        // No update reports this refund, so the operator does.
        reportRefund: async () => void (await noteRefund(world.deps, 'telegram-rub', chargeId, credit)),
      }
    },
  }

  /** @param notice a notification of the provider about the payment */
  async function payLink(id: PaymentTarget, externalId: string, notice: Notice): Promise<PaidTopUp> {
    await world.decides(externalId, 'pay', id)
    const report = async () => {
      await createNotifications(world.deps).receive(id, notice)
      world.clock.advance(60_000)
      await checkDueLinks(world.deps)
    }
    const refundElsewhere = () => world.decides(externalId, 'refund', id)
    return { chargeId: externalId, report, refundElsewhere, reportRefund: report }
  }

  const usual = { charge: { currency: 'RUB', amount: credit }, refunds: true }
  const yookassa: ProviderCase = {
    ...usual,
    variables: ['YOOKASSA_SHOP_ID', 'YOOKASSA_SECRET_KEY'],
    secrets: [world.env.YOOKASSA_SECRET_KEY ?? ''],
    double: 'yookassa',
    async pay({ id }) {
      const { externalId, notification } = await world.link(id, credit)
      return payLink('yookassa', externalId, noticeOf(notification))
    },
  }

  const platega: ProviderCase = {
    ...usual,
    variables: ['PLATEGA_MERCHANT_ID', 'PLATEGA_SECRET'],
    secrets: [world.env.PLATEGA_SECRET ?? ''],
    double: 'platega',
    async pay({ id }) {
      const { externalId } = await world.linkBy('platega', id, credit)
      return payLink('platega', externalId, plategaNotice(world.env, externalId))
    },
  }

  const cryptopay: ProviderCase = {
    ...usual,
    variables: ['CRYPTOPAY_TOKEN'],
    secrets: [world.env.CRYPTOPAY_TOKEN ?? ''],
    refunds: false,
    double: 'cryptopay',
    async pay({ id }) {
      const { externalId } = await world.linkBy('cryptopay', id, credit)
      const paid = await payLink('cryptopay', externalId, cryptopayNotice(world.env, externalId))
      // Coins that are sent back by hand are not a refund of the invoice, so the operator reports it.
      const reportRefund = async () => void (await noteRefund(world.deps, 'cryptopay', externalId, credit))
      return { ...paid, reportRefund }
    },
  }

  const cases: Readonly<Record<ProviderId, ProviderCase>> = {
    ...{ stars, 'telegram-rub': telegramRub, yookassa, platega, cryptopay },
  }
  return {
    world,
    cases,
    async close() {
      await bot.stop()
      await local.discard()
      await world.close()
    },
  }
}
