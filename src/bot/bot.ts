// Installs the features in order: payments first, then what every user may do at any time, then conversations and the rest.

import { type ConversationBuilder, conversations, createConversation } from '@grammyjs/conversations'
import { type ApiClientOptions, Bot, Composer, type Context, type MiddlewareFn } from 'grammy'
import { forgiveHarmless } from '../telegram/client.ts'
import { moveChat } from '../telegram/moved-chat.ts'
import { checkout, payments, refunds } from './account/checkout.ts'
import { forget } from './account/forget.ts'
import { history } from './account/history.ts'
import { createEmailAsk, emailAskName } from './account/pay-link.ts'
import { createGuesses, createPromoAsk, promo, promoAskName, referral } from './account/promo.ts'
import { createReport, report, reportName } from './account/report.ts'
import { balance, statement } from './account/statement.ts'
import { topUp } from './account/top-up.ts'
import { desk } from './admin/desk.ts'
import { basics, legal, settings } from './basics/basics.ts'
import { closedQuestions, fallback } from './basics/fallback.ts'
import { limitFlood, recogniseUser } from './basics/recognise.ts'
import { start } from './basics/start.ts'
import { askName, createAsk } from './cards/ask.ts'
import { card } from './cards/card.ts'
import { restsOfAlbums } from './cards/file-uses.ts'
import { createGuide, guide } from './cards/guide.ts'
import { models } from './cards/models.ts'
import { createPresetNaming, presetNamingName, presets } from './cards/presets.ts'
import { followUps } from './cards/result-uses.ts'
import { resultFiles, results, withdraw } from './cards/results.ts'
import { rewriting } from './cards/rewriting.ts'
import { createStyleMaker, styleMakerName } from './cards/style-maker.ts'
import { chat, chatStops } from './chat/chat.ts'
import { createDocumentAsk, documentAskName } from './chat/documents.ts'
import { createOwnPersona } from './chat/personas.ts'
import { createPictureAsk, pictureAskName } from './chat/pictures.ts'
import { ownPersonaName } from './chat/settings.ts'
import type { BotDeps, Ctx } from './context.ts'
import { conversationStorage, oncePerUpdate } from './conversation-storage.ts'
import { anonymous, leaving, privateCommands } from './groups/groups.ts'
import { wallet } from './groups/wallet.ts'
import { inline } from './inline/inline.ts'
import { guideName, replaceQuestions } from './question.ts'
import { typedWords, wordsBeforeQuestions } from './typed-words.ts'

export function createBot(token: string, client: ApiClientOptions): Bot<Ctx> {
  const bot = new Bot<Ctx>(token, { client })
  bot.api.config.use(forgiveHarmless)
  return bot
}

export function installFeatures(bot: Bot<Ctx>, deps: BotDeps): void {
  const features = new Composer<Ctx>()
  const guesses = createGuesses(deps.clock)
  features.use(
    checkout(deps),
    payments(deps),
    refunds(deps),
    chatStops(deps),
    movedChats(deps),
    leaving(deps),
  )
  features.use(inline(deps), anonymous(deps))
  features.use(recogniseUser(deps))
  features.use(desk(deps), limitFlood(deps), privateCommands())
  features.use(
    conversations<Ctx, Context>({
      storage: conversationStorage(deps),
      plugins: [forgiveInside],
    }),
  )
  features.use(oncePerUpdate, replaceQuestions(deps), restsOfAlbums(deps), wordsBeforeQuestions(deps))
  features.use(questions(deps, guesses))
  features.use(wallet(deps), start(deps), basics(deps), settings(deps), balance(deps), topUp(deps))
  features.use(
    guide(deps),
    models(deps),
    card(deps),
    typedWords(deps),
    rewriting(deps),
    withdraw(deps),
    presets(deps),
    results(deps),
  )
  features.use(followUps(deps), resultFiles(deps))
  features.use(
    history(deps),
    report(deps),
    statement(deps),
    promo(deps, guesses),
    referral(deps),
    legal(deps),
    forget(deps),
  )
  features.use(closedQuestions(deps), chat(deps))
  features.use(fallback(deps))
  bot.use(features)
}

/** The conversations, in which the next message answers a question. */
function questions(deps: BotDeps, guesses: ReturnType<typeof createGuesses>): Composer<Ctx> {
  const builders = {
    [askName]: createAsk(deps),
    [guideName]: createGuide(deps),
    [styleMakerName]: createStyleMaker(deps),
    [presetNamingName]: createPresetNaming(deps),
    [reportName]: createReport(deps),
    [emailAskName]: createEmailAsk(deps),
    [promoAskName]: createPromoAsk(deps, guesses),
    [documentAskName]: createDocumentAsk(deps),
    [pictureAskName]: createPictureAsk(deps),
    [ownPersonaName]: createOwnPersona(deps),
  }
  const composer = new Composer<Ctx>()
  for (const [name, build] of Object.entries<ConversationBuilder<Ctx, Context>>(builders))
    composer.use(createConversation(build, name))
  return composer
}

/** A conversation has its own `Api`, to which the transformers of `bot.api` do not apply. */
const forgiveInside: MiddlewareFn<Context> = (ctx, next) => {
  ctx.api.config.use(forgiveHarmless)
  return next()
}

/** A group that became a supergroup has a new id. The message about it has no user, so it is handled before users are recognised. */
function movedChats({ db }: Pick<BotDeps, 'db'>): Composer<Context> {
  const composer = new Composer<Context>()
  composer.on('message:migrate_to_chat_id', (ctx) =>
    moveChat(db, ctx.chat.id, ctx.message.migrate_to_chat_id),
  )
  return composer
}
