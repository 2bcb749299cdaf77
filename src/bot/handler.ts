// Handles one update. The user gets one apology for a failure; a failure that a retry can solve is thrown.

import { type Bot, BotError } from 'grammy'
import type { Update } from 'grammy/types'
import { isChatClosed, isTopicGone } from '../telegram/errors.ts'
import type { Known } from '../updates/known.ts'
import type { BotDeps, Ctx } from './context.ts'
import { remember } from './known.ts'
import { answerTap, isAnswered, reply } from './responses.ts'
import { isRetried } from './retried.ts'

export const updateTypes = [
  'message',
  'edited_message',
  'callback_query',
  'inline_query',
  'pre_checkout_query',
  'my_chat_member',
  'stopped_message_generation',
] as const

/** Handling an update twice is harmless: money moves by unique operation keys, and text models answer an update once. */
export function createHandler(
  bot: Bot<Ctx>,
  deps: BotDeps,
): (update: Update, known?: Known) => Promise<void> {
  return async (update, known) => {
    if (known) remember(update, known)
    try {
      await bot.handleUpdate(update)
    } catch (error) {
      if (!(error instanceof BotError)) throw error
      if (isRetried(update, error.error)) throw error.error
      await apologise(deps, error)
    }
  }
}

async function apologise({ log }: BotDeps, { error, ctx }: BotError<Ctx>): Promise<void> {
  const facts = { update: ctx.update.update_id, error }
  const isClosed = isChatClosed(error) || isTopicGone(error)
  if (isClosed) return log.info(facts, 'not answered: the chat or its topic takes no messages')
  log.error(facts, 'update not handled')
  if (!ctx.say || !ctx.chat) return
  const apology =
    ctx.callbackQuery && !isAnswered(ctx)
      ? answerTap(ctx, ctx.say.plain('went-wrong'))
      : reply(ctx, ctx.say.html('went-wrong'))
  await apology.catch(() => undefined)
}
