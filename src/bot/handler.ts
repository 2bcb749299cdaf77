// One update through the bot. What failed is apologised for once; what may pass by itself is thrown, to be tried again.

import { type Bot, BotError } from 'grammy'
import type { Update } from 'grammy/types'
import { isOutage } from '../db/outage.ts'
import { isAboutMoney } from '../updates/lanes.ts'
import type { BotDeps, Ctx } from './context.ts'

export const updateTypes = [
  'message',
  'edited_message',
  'callback_query',
  'pre_checkout_query',
  'my_chat_member',
  'stopped_message_generation',
] as const

/** Every handler does its deed once, however often it is called: money by its keys, answers by their update. */
export function createHandler(bot: Bot<Ctx>, deps: BotDeps): (update: Update) => Promise<void> {
  return async (update) => {
    try {
      await bot.handleUpdate(update)
    } catch (error) {
      if (!(error instanceof BotError)) throw error
      if (isAboutMoney(update) || isOutage(error.error)) throw error.error
      await apologise(deps, error)
    }
  }
}

/** Money is not at stake here, since every move of it is one statement. */
async function apologise({ log }: BotDeps, { error, ctx }: BotError<Ctx>): Promise<void> {
  log.error({ update: ctx.update.update_id, error }, 'update not handled')
  if (!ctx.say || !ctx.chat) return
  if (ctx.callbackQuery) await ctx.answerCallbackQuery(ctx.say.plain('went-wrong')).catch(() => undefined)
  else await ctx.reply(ctx.say.html('went-wrong'), { parse_mode: 'HTML' }).catch(() => undefined)
}
