// /topup: the amount, the payment provider, then the invoice or the link to the payment page.

import { InlineKeyboard } from 'grammy'
import type { InlineKeyboardMarkup } from 'grammy/types'
import { type Kopecks, parseRoubles } from '../../money.ts'
import { markAwaitingTopUp } from '../../orders/drafts.ts'
import type { InvoiceWay } from '../../payments/provider.ts'
import { limitsBy, limitsByAny, type Provider, providersFor } from '../../payments/providers.ts'
import { openTopUp, type TopUp } from '../../payments/top-ups.ts'
import type { MessageRef } from '../../telegram/message-notes.ts'
import { isAmountRefused } from '../../telegram/send.ts'
import { type Tap, taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import { askConsent, needsConsent } from '../basics/consent.ts'
import { alert, answerTap, type BotDeps, type Ctx, inPrivate, reply } from '../context.ts'
import { closeMenu, sendMenu } from '../notes.ts'
import { onTap, type Routes } from '../routes.ts'
import { enterEmailAsk, limitTexts, notePayMessage, outOfRange, receiptItem, sendLink } from './pay-link.ts'
import { bonusLines, offeredSums, sumText } from './top-up-bonus.ts'

export const topUp = (deps: BotDeps): Routes => ({
  commands: {
    async topup(ctx) {
      if (ctx.match.trim() === '') return offerAmounts(deps, ctx)
      const amount = parseRoubles(ctx.match)
      await (amount === undefined ? refuseUnclear(deps, ctx) : takeAmount(deps, ctx, amount))
    },
  },
  taps: [
    onPrivateTap(taps.topUp, (ctx) => offerAmounts(deps, ctx)),
    onPrivateTap(taps.topUpAmount, (ctx, { amount }) => takeAmount(deps, ctx, amount)),
    onTap(
      taps.topUpFor,
      inPrivate((ctx: Ctx, args: { draftId: string; amount: Kopecks }) => topUpFor(deps, ctx, args)),
    ),
    onPrivateTap(taps.topUpBy, (ctx, { amount, providerId }) => takeAmount(deps, ctx, amount, providerId)),
    onPrivateTap(taps.changeEmail, (ctx, { amount, providerId }) =>
      enterEmailAsk(ctx, amount, providerId, ctx.callbackQuery?.message),
    ),
  ],
})

async function topUpFor(
  deps: BotDeps,
  ctx: Ctx,
  { draftId, amount }: { draftId: string; amount: Kopecks },
): Promise<void> {
  if (!(await markAwaitingTopUp(deps.db, draftId, ctx.user.id)))
    return alert(ctx, ctx.say.plain('stale-card'))
  await answerTap(ctx)
  await takeAmount(deps, ctx, amount)
}

/** Handles the tap in private chats only: amounts and invoices belong there, but old messages in groups have such buttons, too. */
function onPrivateTap<Args>(tap: Tap<Args>, handle: (ctx: Ctx, args: Args) => Promise<void>) {
  const answered = async (ctx: Ctx, args: Args) => {
    await answerTap(ctx)
    await handle(ctx, args)
  }
  return onTap(tap, inPrivate(answered))
}

export async function offerAmounts(deps: BotDeps, ctx: Ctx): Promise<void> {
  if (deps.topUps.providers.length === 0) return reply(ctx, ctx.say.html('topup-off'))
  const keyboard = new InlineKeyboard()
  for (const amount of offeredSums(deps))
    keyboard.text(sumText(deps, ctx.say, amount), taps.topUpAmount.data({ amount }))
  const limits = limitTexts(ctx.say, limitsByAny(deps.topUps))
  const html = ctx.say.html('topup-amounts', limits) + (await bonusLines(deps, ctx.say, ctx.user.id))
  await askHowMuch(deps, ctx, html, keyboard.toFlowed(2))
}

async function askHowMuch(
  deps: BotDeps,
  ctx: Ctx,
  html: string,
  keyboard?: InlineKeyboardMarkup,
): Promise<void> {
  await sendMenu(deps, ctx, { at: 'amounts' }, html, keyboard)
}

const refuseUnclear = (deps: BotDeps, ctx: Ctx): Promise<void> =>
  askHowMuch(deps, ctx, noAmountText(deps, ctx.say))

export const noAmountText = ({ topUps }: BotDeps, say: Say): string =>
  say.html('topup-not-an-amount', limitTexts(say, limitsByAny(topUps)))

/** Begins a top-up of this amount, or says why it cannot be that amount. */
export async function takeAmount(
  deps: BotDeps,
  ctx: Ctx,
  amount: Kopecks,
  providerId?: string,
): Promise<void> {
  const { topUps } = deps
  const possible = providersFor(topUps, amount)
  if (possible.length > 0 && needsConsent(deps, ctx)) return askConsent(deps, ctx)
  if (possible.length > 0) await closeMenu(deps, ctx)
  if (!providerId && possible.length > 1) return offerProviders(deps, ctx, amount, possible)
  const provider = providerId ? topUps.providers.find(({ id }) => id === providerId) : possible[0]
  // Only the message that lists the ways to pay is removed after the payment; a tapped card or menu stays.
  if (provider) return askBy(deps, ctx, amount, provider, providerId ? ctx.callbackQuery?.message : undefined)
  if (providerId || topUps.providers.length === 0) return reply(ctx, ctx.say.html('topup-off'))
  await askHowMuch(deps, ctx, outOfRange(ctx.say, amount, limitsByAny(topUps)))
}

async function askBy(
  deps: BotDeps,
  ctx: Ctx,
  amount: Kopecks,
  provider: Provider,
  choice?: MessageRef,
): Promise<void> {
  const { id, way } = provider
  if (way.by === 'link') return sendLink(deps, ctx, amount, id, choice)
  const opened = await openTopUp(deps.topUps, ctx.user.id, amount, id)
  if (!opened.ok) return askHowMuch(deps, ctx, outOfRange(ctx.say, amount, limitsBy(deps.topUps, provider)))
  try {
    await sendInvoice(deps, ctx, opened.topUp, way, choice)
  } catch (error) {
    if (!isAmountRefused(error)) throw error
    await refuseAmount(deps, ctx, opened.topUp)
  }
}

/** Telegram changes the least sum of an invoice with the rate of the currency, so it may refuse what was within the limits. */
async function refuseAmount(deps: BotDeps, ctx: Ctx, order: TopUp): Promise<void> {
  const { id: topUp, provider, credit } = order
  deps.topUps.log.error({ topUp, provider }, 'Telegram refused the amount of an invoice')
  await askHowMuch(deps, ctx, ctx.say.html('topup-amount-refused', { amount: ctx.say.roubles(credit) }))
}

async function offerProviders(
  deps: BotDeps,
  ctx: Ctx,
  amount: Kopecks,
  possible: readonly Provider[],
): Promise<void> {
  const keyboard = new InlineKeyboard()
  for (const { id: providerId } of possible) {
    const name = ctx.say.plain(`provider-${providerId}`)
    keyboard.text(name, taps.topUpBy.data({ amount, providerId })).row()
  }
  const bonus = await bonusLines(deps, ctx.say, ctx.user.id, amount)
  const html = ctx.say.html('topup-how', { amount: ctx.say.roubles(amount) }) + bonus
  await sendMenu(deps, ctx, { at: 'ways' }, html, keyboard)
}

async function sendInvoice(
  deps: BotDeps,
  ctx: Ctx,
  order: TopUp,
  way: InvoiceWay,
  choice?: MessageRef,
): Promise<void> {
  const credit = ctx.say.roubles(order.credit)
  const charge = { currency: order.currency, amount: order.charge }
  const sent = await ctx.replyWithInvoice(
    ctx.say.plain('invoice-title'),
    order.bonus > 0n
      ? ctx.say.plain('invoice-description-bonus', { credit, bonus: ctx.say.roubles(order.bonus) })
      : ctx.say.plain('invoice-description', { credit }),
    order.id,
    order.currency,
    [{ label: ctx.say.plain('invoice-label', { credit }), amount: Number(order.charge) }],
    {
      provider_token: way.token,
      start_parameter: `topup-${order.id}`,
      ...way.extras(charge, receiptItem(deps)),
    },
  )
  await notePayMessage(deps, ctx, sent, order, choice)
}
