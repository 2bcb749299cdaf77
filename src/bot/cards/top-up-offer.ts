// The message when the balance is too short.

import { InlineKeyboard } from 'grammy'
import type { Kopecks } from '../../money.ts'
import { limitsByAny } from '../../payments/top-up-limits.ts'
import { taps } from '../../telegram/taps.ts'
import { type BotDeps, type Ctx, firstNameOf } from '../context.ts'
import { alert, answerTap, privateChatButton, reply } from '../responses.ts'

/** Says how much is missing, with a button that tops up enough for this order; in a group, only where to top up. */
export async function offerTopUp(
  deps: BotDeps,
  ctx: Ctx,
  missing: Kopecks,
  html = ctx.say.html('not-enough', { missing: ctx.say.roubles(missing) }),
): Promise<void> {
  if (ctx.chat?.type !== 'private') return leadToTopUp(ctx, missing)
  const amount = amountToOffer(deps.topUps, missing)
  const text = ctx.say.plain('button-top-up', { amount: ctx.say.roubles(amount) })
  const keyboard = new InlineKeyboard().text(text, taps.topUpAmount.data({ amount }))
  if (ctx.callbackQuery) await answerTap(ctx)
  await reply(ctx, html, deps.topUps.providers.length > 0 ? keyboard : undefined)
}

/** In a group, only the user who taps learns how much is missing. */
async function leadToTopUp(ctx: Ctx, missing: Kopecks): Promise<void> {
  const { say } = ctx
  const name = firstNameOf(ctx)
  if (!ctx.callbackQuery) return reply(ctx, say.html('short-in-group-chat', { name }), privateChatButton(ctx))
  await alert(ctx, say.plain('short-alert', { missing: say.roubles(missing) }))
  await reply(ctx, say.html('short-in-group', { name }), privateChatButton(ctx))
}

/** The amount to offer: the missing one, rounded up to tens of roubles, within the limits of at least one provider. */
export function amountToOffer(topUps: BotDeps['topUps'], missing: Kopecks): Kopecks {
  const { min, max } = limitsByAny(topUps)
  const enough = roundUp(missing > min ? missing : min, 10_00n)
  return enough > max ? max : enough
}

const roundUp = (amount: Kopecks, step: Kopecks): Kopecks => ((amount + step - 1n) / step) * step
