// /grant and /debit: an operator credits or debits a balance, with a reason that is sent to the user as a notice.

import { type Kopecks, parseSureRoubles } from '../../money.ts'
import { type Corrected, correct } from '../../operator/corrections.ts'
import type { Person } from '../../operator/people.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { reply } from '../responses.ts'
import { aboutUser } from './about-user.ts'
import { type Given, nameOf } from './operator.ts'

interface Change {
  /** Above zero. */
  readonly amount: Kopecks
  readonly reason: string
}

export function changeBalance(
  deps: BotDeps,
  ctx: Ctx,
  given: Given,
  verb: 'grant' | 'debit',
): Promise<string | undefined> {
  return aboutUser(deps, ctx, given, {
    verb,
    read: readChange,
    wanted: (say) => say.html('admin-amount-and-reason', { verb }),
    question: (say, name, { amount, reason }) =>
      say.html(`admin-confirm-${verb}`, { name, reason, amount: say.roubles(amount) }),
    act: (person, change) => changeBy(deps, ctx, person, change, verb),
  })
}

/** A no-break space, as in the bot's own amounts, is part of the amount. */
const amountAndReason = /^([^ \t\r\n]+)[ \t\r\n]+(\S.*)$/s
/** `1 000 for the video`, or 1 ₽ for "000 for the video". */
const isUnclear = (typed: string, reason: string): boolean =>
  /^\d{1,3}$/.test(typed) && /^\d{3}\b/.test(reason)

function readChange(words: string): Change | undefined {
  const [, typed = '', reason = ''] = amountAndReason.exec(words) ?? []
  const amount = isUnclear(typed, reason) ? undefined : parseSureRoubles(typed)
  return amount ? { amount, reason } : undefined
}

async function changeBy(
  deps: BotDeps,
  ctx: Ctx,
  person: Person,
  { amount, reason }: Change,
  verb: 'grant' | 'debit',
): Promise<string | undefined> {
  const change = verb === 'grant' ? amount : -amount
  const corrected = await correct(deps, {
    // The same for the same message, so that an update handled twice changes the balance once.
    key: `telegram:${ctx.chatId}:${ctx.msgId}`,
    by: ctx.from?.id ?? null,
    userId: person.id,
    amount: change,
    reason,
  })
  if (!corrected.ok) return refusal(ctx, person, corrected)
  const { available } = corrected
  const amounts = { amount: ctx.say.roubles(amount), available: ctx.say.roubles(available) }
  await reply(ctx, ctx.say.html('admin-corrected', { verb, name: nameOf(person), ...amounts }))
  deps.topUps.noticed()
  return undefined
}

/** An insufficient balance is asked about again; the rest is final. */
async function refusal(
  ctx: Ctx,
  person: Person,
  refused: Extract<Corrected, { ok: false }>,
): Promise<string | undefined> {
  if (refused.reason !== 'insufficient') {
    return void (await reply(ctx, ctx.say.html('admin-done-before')))
  }
  const available = ctx.say.roubles(refused.available)
  return ctx.say.html('admin-insufficient', { name: nameOf(person), available })
}
