// The bot: features in the order that keeps payments first, commands always working, and conversations in between.

import { conversations, createConversation } from '@grammyjs/conversations'
import { sequentialize } from '@grammyjs/runner'
import { type ApiClientOptions, Bot, type BotError, type Context, type MiddlewareFn } from 'grammy'
import { forgiveHarmless } from '../delivery/telegram.ts'
import { post } from '../ledger/ledger.ts'
import { welcome } from '../ledger/moves.ts'
import { ensureUser, type User } from '../ledger/user.ts'
import { askName, createAsk } from './ask.ts'
import type { BotDeps, Ctx } from './context.ts'
import { conversationStorage } from './conversation-storage.ts'
import { balance } from './features/balance.ts'
import { basics } from './features/basics.ts'
import { card } from './features/card.ts'
import { fallback } from './features/fallback.ts'
import { models } from './features/models.ts'
import { results } from './features/results.ts'
import { settings } from './features/settings.ts'
import { checkout, payments, topUp } from './features/top-up.ts'
import { createStyleMaker, styleMadeTap, styleMakerName } from './style-maker.ts'

export function createBot(token: string, client: ApiClientOptions): Bot<Ctx> {
  const bot = new Bot<Ctx>(token, { client })
  bot.api.config.use(forgiveHarmless)
  return bot
}

export function installFeatures(bot: Bot<Ctx>, deps: BotDeps): void {
  bot.catch((error) => apologise(deps, error))
  bot.use(checkout(deps))
  bot.use(sequentialize((ctx) => [ctx.chatId, ctx.from?.id].filter((id) => id !== undefined).map(String)))
  bot.use(recogniseUser(deps))
  bot.use(payments(deps))
  bot.use(
    conversations<Ctx, Context>({
      storage: conversationStorage(deps.db, deps.clock),
      plugins: [forgiveInside],
    }),
  )
  bot.use(leaveConversation)
  bot.use(createConversation<Ctx, Context>(createAsk(deps), askName))
  bot.use(createConversation<Ctx, Context>(createStyleMaker(deps), styleMakerName))
  bot.use(basics(deps), settings(deps), balance(deps), topUp(deps), models(deps), card(deps), results(deps))
  bot.use(fallback)
}

/** Transformers of `bot.api` do not reach into conversations: they have an Api of their own. */
const forgiveInside: MiddlewareFn<Context> = (ctx, next) => {
  ctx.api.config.use(forgiveHarmless)
  return next()
}

/** Everybody who speaks to the bot has a user row; updates from nobody (channels) end here. */
function recogniseUser(deps: BotDeps): MiddlewareFn<Ctx> {
  return async (ctx, next) => {
    if (!ctx.from || ctx.from.is_bot) return
    const person = { telegramId: ctx.from.id, languageCode: ctx.from.language_code }
    const { user, isNew } = await ensureUser(deps.db, person, deps.clock.now())
    if (isNew) await giveWelcome(deps, user)
    ctx.user = user
    ctx.say = deps.texts(ctx.user.locale)
    await next()
  }
}

async function giveWelcome({ db, clock, welcomeCredit }: BotDeps, { id }: User): Promise<void> {
  if (welcomeCredit > 0n) await post(db, [welcome(id, welcomeCredit)], clock.now())
}

/** A command or a tap is a way out of any question, but for the tap that one waits for. */
const leaveConversation: MiddlewareFn<Ctx> = async (ctx, next) => {
  const isCommand = ctx.entities('bot_command').some((entity) => entity.offset === 0)
  const isTap = ctx.callbackQuery && ctx.callbackQuery.data !== styleMadeTap
  if (isCommand || isTap) await ctx.conversation.exitAll()
  await next()
}

/** A handler failed: money is not at stake here, since every move of it is one statement. */
async function apologise({ log }: BotDeps, { error, ctx }: BotError<Ctx>): Promise<void> {
  log.error({ update: ctx.update.update_id, error }, 'update not handled')
  if (!ctx.say || !ctx.chat) return
  if (ctx.callbackQuery) await ctx.answerCallbackQuery(ctx.say.plain('went-wrong')).catch(() => undefined)
  else await ctx.reply(ctx.say.html('went-wrong'), { parse_mode: 'HTML' }).catch(() => undefined)
}
