// /topup and its invoices. Checkout is answered before anything may hold it up; a payment counts once, by its charge id.

import { Composer, type Context, InlineKeyboard } from 'grammy'
import type { PreCheckoutQuery, SuccessfulPayment } from 'grammy/types'
import { readBalance } from '../../ledger/ledger.ts'
import { ensureUser } from '../../ledger/user.ts'
import { formatRoubles, type Kopecks, parseRoubles } from '../../money.ts'
import { checkPayment, creditPayment, openTopUp } from '../../payments/top-ups.ts'
import type { Say } from '../../texts.ts'
import { localeOf } from '../../texts.ts'
import type { BotDeps, Ctx } from '../context.ts'

const offered: readonly Kopecks[] = [100_00n, 300_00n, 500_00n, 1000_00n]

export function topUp(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  composer.command('topup', async (ctx) => {
    if (ctx.match.trim() === '') return offerAmounts(deps, ctx)
    const amount = parseRoubles(ctx.match)
    if (amount === undefined) return void (await reply(ctx, ctx.say.html('topup-not-an-amount')))
    await invoice(deps, ctx, amount)
  })
  composer.callbackQuery('t', async (ctx) => {
    await ctx.answerCallbackQuery()
    await offerAmounts(deps, ctx)
  })
  composer.callbackQuery(/^t:(\d{1,12})(?::(stars|telegram-rub))?$/, async (ctx) => {
    await ctx.answerCallbackQuery()
    await invoice(deps, ctx, BigInt(ctx.match[1] ?? 0), ctx.match[2])
  })
  return composer
}

const reply = (ctx: Ctx, html: string, keyboard?: InlineKeyboard) =>
  ctx.reply(html, { parse_mode: 'HTML', ...(keyboard ? { reply_markup: keyboard } : {}) })

async function offerAmounts(deps: BotDeps, ctx: Ctx): Promise<void> {
  const { providers, limits } = deps.topUps
  if (providers.length === 0) return void (await reply(ctx, ctx.say.html('topup-off')))
  const keyboard = new InlineKeyboard()
  const possible = offered.filter((amount) => amount >= limits.min && amount <= limits.max)
  for (const amount of possible) keyboard.text(formatRoubles(amount), `t:${amount}`)
  await reply(ctx, ctx.say.html('topup-amounts', limitTexts(deps)), keyboard.toFlowed(2))
}

const limitTexts = ({ topUps: { limits } }: BotDeps) => ({
  min: formatRoubles(limits.min),
  max: formatRoubles(limits.max),
})

async function invoice(deps: BotDeps, ctx: Ctx, amount: Kopecks, providerId?: string): Promise<void> {
  const { providers } = deps.topUps
  if (!providerId && providers.length > 1) return offerProviders(deps, ctx, amount)
  const opened = await openTopUp(deps.topUps, ctx.user.id, amount, providerId ?? providers[0]?.id ?? '')
  if (!opened.ok) {
    const text = opened.reason === 'off' ? 'topup-off' : 'topup-out-of-range'
    return void (await reply(ctx, ctx.say.html(text, limitTexts(deps))))
  }
  const { topUp: order, provider } = opened
  const title = ctx.say.plain('invoice-title')
  const credit = formatRoubles(order.credit)
  await ctx.replyWithInvoice(
    title,
    ctx.say.plain('invoice-description', { credit }),
    order.id,
    order.currency,
    [{ label: ctx.say.plain('invoice-label', { credit }), amount: Number(order.charge) }],
    { provider_token: provider.token, start_parameter: `topup-${order.id}` },
  )
}

async function offerProviders(deps: BotDeps, ctx: Ctx, amount: Kopecks): Promise<void> {
  const keyboard = new InlineKeyboard()
  for (const { id } of deps.topUps.providers) {
    keyboard.text(ctx.say.plain(`provider-${id}`), `t:${amount}:${id}`).row()
  }
  await reply(ctx, ctx.say.html('topup-how', { amount: formatRoubles(amount) }), keyboard)
}

/** Telegram waits 10 s for this answer, so it is installed before every lock and never waits longer for the database. */
export function checkout(deps: BotDeps): Composer<Context> {
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

async function inTime<T>({ clock, log }: BotDeps, check: Promise<T>): Promise<T | 'unavailable'> {
  const failed = (error: unknown) => {
    log.error({ error }, 'checkout can not be checked')
    return 'unavailable' as const
  }
  const late = clock.wait(checkoutMs).then(() => 'unavailable' as const)
  return Promise.race([check.catch(failed), late])
}

async function checkQuery(deps: BotDeps, query: PreCheckoutQuery) {
  const { from, currency, total_amount: total, invoice_payload: topUpId } = query
  const person = { telegramId: from.id, languageCode: from.language_code }
  const { user } = await ensureUser(deps.db, person, deps.clock.now())
  const paid = { topUpId, userId: user.id, currency, charge: BigInt(total) }
  const checked = await checkPayment(deps.topUps, paid)
  return checked.ok ? ('ok' as const) : checked.reason
}

/** Installed before the conversations, which would swallow it. */
export function payments(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  composer.on('message:successful_payment', async (ctx) => {
    await reply(ctx, await credit(deps, ctx, ctx.message.successful_payment))
  })
  return composer
}

async function credit(deps: BotDeps, ctx: Ctx, payment: SuccessfulPayment): Promise<string> {
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
