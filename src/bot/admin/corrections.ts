// /grant and /debit: an operator credits or debits a balance, with a reason that is sent to the user as a notice.

import { readBalance } from '../../ledger/ledger.ts'
import type { Kopecks } from '../../money.ts'
import { correct } from '../../operator/corrections.ts'
import type { Person } from '../../operator/people.ts'
import type { Say } from '../../texts.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { reply } from '../responses.ts'
import { aboutUser } from './about-user.ts'
import { type Change, type Given, nameOf, readChange } from './operator.ts'

export function changeBalance(
  deps: BotDeps,
  ctx: Ctx,
  given: Given,
  verb: 'grant' | 'debit',
): Promise<string | undefined> {
  return aboutUser(deps, ctx, given, {
    verb,
    read: readChange,
    wanted: (say, start) => say.html('admin-amount-and-reason', { start, verb }),
    refusal: async (person, { amount }) => {
      const html = verb === 'debit' ? await tooMuch(deps, ctx, person, amount) : undefined
      return html === undefined ? undefined : { html, isFinal: false }
    },
    question: (say, name, { amount, reason }) =>
      say.html(`admin-confirm-${verb}`, { name, reason, amount: say.roubles(amount) }),
    act: (person, change) => changeBy(deps, ctx, person, change, { verb, from: given.from }),
  })
}

async function changeBy(
  deps: BotDeps,
  ctx: Ctx,
  person: Person,
  { amount, reason }: Change,
  { verb, from }: { readonly verb: 'grant' | 'debit'; readonly from: number },
): Promise<string | undefined> {
  const change = verb === 'grant' ? amount : -amount
  const corrected = await correct(deps, {
    // The key depends on the message only, so that an update handled twice changes the balance once.
    key: `telegram:${ctx.chatId}:${from}`,
    by: ctx.from?.id ?? null,
    userId: person.id,
    amount: change,
    reason,
  })
  const { available } = await readBalance(deps.db, person.id)
  if (corrected === 'insufficient') return insufficient(ctx.say, person, available)
  if (corrected === 'unknown-user') return ctx.say.html('admin-nobody-found', { query: `#${person.id}` })
  const facts = {
    verb,
    name: nameOf(person),
    amount: ctx.say.roubles(amount),
    available: ctx.say.roubles(available),
  }
  await reply(ctx, ctx.say.html(corrected === 'done' ? 'admin-corrected' : 'admin-corrected-before', facts))
  deps.topUps.wakeNotices()
  return undefined
}

/** Checks the balance before the operator is asked; the statement that takes the money decides. */
async function tooMuch(
  { db }: BotDeps,
  { say }: Ctx,
  person: Person,
  amount: Kopecks,
): Promise<string | undefined> {
  const { available } = await readBalance(db, person.id)
  return amount > available ? insufficient(say, person, available) : undefined
}

const insufficient = (say: Say, person: Person, available: Kopecks): string =>
  say.html('admin-insufficient', { name: nameOf(person), available: say.roubles(available) })
