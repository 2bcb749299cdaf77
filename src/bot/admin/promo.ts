// /promo_add CODE 100 50 2030-12-31: a promo code of 100 roubles for 50 users, valid until the end of that day. /promo_end CODE ends it.

import { parseRoubles } from '../../money.ts'
import { addPromo, endPromo, readCode, readDay, runningPromo } from '../../operator/promo.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { reply } from '../responses.ts'
import { confirmFirst } from './confirming.ts'
import type { Given } from './operator.ts'

export async function promoAdd(deps: BotDeps, ctx: Ctx, { words, as }: Given): Promise<string | undefined> {
  const [typedCode = '', typedAmount = '', typedUses = '', typedDay] = words.split(/\s+/)
  const code = readCode(typedCode)
  const amount = parseRoubles(typedAmount)
  const maxUses = /^[1-9]\d{0,6}$/.test(typedUses) ? Number(typedUses) : undefined
  const expiresAt = typedDay === undefined ? null : readDay(typedDay, deps.operator.timeZone)
  if (!code || !amount || !maxUses || expiresAt === undefined) {
    return ctx.say.html('admin-promo-usage')
  }
  const facts = { code, amount: ctx.say.roubles(amount), uses: maxUses }
  if (as !== 'confirmed') {
    const most = ctx.say.roubles(amount * BigInt(maxUses))
    const html = ctx.say.html('admin-confirm-promo', { ...facts, most, until: typedDay ?? 'never' })
    return void (await confirmFirst(deps, ctx, { verb: 'promo_add', words }, html))
  }
  const added = await addPromo(deps, { by: ctx.from?.id ?? null, code, amount, maxUses, expiresAt })
  await reply(
    ctx,
    added ? ctx.say.html('admin-promo-added', facts) : ctx.say.html('admin-promo-exists', { code }),
  )
  return undefined
}

export async function promoEnd(deps: BotDeps, ctx: Ctx, { words, as }: Given): Promise<string | undefined> {
  if (words === '') return ctx.say.html('admin-promo-end-usage')
  const running = await runningPromo(deps, words)
  const code = running?.code ?? words.toUpperCase()
  if (running && as !== 'confirmed') {
    const { uses, maxUses } = running
    const html = ctx.say.html('admin-confirm-promo-end', {
      code,
      amount: ctx.say.roubles(running.amount),
      uses,
      most: maxUses,
    })
    return void (await confirmFirst(deps, ctx, { verb: 'promo_end', words: code }, html))
  }
  const isEnded = running !== undefined && (await endPromo(deps, ctx.from?.id ?? null, code))
  await reply(ctx, ctx.say.html(isEnded ? 'admin-promo-ended' : 'admin-promo-not-running', { code }))
  return undefined
}
