// Handles one update. The user gets one apology for a failure; a failure that a retry can solve is thrown.

import { type Bot, BotError } from 'grammy'
import type { Update } from 'grammy/types'
import { isChatClosed, isTopicGone } from '../telegram/errors.ts'
import { isAboutMoney } from '../updates/inbox.ts'
import type { BotDeps, Ctx } from './context.ts'
import { alert, reply } from './responses.ts'
import { isRetried, isTelegramAway } from './retried.ts'

export const updateTypes = [
  'message',
  'edited_message',
  'callback_query',
  'inline_query',
  'pre_checkout_query',
  'my_chat_member',
  'stopped_message_generation',
] as const

/** From this attempt on, a failure of Telegram that lets the apology through concerns only this answer. */
const lastingFailure = 3

/**
 * Handling an update twice is harmless: money moves by unique operation keys, text models answer an update once, and a message may be sent
 * twice.
 */
export function createHandler(
  bot: Bot<Ctx>,
  deps: BotDeps,
): (update: Update, attempts: number) => Promise<void> {
  return async (update, attempts) => {
    try {
      await bot.handleUpdate(update)
    } catch (error) {
      if (!(error instanceof BotError)) throw error
      const isFinal = !isRetried(update, error.error)
      const isLasting = attempts >= lastingFailure && isTelegramAway(error.error) && !isAboutMoney(update)
      const isTold = (isFinal || isLasting) && (await apologise(deps, error))
      if (!isFinal && !isTold) throw error.error
    }
  }
}

/** @returns whether the apology arrived, or the chat takes none */
async function apologise({ log }: BotDeps, { error, ctx }: BotError<Ctx>): Promise<boolean> {
  const facts = { update: ctx.update.update_id, error }
  if (isChatClosed(error) || isTopicGone(error)) {
    log.info(facts, 'not answered: the chat or its topic takes no messages')
    return true
  }
  log.error(facts, 'update not handled')
  if (!ctx.say || !ctx.chat) return false
  const apology =
    ctx.callbackQuery && !ctx.isTapAnswered
      ? alert(ctx, ctx.say.plain('went-wrong'))
      : reply(ctx, ctx.say.html('went-wrong'))
  return apology.then(
    () => true,
    () => false,
  )
}
