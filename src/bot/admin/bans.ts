// /ban and /unban, and the answer to a banned user in place of everything else. A banned user's payment is still credited, and support
// and the deletion of their data stay available.

import { setBan } from '../../operator/bans.ts'
import type { Person } from '../../operator/people.ts'
import { wordsIn } from '../../telegram/words.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { alert, reply } from '../responses.ts'
import { aboutUser } from './about-user.ts'
import { type Given, isOperator, nameOf } from './operator.ts'

export function ban(
  deps: BotDeps,
  ctx: Ctx,
  given: Given,
  verb: 'ban' | 'unban',
): Promise<string | undefined> {
  return aboutUser(deps, ctx, given, {
    verb,
    read: (reason) => reason || undefined,
    wanted: (say, start) => say.html('admin-reason', { start }),
    refusal: async (person) => {
      const html = verb === 'ban' ? operatorStays(deps, ctx, person) : undefined
      return html === undefined ? undefined : { html, isFinal: true }
    },
    question: (say, name, reason) => say.html(`admin-confirm-${verb}`, { name, reason }),
    act: (person, reason) => decide(deps, ctx, person, reason, verb),
  })
}

const operatorStays = ({ operator }: BotDeps, { say }: Ctx, { telegramId }: Person): string | undefined =>
  operator.ids.includes(telegramId ?? 0) ? say.html('admin-ban-operator') : undefined

async function decide(
  deps: BotDeps,
  ctx: Ctx,
  person: Person,
  reason: string,
  verb: 'ban' | 'unban',
): Promise<string | undefined> {
  const banned = verb === 'ban'
  const refusal = banned ? operatorStays(deps, ctx, person) : undefined
  if (refusal !== undefined) return refusal
  const isNew = await setBan(deps, { by: ctx.from?.id ?? null, userId: person.id, banned, reason })
  const name = nameOf(person)
  if (isNew && !banned) deps.topUps.wakeNotices()
  await reply(ctx, isNew ? ctx.say.html('admin-ban-set', { verb, name }) : ctx.say.html('admin-done-before'))
  return undefined
}

const alwaysAllowed = /^\/(paysupport|support|delete_me)\b/

/** @returns true when the user is banned and the update is handled no further */
export async function answerIfBanned(deps: BotDeps, ctx: Ctx): Promise<boolean> {
  if (!ctx.user.bannedAt || isOperator(deps, ctx)) return false
  if (ctx.msg?.successful_payment || alwaysAllowed.test(ctx.message ? wordsIn(ctx.message) : '')) return false
  const { contact } = deps.operator
  if (ctx.callbackQuery) {
    await alert(ctx, ctx.say.plain('banned-alert'))
  } else if (ctx.message && ctx.chat?.type === 'private') {
    await reply(ctx, contact ? ctx.say.html('banned', { contact }) : ctx.say.html('banned-for-good'))
  }
  return true
}
