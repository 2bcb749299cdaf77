// /promo CODE: redeems a promo code. Wrong codes are counted in memory: a restart allows a few more, which is far too few to guess
// a code.

import type { CommandContext, Composer } from 'grammy'
import { readBalance } from '../../ledger/ledger.ts'
import { redeem } from '../../ledger/promo.ts'
import type { Clock } from '../../runtime/clock.ts'
import { personOf } from '../../users/person.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { inPrivate, reply } from '../responses.ts'
import { Routes } from '../routes.ts'

export function promo(deps: BotDeps): Composer<Ctx> {
  const composer = new Routes<Ctx>()
  const guesses = createGuesses(deps.clock)
  const redeemTyped = async (ctx: CommandContext<Ctx>) =>
    reply(ctx, await answer(deps, ctx, guesses, ctx.match.trim()))
  composer.command('promo', inPrivate(redeemTyped))
  return composer
}

async function answer(deps: BotDeps, ctx: Ctx, guesses: Guesses, code: string): Promise<string> {
  const { say, user } = ctx
  if (code === '') return say.html('promo')
  if (!guesses.mayTry(user.id)) return say.html('promo-too-many', { most: mostGuesses })
  const redeemer = { userId: user.id, person: personOf(ctx.api.token, user.telegramId ?? 0) }
  const redeemed = await redeem(deps.db, redeemer, code, deps.clock.now())
  if (!redeemed.ok) {
    if (redeemed.reason === 'unknown') guesses.wrong(user.id)
    return say.html(`promo-${redeemed.reason}`)
  }
  const { available } = await readBalance(deps.db, user.id)
  const amounts = { amount: say.roubles(redeemed.amount), available: say.roubles(available) }
  return say.html('promo-done', amounts)
}

export const mostGuesses = 5
const withinMs = 60 * 60_000

interface Guesses {
  mayTry(userId: bigint): boolean
  wrong(userId: bigint): void
}

/** Allows so many wrong codes of one user in any hour. */
export function createGuesses(clock: Clock): Guesses {
  const wrong = new Map<bigint, readonly number[]>()
  const recent = (userId: bigint) => {
    const since = clock.now().getTime() - withinMs
    return (wrong.get(userId) ?? []).filter((time) => time > since)
  }
  return {
    mayTry: (userId) => recent(userId).length < mostGuesses,
    wrong(userId) {
      wrong.set(userId, [...recent(userId), clock.now().getTime()])
      for (const other of wrong.keys()) if (recent(other).length === 0) wrong.delete(other)
    },
  }
}
