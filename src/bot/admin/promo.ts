// /promo_add CODE 100 50 2026-12-31: a promo code of 100 roubles for 50 users, valid until the end of that day.

import { parseSureRoubles } from '../../money.ts'
import { addPromo, readCode, readDay } from '../../operator/promo.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { reply } from '../responses.ts'

export async function promoAdd(deps: BotDeps, ctx: Ctx, words: string): Promise<string | undefined> {
  const [typedCode = '', typedAmount = '', typedUses = '', typedDay] = words.split(/\s+/)
  const code = readCode(typedCode)
  const amount = parseSureRoubles(typedAmount)
  const maxUses = /^[1-9]\d{0,6}$/.test(typedUses) ? Number(typedUses) : undefined
  const expiresAt = typedDay === undefined ? null : readDay(typedDay, deps.operator.timeZone)
  if (!code || !amount || !maxUses || expiresAt === undefined) {
    return ctx.say.html('admin-promo-usage')
  }
  const added = await addPromo(deps, { by: ctx.from?.id ?? null, code, amount, maxUses, expiresAt })
  await reply(
    ctx,
    added
      ? ctx.say.html('admin-promo-added', { code, amount: ctx.say.roubles(amount), uses: maxUses })
      : ctx.say.html('admin-promo-exists', { code }),
  )
  return undefined
}
