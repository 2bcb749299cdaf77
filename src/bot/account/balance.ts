// /balance: what can be spent and what is held.

import { Composer, InlineKeyboard } from 'grammy'
import { readBalance } from '../../ledger/ledger.ts'
import type { BotDeps, Ctx } from '../context.ts'

export function balance(deps: BotDeps): Composer<Ctx> {
  const composer = new Composer<Ctx>()
  composer.command('balance', async (ctx) => {
    const { available, held } = await readBalance(deps.db, ctx.user.id)
    const lines = [
      ctx.say.html('balance', { available: ctx.say.roubles(available) }),
      ...(held > 0n ? [ctx.say.html('balance-held', { held: ctx.say.roubles(held) })] : []),
    ]
    const keyboard = new InlineKeyboard().text(ctx.say.plain('button-top-up-any'), 't')
    await ctx.reply(lines.join('\n'), { parse_mode: 'HTML', reply_markup: keyboard })
  })
  return composer
}
