// The bot: features in the order that keeps payments first, commands always working, and conversations in between.

import { conversations, createConversation } from '@grammyjs/conversations'
import { type ApiClientOptions, Bot, type Context, type MiddlewareFn } from 'grammy'
import { forgiveHarmless } from '../telegram/client.ts'
import { ensureUser } from '../users/user.ts'
import { balance } from './account/balance.ts'
import { checkout, payments, refunds } from './account/checkout.ts'
import { forget } from './account/forget.ts'
import { history } from './account/history.ts'
import { legal } from './account/legal.ts'
import { promo } from './account/promo.ts'
import { createEmailAsk, emailAskName } from './account/receipt-email.ts'
import { referral } from './account/referral.ts'
import { createReport, report, reportName } from './account/report.ts'
import { statement } from './account/statement.ts'
import { topUp } from './account/top-up.ts'
import { turnAway } from './admin/bans.ts'
import { desk } from './admin/desk.ts'
import { asking } from './basics/asking.ts'
import { basics } from './basics/basics.ts'
import { fallback } from './basics/fallback.ts'
import { limitFlood } from './basics/flood.ts'
import { moving } from './basics/moving.ts'
import { greetNewcomer } from './basics/newcomer.ts'
import { settings } from './basics/settings.ts'
import { askName, createAsk } from './cards/ask.ts'
import { card } from './cards/card.ts'
import { models } from './cards/models.ts'
import { results } from './cards/results.ts'
import { createStyleMaker, styleMadeTap, styleMakerName } from './cards/style-maker.ts'
import { chat, chatStops } from './chat/chat.ts'
import type { BotDeps, Ctx } from './context.ts'
import { conversationStorage } from './conversation-storage.ts'

export function createBot(token: string, client: ApiClientOptions): Bot<Ctx> {
  const bot = new Bot<Ctx>(token, { client })
  bot.api.config.use(forgiveHarmless)
  return bot
}

export function installFeatures(bot: Bot<Ctx>, deps: BotDeps): void {
  bot.use(checkout(deps), payments(deps), refunds(deps), chatStops(deps), moving(deps))
  bot.use(recogniseUser(deps))
  bot.use(desk(deps), limitFlood(deps.clock))
  bot.use(
    conversations<Ctx, Context>({
      storage: conversationStorage(deps.db, deps.clock),
      plugins: [forgiveInside],
    }),
  )
  bot.use(leaveConversation)
  bot.use(createConversation<Ctx, Context>(createAsk(deps), askName))
  bot.use(createConversation<Ctx, Context>(createStyleMaker(deps), styleMakerName))
  bot.use(createConversation<Ctx, Context>(createReport(deps), reportName))
  bot.use(createConversation<Ctx, Context>(createEmailAsk(deps), emailAskName))
  bot.use(basics(deps), settings(deps), balance(deps), topUp(deps), models(deps), card(deps), results(deps))
  bot.use(
    history(deps),
    report(deps),
    statement(deps),
    promo(deps),
    referral(deps),
    legal(deps),
    forget(deps),
  )
  bot.use(asking(deps), chat(deps))
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
    const { id: telegramId, language_code: languageCode, username = null } = ctx.from
    const name = [ctx.from.first_name, ctx.from.last_name].filter(Boolean).join(' ')
    const person = { telegramId, languageCode, name, username }
    const { user, isNew } = await ensureUser(deps.db, person, deps.clock.now())
    if (isNew) await greetNewcomer(deps, ctx, user)
    ctx.user = user
    ctx.say = deps.texts(ctx.user.locale)
    if (await turnAway(deps, ctx)) return
    await next()
  }
}

/** A command or a tap is a way out of any question, but for the tap that one waits for. */
const leaveConversation: MiddlewareFn<Ctx> = async (ctx, next) => {
  const isCommand = ctx.entities('bot_command').some((entity) => entity.offset === 0)
  const isTap = ctx.callbackQuery && ctx.callbackQuery.data !== styleMadeTap
  if (isCommand || isTap) await ctx.conversation.exitAll()
  await next()
}
