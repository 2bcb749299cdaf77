// /grant and /debit: an operator gives or takes money with a reason, which the user is told.

import { formatRoubles, parseRoubles } from '../../../money.ts'
import { type Corrected, correct } from '../../../operator/corrections.ts'
import type { Say } from '../../../texts.ts'
import type { BotDeps, Ctx } from '../../context.ts'
import { answer, nameOf } from './operator.ts'
import { type Target, targetOf } from './target.ts'
import { createTeller } from './teller.ts'

export async function changeBalance(
  deps: BotDeps,
  ctx: Ctx,
  words: string,
  verb: 'grant' | 'debit',
): Promise<void> {
  const target = await targetOf(deps, ctx, words)
  if (!target) return
  const [, typed = '', reason = ''] = /^(\S+)\s+(\S.*)$/s.exec(target.rest) ?? []
  const amount = parseRoubles(typed)
  if (!amount) return void (await answer(ctx, ctx.say.html('admin-amount-and-reason', { verb })))
  const { person, operatorId } = target
  const change = verb === 'grant' ? amount : -amount
  const corrected = await correct(deps, {
    // An update that is handled again names the same deed.
    key: `telegram:${ctx.chatId}:${ctx.msgId}`,
    by: operatorId,
    userId: person.id,
    amount: change,
    reason,
  })
  await answer(ctx, outcomeText(ctx.say, target, corrected, { amount: formatRoubles(amount), verb }))
  if (!corrected.ok) return
  const teller = createTeller({ ...deps, api: ctx.api })
  await teller.corrected(person.id, change, corrected.available, reason)
}

function outcomeText(
  say: Say,
  { person }: Target,
  corrected: Corrected,
  { amount, verb }: { amount: string; verb: string },
): string {
  const name = nameOf(person)
  if (corrected.ok) {
    return say.html('admin-corrected', { verb, name, amount, available: formatRoubles(corrected.available) })
  }
  if (corrected.reason !== 'insufficient') return say.html('admin-done-before')
  return say.html('admin-insufficient', { name, available: formatRoubles(corrected.available) })
}
