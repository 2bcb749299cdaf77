// How users read their money: a balance, which is a debt below zero, stored reasons, and what is missing for a price.

import { InlineKeyboard } from 'grammy'
import { type BuiltIn, builtInOf } from '../ledger/built-in-notes.ts'
import { readBalance } from '../ledger/ledger.ts'
import type { Kopecks } from '../money.ts'
import { limitsByAny } from '../payments/top-up-limits.ts'
import { taps } from '../telegram/taps.ts'
import { locales, type Say, type Texts } from '../texts.ts'
import { type BotDeps, type Ctx, firstNameOf } from './context.ts'
import { alert, answerTap, privateChatButton, reply } from './responses.ts'

/** HTML. */
export const balanceText = (say: Say, available: Kopecks): string =>
  available < 0n
    ? say.html('balance-owed', { owed: say.roubles(-available) })
    : say.html('balance', { available: say.roubles(available) })

/** What is missing for a price, and how much of it is a debt. */
export const missingText = (say: Say, missing: Kopecks, available: Kopecks): string =>
  available < 0n
    ? say.plain('missing-with-debt', { missing: say.roubles(missing), owed: say.roubles(-available) })
    : say.roubles(missing)

// Shows a stored reason in the language of its reader.

interface Deps {
  readonly texts: Texts
}

/** A reason that a person typed is shown as it is. */
export function reasonText(deps: Deps, say: Say, stored: string): string {
  const key = builtInReason(deps, stored)
  return key === undefined ? stored : say.plain(key)
}

export const builtInReason = ({ texts }: Deps, stored: string): BuiltIn | undefined =>
  builtInOf(stored, (key, words) => locales.some((locale) => texts(locale).plain(key) === words))

// The message when the balance is too short.

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
