// What is nobody else's business is said in the private chat only.

import { InlineKeyboard, type Middleware } from 'grammy'
import type { Ctx } from './context.ts'

/** In a group it says where to ask instead. */
export function inPrivate(handle: (ctx: Ctx) => Promise<unknown>): Middleware<Ctx> {
  return async (ctx) => {
    if (ctx.chat?.type === 'private') return void (await handle(ctx))
    if (ctx.callbackQuery) return void (await ctx.answerCallbackQuery(ctx.say.plain('private-only-short')))
    const keyboard = new InlineKeyboard().url(
      ctx.say.plain('button-private-chat'),
      `https://t.me/${ctx.me.username}`,
    )
    await ctx.reply(ctx.say.html('private-only'), { parse_mode: 'HTML', reply_markup: keyboard })
  }
}
