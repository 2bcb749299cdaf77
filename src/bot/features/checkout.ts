// What Telegram says of payments. Checkout is answered before anything may hold it up; a payment counts once, by its charge id;
// a refund made elsewhere takes the credit back.

import { Composer, type Context } from 'grammy'
import type { PreCheckoutQuery, SuccessfulPayment } from 'grammy/types'
import { readBalance } from '../../ledger/ledger.ts'
import { ensureUser } from '../../ledger/user.ts'
import { formatRoubles } from '../../money.ts'
import { noteRefund } from '../../payments/refunds.ts'
import { checkPayment, creditPayment } from '../../payments/top-ups.ts'
import { localeOf, type Say } from '../../texts.ts'
import type { BotDeps, Ctx } from '../context.ts'

type Deps = Pick<BotDeps, 'db' | 'clock' | 'log' | 'texts' | 'topUps'>

/** Telegram waits 10 s for this answer, so it is installed before every lock and never waits longer for the database. */
export function checkout(deps: Deps): Composer<Context> {
  const composer = new Composer<Context>()
  composer.on('pre_checkout_query', async (ctx) => {
    const { from } = ctx.preCheckoutQuery
    const outcome = await inTime(deps, checkQuery(deps, ctx.preCheckoutQuery))
    if (outcome === 'ok') return void (await ctx.answerPreCheckoutQuery(true))
    const say = deps.texts(localeOf(from.language_code))
    await ctx.answerPreCheckoutQuery(false, say.plain(`checkout-${outcome}`))
  })
  return composer
}

const checkoutMs = 8000

async function inTime<T>({ clock, log }: Deps, check: Promise<T>): Promise<T | 'unavailable'> {
  const failed = (error: unknown) => {
    log.error({ error }, 'checkout can not be checked')
    return 'unavailable' as const
  }
  const late = clock.wait(checkoutMs).then(() => 'unavailable' as const)
  return Promise.race([check.catch(failed), late])
}

async function checkQuery(deps: Deps, query: PreCheckoutQuery) {
  const { from, currency, total_amount: total, invoice_payload: topUpId } = query
  const person = { telegramId: from.id, languageCode: from.language_code }
  const { user } = await ensureUser(deps.db, person, deps.clock.now())
  const paid = { topUpId, userId: user.id, currency, charge: BigInt(total) }
  const checked = await checkPayment(deps.topUps, paid)
  return checked.ok ? ('ok' as const) : checked.reason
}

/** Who is behind the message of a refund does not matter, so it is installed before anybody is recognised. */
export function refunds(deps: Deps): Composer<Context> {
  const composer = new Composer<Context>()
  composer.on('message:refunded_payment', async (ctx) => {
    const { currency, telegram_payment_charge_id: chargeId } = ctx.message.refunded_payment
    if (currency === 'XTR') await noteRefund(deps.topUps, 'stars', chargeId)
  })
  return composer
}

/** Installed before the conversations, which would swallow it. */
export function payments(deps: Deps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  composer.on('message:successful_payment', async (ctx) => {
    await ctx.reply(await credit(deps, ctx, ctx.message.successful_payment), { parse_mode: 'HTML' })
  })
  return composer
}

async function credit(deps: Deps, ctx: Ctx, payment: SuccessfulPayment): Promise<string> {
  const paid = {
    topUpId: payment.invoice_payload,
    userId: ctx.user.id,
    currency: payment.currency,
    charge: BigInt(payment.total_amount),
  }
  const credited = await creditPayment(deps.topUps, paid, payment.telegram_payment_charge_id)
  const { available } = await readBalance(deps.db, ctx.user.id)
  return creditText(ctx.say, credited, formatRoubles(available))
}

function creditText(
  say: Say,
  credited: Awaited<ReturnType<typeof creditPayment>>,
  available: string,
): string {
  if (credited.ok) return say.html('topup-done', { credit: formatRoubles(credited.credit), available })
  return say.html(credited.reason === 'duplicate' ? 'topup-before' : 'topup-unmatched', { available })
}
