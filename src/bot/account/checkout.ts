// Payments inside Telegram: the checkout query, the payment, the refund. A payment is credited once, by its charge id; a refund made
// outside of the bot takes the credit, whichever of the two reports comes first.

import type { Composer, Context } from 'grammy'
import type { PreCheckoutQuery, SuccessfulPayment, User } from 'grammy/types'
import { providerOfInvoice } from '../../payments/invoices.ts'
import { noteMovement } from '../../payments/reconcile.ts'
import { checkPayment, creditPayment, notifyUnmatched } from '../../payments/top-ups.ts'
import { allSettledWithin } from '../../runtime/clock.ts'
import { localeOf } from '../../texts.ts'
import { ensureUser } from '../../users/user.ts'
import type { BotDeps } from '../context.ts'
import { Routes } from '../routes.ts'

type Deps = Pick<BotDeps, 'db' | 'clock' | 'log' | 'texts' | 'topUps'>

/** Telegram waits 10 s for this answer, so it takes no lock and waits at most 8 s for the database. */
export function checkout(deps: Deps): Composer<Context> {
  const composer = new Routes<Context>()
  composer.on('pre_checkout_query', async (ctx) => {
    const { from } = ctx.preCheckoutQuery
    const outcome = await withinLimit(deps, checkQuery(deps, ctx.preCheckoutQuery))
    if (outcome === 'ok') return void (await ctx.answerPreCheckoutQuery(true))
    const say = deps.texts(localeOf(from.language_code))
    await ctx.answerPreCheckoutQuery(false, say.plain(`checkout-${outcome}`))
  })
  return composer
}

const limitMs = 8000

async function withinLimit<T>({ clock, log }: Deps, check: Promise<T>): Promise<T | 'unavailable'> {
  const failed = (error: unknown) => {
    log.error({ error }, 'checkout cannot be checked')
    return 'unavailable' as const
  }
  const answer = check.catch(failed)
  return (await allSettledWithin([answer], clock, limitMs)) ? answer : 'unavailable'
}

async function checkQuery(deps: Deps, query: PreCheckoutQuery) {
  const { from, currency, total_amount: total, invoice_payload: topUpId } = query
  const person = { telegramId: from.id, languageCode: from.language_code }
  const { user } = await ensureUser(deps.db, person, deps.clock.now())
  const paid = { topUpId, userId: user.id, currency, charge: BigInt(total) }
  const checked = await checkPayment(deps.topUps, paid)
  return checked.ok ? ('ok' as const) : checked.reason
}

/** A refund concerns a charge, not a user, so it is installed before users are recognised. */
export function refunds(deps: Deps): Composer<Context> {
  const composer = new Routes<Context>()
  composer.on('message:refunded_payment', async (ctx) => {
    const {
      currency,
      invoice_payload: topUpId,
      telegram_payment_charge_id: chargeId,
      total_amount: total,
    } = ctx.message.refunded_payment
    const provider = await providerOfInvoice(deps.db, { topUpId, currency })
    const charge = { currency, amount: BigInt(total) }
    const refund = { is: 'refunded', chargeId, topUpId, telegramId: ctx.chatId, charge } as const
    await noteMovement(deps.topUps, provider, refund)
  })
  return composer
}

/**
 * Credits the payment; the thanks are a notice, sent separately. Installed before users are recognised, so that neither a failed
 * message nor a ban prevents the credit.
 */
export function payments(deps: Deps): Composer<Context> {
  const composer = new Routes<Context>()
  composer.on('message:successful_payment', async (ctx) => {
    if (ctx.from) await credit(deps, ctx.from, ctx.chatId, ctx.message.successful_payment)
  })
  return composer
}

async function credit(deps: Deps, from: User, chatId: number, payment: SuccessfulPayment): Promise<void> {
  const person = { telegramId: from.id, languageCode: from.language_code }
  const { user } = await ensureUser(deps.db, person, deps.clock.now())
  const { currency, invoice_payload: topUpId, telegram_payment_charge_id: chargeId } = payment
  const provider = await providerOfInvoice(deps.db, { topUpId, currency })
  const paid = { provider, topUpId, userId: user.id, currency, charge: BigInt(payment.total_amount), chatId }
  const credited = await creditPayment(deps.topUps, paid, chargeId)
  if (!credited.ok && credited.reason === 'unmatched')
    await notifyUnmatched(deps.topUps, user.id, chatId, chargeId)
}
