// The message when the balance is too short.

import { InlineKeyboard } from 'grammy'
import { readBalance } from '../../ledger/ledger.ts'
import type { Kopecks } from '../../money.ts'
import { limitsByAny } from '../../payments/top-up-limits.ts'
import { taps } from '../../telegram/taps.ts'
import { missingText } from '../balance-text.ts'
import { type BotDeps, type Ctx, firstNameOf } from '../context.ts'
import { alert, answerTap, privateChatButton, reply } from '../responses.ts'

/** Says how much is missing, with a button that tops up enough for this order; in a group, only where to top up. */
export async function offerTopUp(
  deps: BotDeps,
  ctx: Ctx,
  missing: Kopecks,
  refusal: 'not-enough' | 'chat-not-enough' | 'wallet-short' = 'not-enough',
): Promise<void> {
  const { available } = await readBalance(deps.db, ctx.user.id)
  const said = missingText(ctx.say, missing, available)
  if (ctx.chat?.type !== 'private') return leadToTopUp(ctx, said)
  const amount = amountToOffer(deps.topUps, missing)
  const text = ctx.say.plain('button-top-up', { amount: ctx.say.roubles(amount) })
  const keyboard = new InlineKeyboard().text(text, taps.topUpAmount.data({ amount }))
  if (ctx.callbackQuery) await answerTap(ctx)
  await reply(
    ctx,
    ctx.say.html(refusal, { missing: said }),
    deps.topUps.providers.length > 0 ? keyboard : undefined,
  )
}

/** In a group, only the user who taps learns how much is missing. */
async function leadToTopUp(ctx: Ctx, missing: string): Promise<void> {
  const { say } = ctx
  const name = firstNameOf(ctx)
  const link = privateChatButton(ctx, 'topup')
  if (!ctx.callbackQuery) return reply(ctx, say.html('short-in-group-chat', { name }), link)
  await alert(ctx, say.plain('short-alert', { missing }))
  await reply(ctx, say.html('short-in-group', { name }), link)
}

/** The amount to offer: the missing one, rounded up to tens of roubles, within the limits of at least one provider. */
export function amountToOffer(topUps: BotDeps['topUps'], missing: Kopecks): Kopecks {
  const { min, max } = limitsByAny(topUps)
  const enough = roundUp(missing > min ? missing : min, 10_00n)
  return enough > max ? max : enough
}

const roundUp = (amount: Kopecks, step: Kopecks): Kopecks => ((amount + step - 1n) / step) * step
