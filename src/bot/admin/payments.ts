// The last payments of a user with buttons to refund them, and /refund_payment, which refunds through the payment provider.

import { type Composer, InlineKeyboard } from 'grammy'
import { chargeName } from '../../ledger/keys.ts'
import { bonusOfOnlyPayment } from '../../ledger/referral.ts'
import { recordAction, userSubject } from '../../operator/actions.ts'
import { findPerson, lastPayments, type Person } from '../../operator/people.ts'
import { type Payment, unrefundedPayment } from '../../payments/payment.ts'
import { noteRefund, refundPayment } from '../../payments/refunds.ts'
import { localTime } from '../../runtime/time-zone.ts'
import { taps } from '../../telegram/taps.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { onTap } from '../on-tap.ts'
import { answerTap, reply } from '../responses.ts'
import { Routes } from '../routes.ts'
import { confirmFirst } from './confirming.ts'
import { type Given, nameOf, reasonWanted, refundIn, tappedPerson, whoIs } from './operator.ts'
import { ask } from './questions.ts'

const mostShown = 8

export function payments(deps: BotDeps): Composer<Ctx> {
  const composer = new Routes<Ctx>()
  onTap(composer, taps.userPayments, async (ctx, { userId }) => {
    const person = await tappedPerson(deps, ctx, userId)
    if (person) await showPayments(deps, ctx, person)
  })
  onTap(composer, taps.refundPayment, async (ctx, { topUpId: id }) => {
    await answerTap(ctx)
    await ask(deps, ctx, 'refund_payment', id, ctx.say.html('admin-ask-refund', { id }))
  })
  return composer
}

async function showPayments(deps: BotDeps, ctx: Ctx, person: Person): Promise<void> {
  const found = await lastPayments(deps.db, person.id, mostShown)
  const lines = found.map(({ provider, chargeId, credit, createdAt, refundedAt }) =>
    ctx.say.html('admin-payment', {
      time: localTime(createdAt, deps.operator.timeZone),
      provider,
      charge: chargeId,
      credit: ctx.say.roubles(credit),
      state: refundedAt ? 'refunded' : 'paid',
    }),
  )
  const name = nameOf(person)
  const html = lines.length === 0 ? ctx.say.html('admin-no-payments', { name }) : lines.join('\n\n')
  const keyboard = new InlineKeyboard()
  for (const { credit, topUpId } of found.filter(({ refundedAt }) => !refundedAt)) {
    const amount = ctx.say.roubles(credit)
    const text = ctx.say.plain('admin-button-refund', { amount, id: topUpId })
    keyboard.text(text, taps.refundPayment.data({ topUpId })).row()
  }
  await reply(ctx, html, keyboard)
}

/** /refund_payment <payment> <reason>. The payer gets a notice when the refund is recorded. */
export async function refundTopUp(deps: BotDeps, ctx: Ctx, given: Given): Promise<string | undefined> {
  const { id: name, reason } = refundIn(given)
  if (reason === '') return reasonWanted(ctx.say, 'refund_payment', given)
  const payment = await unrefundedPayment(deps.db, name)
  if (!payment) {
    await reply(ctx, ctx.say.html('admin-payment-not-refunded', { reason: 'unknown', said: '' }))
    return undefined
  }
  return given.as === 'confirmed'
    ? refundNow(deps, ctx, payment, reason)
    : askToRefund(deps, ctx, payment, reason)
}

/** The question is kept with the provider and the charge, which name one payment: the Yes refunds the payment that was shown. */
async function askToRefund(
  deps: BotDeps,
  ctx: Ctx,
  { provider, chargeId, credit, userId, topUpId }: Payment,
  reason: string,
): Promise<undefined> {
  const byHand = deps.topUps.providers.some(({ id, refund }) => id === provider && !refund)
  const person = await findPerson(deps.db, userId)
  const question = ctx.say.html('admin-confirm-refund-payment', {
    id: topUpId,
    reason,
    provider,
    amount: ctx.say.roubles(credit),
    name: person ? whoIs(person) : '—',
  })
  const bonus = await bonusOfOnlyPayment(deps.db, userId)
  const more =
    bonus === undefined ? [] : [ctx.say.html('admin-refund-takes-bonus', { amount: ctx.say.roubles(bonus) })]
  const first = byHand ? [ctx.say.html('admin-refund-by-hand')] : []
  const html = [question, ...first, ...more].join('\n\n')
  const words = `${chargeName(provider, chargeId)} ${reason}`
  await confirmFirst(deps, ctx, { verb: 'refund_payment', words, subject: userSubject(userId) }, html)
}

/** A provider that refunds in its own cabinet only has done so: the operator was asked to do it first. */
async function refund(deps: BotDeps, { provider, chargeId, charge, credit }: Payment, reason: string) {
  const refunded = await refundPayment(deps.topUps, provider, chargeId, reason)
  if (refunded.ok || refunded.reason !== 'by-hand') return refunded
  await noteRefund(deps.topUps, provider, chargeId, charge, reason)
  return { ok: true, credit } as const
}

/** The log tells that the refund was asked for, before it is: a process that ends in between leaves no refund without its operator. */
async function refundNow(deps: BotDeps, ctx: Ctx, payment: Payment, reason: string): Promise<undefined> {
  const { provider, chargeId, credit, userId, topUpId } = payment
  const details = { user: `${userId}`, provider, chargeId, amount: `${credit}` }
  const by = ctx.from?.id ?? null
  await recordAction(deps, { by, action: 'refund-payment', subject: `top-up:${topUpId}`, reason, details })
  const refunded = await refund(deps, payment, reason)
  if (refunded.ok) {
    const amount = ctx.say.roubles(refunded.credit)
    return void (await reply(ctx, ctx.say.html('admin-refunded', { amount, id: topUpId })))
  }
  const said = 'said' in refunded ? refunded.said : ''
  await reply(ctx, ctx.say.html('admin-payment-not-refunded', { reason: refunded.reason, said }))
}
