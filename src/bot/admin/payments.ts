// The last payments of a user with buttons to refund them, and /refund_payment: through their provider.

import { InlineKeyboard } from 'grammy'
import { chargeName } from '../../ledger/keys.ts'
import type { Kopecks } from '../../money.ts'
import { recordAction, userSubject } from '../../operator/actions.ts'
import { findPerson, lastPayments, type Person } from '../../operator/people.ts'
import { type Payment, unrefundedPayment } from '../../payments/payment.ts'
import { noteRefund, partRefusal, refundedOf, refundPart, refundPayment } from '../../payments/refunds.ts'
import { rewardsAtStake } from '../../payments/rewards.ts'
import { takenOf } from '../../payments/taken-credit.ts'
import { taps } from '../../telegram/taps.ts'
import type { Say } from '../../texts.ts'
import { answerTap, type BotDeps, type Ctx, reply } from '../context.ts'
import { onTap, type Routes } from '../routes.ts'
import {
  ask,
  confirmFirst,
  type Given,
  type RefundWords,
  reasonWanted,
  refundIn,
  refundWords,
  tappedPerson,
} from './operator.ts'
import { mostShown } from './orders.ts'
import { allowedButtons } from './rights.ts'
import { nameOf, paymentLine, whoIs } from './texts.ts'

export const payments = (deps: BotDeps): Routes => ({
  taps: [
    onTap(taps.userPayments, async (ctx, { userId }) => {
      const person = await tappedPerson(deps, ctx, userId)
      if (person) await showPayments(deps, ctx, person)
    }),
    onTap(taps.refundPayment, async (ctx, { topUpId: id }) => {
      await answerTap(ctx)
      await ask(deps, ctx, 'refund_payment', id, ctx.say.html('admin-ask-refund', { id }))
    }),
  ],
})

async function showPayments(deps: BotDeps, ctx: Ctx, person: Person): Promise<void> {
  const found = await lastPayments(deps.db, person.id, mostShown)
  const lines = found.map((one) => paymentLine(deps, ctx.say, one))
  const name = nameOf(person)
  const html = lines.length === 0 ? ctx.say.html('admin-no-payments', { name }) : lines.join('\n\n')
  const keyboard = new InlineKeyboard()
  for (const { credit, topUpId, back } of found.filter(({ refundedAt }) => !refundedAt)) {
    const amount = ctx.say.roubles(restOf(credit, back))
    const text = ctx.say.plain('admin-button-refund', { amount, id: topUpId })
    keyboard.text(text, taps.refundPayment.data({ topUpId })).row()
  }
  await reply(ctx, html, allowedButtons(deps, ctx, keyboard))
}

/** What a whole refund gives back. One that was begun before has taken all of the credit. */
const restOf = (credit: Kopecks, back: Kopecks): Kopecks => (credit > back ? credit - back : credit)

/** /refund_payment <payment> [sum] <reason>. The payer gets a notice when the refund is recorded. */
export async function refundTopUp(deps: BotDeps, ctx: Ctx, given: Given): Promise<string | undefined> {
  const { id: name, part, reason } = refundIn(given)
  if (reason === '') return reasonWanted(ctx.say, 'refund_payment', given)
  const payment = await unrefundedPayment(deps.db, name)
  if (!payment) {
    await reply(ctx, ctx.say.html('admin-payment-not-refunded', { reason: 'unknown', said: '' }))
    return undefined
  }
  return given.as === 'confirmed'
    ? refundNow(deps, ctx, payment, { part: part && { before: 0n, ...part }, reason })
    : askToRefundPayment(deps, ctx, payment, { part, reason })
}

/** The question is kept with the provider and the charge, which name one payment: the Yes refunds the payment that was shown. */
async function askToRefundPayment(
  deps: BotDeps,
  ctx: Ctx,
  payment: Payment,
  { part, reason }: Pick<RefundWords, 'part' | 'reason'>,
): Promise<undefined> {
  const { provider, chargeId, credit, userId, topUpId } = payment
  const before = await refundedOf(deps.db, payment)
  const refusal = part && (await partRefusal(deps.topUps, payment, { amount: part.amount, before }))
  if (refusal)
    return void (await reply(ctx, ctx.say.html('admin-payment-not-refunded', { reason: refusal, said: '' })))
  const how = deps.topUps.providers.find(({ id }) => id === provider)
  const byHand = how !== undefined && !(part ? how.refundPart : how.refund)
  const amount = ctx.say.roubles(part?.amount ?? credit)
  const person = await findPerson(deps.db, userId)
  const question = ctx.say.html('admin-confirm-refund-payment', {
    id: topUpId,
    reason,
    provider,
    amount,
    part: part ? 'yes' : 'no',
    before: before === 0n || payment.currency !== 'RUB' ? 'none' : ctx.say.roubles(before),
    name: person ? whoIs(person) : '—',
  })
  const first = byHand
    ? [ctx.say.html(part ? 'admin-refund-part-by-hand' : 'admin-refund-by-hand', { amount })]
    : []
  const more = part ? [] : await lostRewards(deps, ctx.say, payment)
  const html = [question, ...first, ...more].join('\n\n')
  const words = refundWords({ id: chargeName(provider, chargeId), part, reason }, before)
  await confirmFirst(deps, ctx, { verb: 'refund_payment', words, subject: userSubject(userId) }, html)
}

/** What goes with the whole payment beside its credit, in HTML. */
async function lostRewards({ db }: BotDeps, say: Say, payment: Payment): Promise<readonly string[]> {
  const { payer, inviter } = await rewardsAtStake(db, payment)
  return [
    ...(payer > 0n ? [say.html('admin-refund-takes-own', { amount: say.roubles(payer) })] : []),
    ...(inviter > 0n ? [say.html('admin-refund-takes-bonus', { amount: say.roubles(inviter) })] : []),
  ]
}

interface Confirmed {
  readonly part: { readonly amount: Kopecks; readonly before: Kopecks } | undefined
  readonly reason: string
}

/** A provider that refunds in its own cabinet only has done so: the operator was asked to do it first. */
async function refundAsked(deps: BotDeps, payment: Payment, { part, reason }: Confirmed) {
  if (part) return refundPart(deps.topUps, payment, part, reason)
  const { provider, chargeId, charge, credit } = payment
  const refunded = await refundPayment(deps.topUps, provider, chargeId, reason)
  if (refunded.ok || refunded.reason !== 'by-hand') return refunded
  await noteRefund(deps.topUps, provider, chargeId, charge, reason)
  return { ok: true, credit } as const
}

/** The log tells that the refund was asked for, before it is: a process that ends in between leaves no refund without its operator. */
async function refundNow(deps: BotDeps, ctx: Ctx, payment: Payment, wanted: Confirmed): Promise<undefined> {
  const { provider, chargeId, credit, userId, topUpId } = payment
  const { part, reason } = wanted
  const amount = part?.amount ?? restOf(credit, (await takenOf(deps.db, payment)).sum)
  const details = { user: `${userId}`, provider, chargeId, amount: `${amount}` }
  const by = ctx.from?.id ?? null
  await recordAction(deps, { by, action: 'refund-payment', subject: `top-up:${topUpId}`, reason, details })
  const refunded = await refundAsked(deps, payment, wanted)
  if (refunded.ok)
    return void (await reply(
      ctx,
      ctx.say.html('admin-refunded', { amount: ctx.say.roubles(amount), id: topUpId }),
    ))
  const said = 'said' in refunded ? refunded.said : ''
  await reply(ctx, ctx.say.html('admin-payment-not-refunded', { reason: refunded.reason, said }))
}
