// /grant and /debit: an operator credits or debits a balance, with a reason that is sent to the user.

import { parseRoubles } from '../../money.ts'
import { type Corrected, correct } from '../../operator/corrections.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { reply } from '../responses.ts'
import { nameOf, type Target, targetOf } from './operator.ts'
import { createTeller } from './outgoing.ts'

export async function changeBalance(
  deps: BotDeps,
  ctx: Ctx,
  words: string,
  verb: 'grant' | 'debit',
): Promise<string | undefined> {
  const target = await targetOf(deps, ctx, words)
  if (!target) return ctx.say.html('admin-nobody-chosen')
  const [, typed = '', reason = ''] = /^(\S+)\s+(\S.*)$/s.exec(target.rest) ?? []
  const amount = parseRoubles(typed)
  if (!amount) return ctx.say.html('admin-amount-and-reason', { verb })
  const { person, operatorId } = target
  const change = verb === 'grant' ? amount : -amount
  const corrected = await correct(deps, {
    // The same for the same message, so that an update handled twice changes the balance once.
    key: `telegram:${ctx.chatId}:${ctx.msgId}`,
    by: operatorId,
    userId: person.id,
    amount: change,
    reason,
  })
  if (!corrected.ok) return refusal(ctx, target, corrected)
  const { available } = corrected
  const done = {
    verb,
    name: nameOf(person),
    amount: ctx.say.roubles(amount),
    available: ctx.say.roubles(available),
  }
  await reply(ctx, ctx.say.html('admin-corrected', done))
  await createTeller({ ...deps, api: ctx.api }).corrected(person.id, change, available, reason)
  return undefined
}

/** An insufficient balance is asked about again; the rest is final. */
async function refusal(
  ctx: Ctx,
  { person }: Target,
  refused: Extract<Corrected, { ok: false }>,
): Promise<string | undefined> {
  if (refused.reason !== 'insufficient') {
    return void (await reply(ctx, ctx.say.html('admin-done-before')))
  }
  const available = ctx.say.roubles(refused.available)
  return ctx.say.html('admin-insufficient', { name: nameOf(person), available })
}
