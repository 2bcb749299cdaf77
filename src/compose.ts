// Everything the app is made of, made here and passed in: who needs what can be read from top to bottom.

import { createBot, installFeatures } from './bot/bot.ts'
import { createRunning } from './bot/chat/running.ts'
import { createSweep } from './bot/chat/sweep.ts'
import type { BotDeps } from './bot/context.ts'
import { createOperatorLoops } from './bot/features/admin/loops.ts'
import { createReferralReward } from './bot/features/referral.ts'
import { createPaymentNews } from './bot/payment-news.ts'
import { createStarAccount } from './bot/star-account.ts'
import { createCatalog } from './catalog/catalog.ts'
import { models } from './catalog/index.ts'
import type { StandIn } from './catalog/media.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Database } from './db/client.ts'
import { createFiles } from './delivery/files.ts'
import { createMessenger } from './delivery/messenger.ts'
import { telegramClient } from './delivery/telegram.ts'
import { createGateway } from './gateway/client.ts'
import { cachedConcepts } from './generations/concepts.ts'
import type { GenerationDeps } from './generations/generation.ts'
import { createTracker } from './generations/tracker.ts'
import { createLinks } from './http/links.ts'
import { callbackPath, createRoutes, type Handle } from './http/routes.ts'
import type { Ids } from './ids.ts'
import type { Log } from './log.ts'
import type { Loop } from './loop.ts'
import type { Provider } from './payments/provider.ts'
import { createStars, type StarAccount } from './payments/stars.ts'
import { createTelegramRub } from './payments/telegram-rub.ts'
import type { TopUpDeps } from './payments/top-ups.ts'
import { createTopUpWatch } from './payments/watch.ts'
import { createYookassa } from './payments/yookassa.ts'
import { loadTexts } from './texts.ts'

/** What is not configuration: the world's clock, chance and paper. */
export interface Surroundings {
  readonly clock: Clock
  readonly ids: Ids
  readonly random: () => number
  readonly log: Log
}

export interface Parts {
  readonly bot: ReturnType<typeof createBot>
  readonly deps: BotDeps
  readonly handle: Handle
  readonly loops: readonly Loop[]
  /** Hangs up on everybody outside. */
  close(): Promise<void>
}

export function compose(config: Config, surroundings: Surroundings, db: Database): Parts {
  const { clock, log } = surroundings
  const texts = loadTexts(config.textsDir)
  const telegram = telegramClient(config.telegramApiRoot, clock)
  const bot = createBot(config.botToken, telegram.options)
  const { api } = bot
  const gateway = createGateway({ baseUrl: config.gatewayUrl, key: config.gatewayKey })
  const catalog = createCatalog(models, config.catalog)
  const messenger = createMessenger({ api, db, catalog, texts, clock, log })
  const files = createFiles(api, config.telegramApiRoot)
  const links = createLinks(config.botToken, clock)
  const common = { ...surroundings, api, db, texts, catalog }
  const generations: GenerationDeps = {
    ...{ ...surroundings, db, catalog, gateway, messenger },
    ...outsideOf(config, links, files),
    pollIntervalMs: config.pollIntervalMs,
    limits: config.limits,
  }
  const tracker = createTracker(generations)
  const topUps: TopUpDeps = {
    ...{ ...surroundings, db, limits: config.topUp, pollIntervalMs: config.pollIntervalMs },
    providers: providersOf(config, {
      clock,
      stars: createStarAccount(api),
      returnUrl: () => `https://t.me/${bot.botInfo.username}`,
    }),
    tell: createPaymentNews(common),
    onCredited: createReferralReward({ ...common, bonus: config.referralBonus }),
  }
  const { broadcaster, alarms } = createOperatorLoops(common, config.operator.ids)
  const deps: BotDeps = {
    ...{ ...generations, texts, tracker, files, topUps },
    ...{ broadcaster, running: createRunning() },
    concepts: cachedConcepts(() => gateway.concepts(), clock, log),
    textModels: config.textModels,
    welcomeCredit: config.welcomeCredit,
    referralBonus: config.referralBonus,
    operator: config.operator,
  }
  installFeatures(bot, deps)
  return {
    bot,
    deps,
    handle: createRoutes({ ...generations, tracker, links, topUps }),
    loops: [tracker, createSweep(deps, api), ...createTopUpWatch(topUps), broadcaster, alarms],
    async close() {
      for (const provider of topUps.providers) await provider.close?.()
      await gateway.close()
      await telegram.close()
    },
  }
}

/** What needs a public address: callbacks and links to files. */
function outsideOf(
  { publicUrl }: Config,
  links: ReturnType<typeof createLinks>,
  files: ReturnType<typeof createFiles>,
): Pick<GenerationDeps, 'callbackUrl' | 'media'> {
  if (!publicUrl) return { callbackUrl: undefined, media: { ...files, link: undefined } }
  return {
    callbackUrl: (token) => publicUrl + callbackPath(token),
    media: { ...files, link: (one: StandIn) => publicUrl + links.path(one) },
  }
}

interface Paying {
  readonly clock: Clock
  readonly stars: StarAccount
  readonly returnUrl: () => string
}

/** Stars come first: Telegram allows nothing else for digital goods. */
function providersOf({ topUp }: Config, { clock, stars, returnUrl }: Paying): Provider[] {
  const { roublesPerStar, rubProviderToken, yookassa: settings, vatCode } = topUp
  return [
    ...(roublesPerStar ? [createStars(roublesPerStar, stars)] : []),
    ...(rubProviderToken ? [createTelegramRub(rubProviderToken, vatCode)] : []),
    ...(settings ? [createYookassa({ settings, vatCode, clock, returnUrl })] : []),
  ]
}
