// /ban and /unban, and how a banned user is turned away: one answer, and nothing is done. Money they paid is still
// credited, and those who answer for it can still be asked.

import { setBan } from '../../operator/bans.ts'
import type { BotDeps, Ctx } from '../context.ts'
import { answer, isOperator, nameOf } from './operator.ts'
import { targetOf } from './target.ts'
import { createTeller } from './teller.ts'

export async function ban(
  deps: BotDeps,
  ctx: Ctx,
  words: string,
  banned: boolean,
): Promise<string | undefined> {
  const target = await targetOf(deps, ctx, words)
  if (!target) return ctx.say.html('admin-nobody-chosen')
  const { person, operatorId, rest: reason } = target
  const verb = banned ? 'ban' : 'unban'
  if (reason === '') return ctx.say.html('admin-reason', { verb })
  if (banned && deps.operator.ids.includes(person.telegramId ?? 0)) {
    return void (await answer(ctx, ctx.say.html('admin-ban-operator')))
  }
  const isNew = await setBan(deps, { by: operatorId, userId: person.id, banned, reason })
  const name = nameOf(person)
  await answer(ctx, isNew ? ctx.say.html('admin-ban-set', { verb, name }) : ctx.say.html('admin-done-before'))
  if (isNew && !banned) await createTeller({ ...deps, api: ctx.api }).unbanned(person.id)
  return undefined
}

const stillAnswered = /^\/(paysupport|support|delete_me)\b/

/** @returns true when there is nothing more to do with the update */
export async function turnAway(deps: BotDeps, ctx: Ctx): Promise<boolean> {
  if (!ctx.user.bannedAt || isOperator(deps, ctx)) return false
  if (ctx.msg?.successful_payment || stillAnswered.test(ctx.message?.text ?? '')) return false
  const { contact } = deps.operator
  if (ctx.callbackQuery) {
    await ctx.answerCallbackQuery({ text: ctx.say.plain('banned-alert'), show_alert: true })
  } else if (ctx.message && ctx.chat?.type === 'private') {
    await answer(ctx, contact ? ctx.say.html('banned', { contact }) : ctx.say.html('banned-for-good'))
  }
  return true
}
