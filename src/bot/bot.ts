// Which handler gets an update: payments first, then what every user may do at any time, then conversations and the rest.

import { type ConversationBuilder, conversations, createConversation } from '@grammyjs/conversations'
import { type ApiClientOptions, Bot, Composer, type Context, type MiddlewareFn } from 'grammy'
import { forgiveHarmless } from '../telegram/client.ts'
import { moveChat } from '../telegram/moved-chat.ts'
import { paymentUpdates } from './account/checkout.ts'
import { forget } from './account/forget.ts'
import { history } from './account/history.ts'
import { createEmailAsk, emailAskName } from './account/pay-link.ts'
import { createGuesses, createPromoAsk, type Guesses, promo, promoAskName } from './account/promo.ts'
import { createReport, report, reportName } from './account/report.ts'
import { statement } from './account/statement.ts'
import { supportReplies } from './account/support.ts'
import { topUp } from './account/top-up.ts'
import { commandButtons, news } from './admin/broadcast.ts'
import { desk } from './admin/desk.ts'
import { isOperatorsGroup, operatorsOnly } from './admin/group.ts'
import { isStaff } from './admin/operator.ts'
import { basics } from './basics/basics.ts'
import { consent } from './basics/consent.ts'
import { closedQuestions, fallback } from './basics/fallback.ts'
import { ideas } from './basics/ideas.ts'
import { prices } from './basics/prices.ts'
import { limitFlood, recogniseUser } from './basics/recognise.ts'
import { settings } from './basics/settings.ts'
import { start } from './basics/start.ts'
import { askName, createAsk } from './cards/ask.ts'
import { card } from './cards/card.ts'
import { restsOfAlbums } from './cards/file-uses.ts'
import { guide } from './cards/guide.ts'
import { models, plainFiles } from './cards/models.ts'
import { createPresetNaming, presetNamingName, presets } from './cards/presets.ts'
import { followUps } from './cards/result-uses.ts'
import { results } from './cards/results.ts'
import { rewriting } from './cards/rewriting.ts'
import { createStyleMaker, styleMakerName } from './cards/style-maker.ts'
import { talk } from './cards/talk.ts'
import { chat, chatStops, plainQuestions } from './chat/chat.ts'
import { createDocumentAsk, documentAskName } from './chat/documents.ts'
import { createFileAsk, fileAskName } from './chat/files.ts'
import { createOwnPersona, personas } from './chat/personas.ts'
import { ownPersonaName, settingsTaps } from './chat/settings.ts'
import { alertStale, type BotDeps, type Ctx } from './context.ts'
import { conversationStorage, oncePerUpdate } from './conversation-storage.ts'
import { anonymous, leaving, privateCommands } from './groups/groups.ts'
import { wallet } from './groups/wallet.ts'
import { inline } from './inline/inline.ts'
import { replaceQuestions } from './question.ts'
import { type Routes, route } from './routes.ts'
import { awaitedFiles, awaitedWords, wordsBeforeQuestions } from './typed-words.ts'

export function createBot(token: string, client: ApiClientOptions): Bot<Ctx> {
  const bot = new Bot<Ctx>(token, { client })
  bot.api.config.use(forgiveHarmless)
  return bot
}

/** The handlers of an update, in the order in which they are asked; each one takes the update or passes it on. */
export function installFeatures(bot: Bot<Ctx>, deps: BotDeps): void {
  const guesses = createGuesses(deps.clock)
  const plugin = conversations<Ctx, Context>({ storage: conversationStorage(deps), plugins: [forgiveInside] })
  bot.on(
    ['pre_checkout_query', 'message:refunded_payment', 'message:successful_payment'],
    paymentUpdates(deps),
  )
  bot.use(chatStops(deps), movedChats(deps))
  bot.on(['my_chat_member', 'message:left_chat_member'], leaving(deps))
  bot.on('inline_query', inline(deps))
  bot.use(anonymous(deps), operatorsOnly(deps), recogniseUser(deps))
  bot.filter((ctx) => ctx.chat?.type === 'private' && isStaff(deps, ctx), desk(deps))
  bot.filter((ctx) => isOperatorsGroup(deps, ctx)).use(desk(deps), staleTaps)
  bot.use(limitFlood(deps), route([commandButtons(deps)]), privateCommands(), supportReplies(deps))
  bot.use(plugin, oncePerUpdate, replaceQuestions(deps))
  bot.filter(({ message }) => message?.media_group_id !== undefined, restsOfAlbums(deps))
  bot.use(wordsBeforeQuestions(deps))
  bot.use(questions(deps, guesses), route(features(deps, guesses)))
  bot.use(
    awaitedFiles(deps),
    plainFiles(deps),
    awaitedWords(deps),
    closedQuestions(deps),
    plainQuestions(deps),
  )
  bot.use(fallback(deps))
}

/** What commands and taps do. Those of operators are in the desk. */
const features = (deps: BotDeps, guesses: Guesses): readonly Routes[] => [
  start(deps),
  basics(deps),
  settings(deps),
  consent(deps),
  prices(deps),
  ideas(deps),
  news(deps),
  models(deps),
  talk(deps),
  guide(deps),
  card(deps),
  presets(deps),
  rewriting(deps),
  results(deps),
  followUps(deps),
  topUp(deps),
  statement(deps),
  promo(deps, guesses),
  history(deps),
  report(deps),
  forget(deps),
  wallet(deps),
  chat(deps),
  settingsTaps(deps),
  personas(deps),
]

/** The conversations, in which the next message answers a question. */
function questions(deps: BotDeps, guesses: Guesses): Composer<Ctx> {
  const builders = {
    [askName]: createAsk(deps),
    [styleMakerName]: createStyleMaker(deps),
    [presetNamingName]: createPresetNaming(deps),
    [reportName]: createReport(deps),
    [emailAskName]: createEmailAsk(deps),
    [promoAskName]: createPromoAsk(deps, guesses),
    [documentAskName]: createDocumentAsk(deps),
    [fileAskName]: createFileAsk(deps),
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

/** Nothing but the desk works in the operators' group. */
const staleTaps = (ctx: Ctx): Promise<void> => (ctx.callbackQuery ? alertStale(ctx) : Promise.resolve())

/** A group that became a supergroup has a new id. The message about it has no user, so it is handled before users are recognised. */
const movedChats =
  ({ db }: Pick<BotDeps, 'db'>): MiddlewareFn<Context> =>
  async ({ message }, next) => {
    if (!message?.migrate_to_chat_id) return next()
    await moveChat(db, message.chat.id, message.migrate_to_chat_id)
  }
