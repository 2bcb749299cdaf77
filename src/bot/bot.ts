// The bot: features in the order that keeps payments first, commands always working, and conversations in between.

import { conversations, createConversation } from '@grammyjs/conversations'
import { type ApiClientOptions, Bot, type Context, type MiddlewareFn } from 'grammy'
import { forgiveHarmless } from '../delivery/telegram.ts'
import { ensureUser } from '../ledger/user.ts'
import { askName, createAsk } from './ask.ts'
import type { BotDeps, Ctx } from './context.ts'
import { conversationStorage } from './conversation-storage.ts'
import { turnAway } from './features/admin/bans.ts'
import { desk } from './features/admin/desk.ts'
import { asking } from './features/asking.ts'
import { balance } from './features/balance.ts'
import { basics } from './features/basics.ts'
import { card } from './features/card.ts'
import { chat, chatStops } from './features/chat.ts'
import { checkout, payments, refunds } from './features/checkout.ts'
import { fallback } from './features/fallback.ts'
import { forget } from './features/forget.ts'
import { history } from './features/history.ts'
import { legal } from './features/legal.ts'
import { models } from './features/models.ts'
import { moving } from './features/moving.ts'
import { promo } from './features/promo.ts'
import { createEmailAsk, emailAskName } from './features/receipt-email.ts'
import { referral } from './features/referral.ts'
import { createReport, report, reportName } from './features/report.ts'
import { results } from './features/results.ts'
import { settings } from './features/settings.ts'
import { statement } from './features/statement.ts'
import { topUp } from './features/top-up.ts'
import { limitFlood } from './flood.ts'
import { greetNewcomer } from './newcomer.ts'
import { createStyleMaker, styleMadeTap, styleMakerName } from './style-maker.ts'

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
