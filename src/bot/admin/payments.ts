// The last payments of a user, and giving one back the way it came.

import { and, eq, isNull } from 'drizzle-orm'
import { Composer, InlineKeyboard } from 'grammy'
import { payments as paymentRows } from '../../db/schema.ts'
import { recordAction } from '../../operator/actions.ts'
import { lastPayments, type Person } from '../../operator/people.ts'
import { localTime } from '../../operator/periods.ts'
import { refundPayment } from '../../payments/refunds.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { answer, nameOf } from './operator.ts'
import { ask } from './questions.ts'
import { tappedPerson } from './target.ts'

const mostShown = 8

export function payments(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  composer.callbackQuery(/^ad:p:(\d+)$/, async (ctx) => {
    const person = await tappedPerson(deps, ctx, String(ctx.match[1]))
    if (person) await showPayments(deps, ctx, person)
  })
  composer.callbackQuery(/^ad:y:([a-z0-9]{10})$/, async (ctx) => {
    await ctx.answerCallbackQuery()
    const id = ctx.match[1] ?? ''
    await ask(deps, ctx, 'refund_payment', id, ctx.say.html('admin-ask-refund', { id }))
  })
  return composer
}

async function showPayments(deps: BotDeps, ctx: Ctx, person: Person): Promise<void> {
  const found = await lastPayments(deps.db, person.id, mostShown)
  const lines = found.map(({ provider, chargeId, credit, createdAt, refundedAt }) =>
    ctx.say.html('admin-payment', {
      time: localTime(createdAt),
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
    keyboard.text(ctx.say.plain('admin-button-refund', { amount, id: topUpId }), `ad:y:${topUpId}`).row()
  }
  await answer(ctx, html, keyboard)
}

/** /refund_payment <top-up> <reason>; the payer is told by whoever notes the refund. */
export async function refundTopUp(deps: BotDeps, ctx: Ctx, words: string): Promise<string | undefined> {
  const [, topUpId = '', reason = ''] = /^(\S+)\s+(\S.*)$/s.exec(words) ?? []
  if (reason === '') return ctx.say.html('admin-refund-usage')
  const [payment] = await deps.db
    .select()
    .from(paymentRows)
    .where(and(eq(paymentRows.topUpId, topUpId), isNull(paymentRows.refundedAt)))
    .limit(1)
  if (!payment)
    return void (await answer(
      ctx,
      ctx.say.html('admin-payment-not-refunded', { reason: 'unknown', said: '' }),
    ))
  const { provider, chargeId, credit, userId } = payment
  const details = { user: `${userId}`, provider, chargeId, amount: `${credit}` }
  const by = ctx.from?.id ?? null
  await recordAction(deps, { by, action: 'refund-payment', subject: `top-up:${topUpId}`, reason, details })
  const refunded = await refundPayment(deps.topUps, provider, chargeId)
  if (refunded.ok) {
    const amount = ctx.say.roubles(refunded.credit)
    return void (await answer(ctx, ctx.say.html('admin-refunded', { amount, id: topUpId })))
  }
  const said = 'said' in refunded ? refunded.said : ''
  await answer(ctx, ctx.say.html('admin-payment-not-refunded', { reason: refunded.reason, said }))
  return undefined
}
