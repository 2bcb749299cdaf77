// Who is an operator, and how one is answered.

import type { Context, InlineKeyboard } from 'grammy'
import type { BotDeps, Ctx } from '../context.ts'

export const isOperator = ({ operator }: Pick<BotDeps, 'operator'>, { from }: Context): boolean =>
  from !== undefined && operator.ids.includes(from.id)

export const answer = (ctx: Ctx, html: string, keyboard?: InlineKeyboard) =>
  ctx.reply(html, { parse_mode: 'HTML', ...(keyboard ? { reply_markup: keyboard } : {}) })

/** A name for a person who may have none. */
export function nameOf(one: {
  readonly id: bigint
  readonly name: string | null
  readonly username: string | null
}): string {
  return one.name ?? (one.username ? `@${one.username}` : `#${one.id}`)
}
