// The composition root: everything is made here and passed in.

import type { Server } from 'node:http'
import { type RunnerHandle, run } from '@grammyjs/runner'
import { createBot, installFeatures } from './bot/bot.ts'
import { publishCommands } from './bot/commands.ts'
import type { BotDeps } from './bot/context.ts'
import { createCatalog } from './catalog/catalog.ts'
import { models } from './catalog/index.ts'
import type { StandIn } from './catalog/media.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import { type Database, type OpenDatabase, openDatabase } from './db/client.ts'
import { createFiles } from './delivery/files.ts'
import { createMessenger } from './delivery/messenger.ts'
import { telegramClient } from './delivery/telegram.ts'
import { createGateway } from './gateway/client.ts'
import { cachedConcepts } from './generations/concepts.ts'
import type { GenerationDeps } from './generations/generation.ts'
import { createTracker } from './generations/tracker.ts'
import { createLinks } from './http/links.ts'
import { callbackPath, createRoutes, type Handle } from './http/routes.ts'
import { closeServer, listen } from './http/server.ts'
import type { Ids } from './ids.ts'
import type { Log } from './log.ts'
import type { Provider } from './payments/provider.ts'
import { createStars } from './payments/stars.ts'
import { createTelegramRub } from './payments/telegram-rub.ts'
import { loadTexts } from './texts.ts'

/** What is not configuration: the world's clock, chance and paper. */
export interface Surroundings {
  readonly clock: Clock
  readonly ids: Ids
  readonly random: () => number
  readonly log: Log
}

export interface App {
  /** Our routes, for whoever serves them at `PUBLIC_URL`. */
  readonly handle: Handle
  readonly db: Database
  /**
   * @param onFatal called when Telegram no longer lets us poll: another process does, or the token was withdrawn
   * @throws when Telegram refuses the token or can not be reached
   */
  start(onFatal: (error: unknown) => void): Promise<void>
  /** Takes nothing new, waits for what runs, closes everything. */
  stop(): Promise<void>
}

export async function createApp(config: Config, surroundings: Surroundings): Promise<App> {
  const { clock, log } = surroundings
  const catalog = createCatalog(models, config.catalog)
  const database = await openDatabase(config.databaseUrl)
  const { db } = database
  const texts = loadTexts(config.textsDir)
  const telegram = telegramClient(config.telegramApiRoot, clock)
  const bot = createBot(config.botToken, telegram.options)
  const gateway = createGateway({ baseUrl: config.gatewayUrl, key: config.gatewayKey })
  const messenger = createMessenger({ api: bot.api, db, catalog, texts, clock, log })
  const { publicUrl, pollIntervalMs } = config
  const callbackUrl = publicUrl ? (token: string) => publicUrl + callbackPath(token) : undefined
  const files = createFiles(bot.api, config.telegramApiRoot)
  const links = createLinks(config.botToken, clock)
  const link = publicUrl ? (one: StandIn) => publicUrl + links.path(one) : undefined
  const generations: GenerationDeps = {
    ...surroundings,
    db,
    catalog,
    gateway,
    messenger,
    media: { ...files, link },
    callbackUrl,
    pollIntervalMs,
  }
  const tracker = createTracker(generations)
  const providers = providersOf(config)
  const deps: BotDeps = {
    ...generations,
    texts,
    tracker,
    files,
    concepts: cachedConcepts(() => gateway.concepts(), clock, log),
    welcomeCredit: config.welcomeCredit,
    referralBonus: config.referralBonus,
    operator: config.operator,
    topUps: { ...surroundings, db, providers, limits: config.topUp },
  }
  installFeatures(bot, deps)
  const handle = createRoutes({ ...generations, tracker, links })
  let runner: RunnerHandle | undefined
  let server: Server | undefined

  return {
    handle,
    db,
    async start(onFatal) {
      await bot.init()
      await bot.api.deleteWebhook()
      await publishCommands(bot.api, catalog, texts)
      if (config.port !== undefined) server = await listen(config.port, handle, log)
      tracker.start()
      runner = run(bot, { runner: { fetch: { allowed_updates: [...updateTypes] } } })
      runner.task()?.catch(onFatal)
      log.info({ bot: bot.botInfo.username, models: catalog.offered().length }, 'started')
    },
    async stop() {
      await stopPolling(runner, clock)
      await tracker.stop()
      if (server) await closeServer(server)
      await closeAll(gateway.close, telegram.close, database)
      log.info({}, 'stopped')
    },
  }
}

const updateTypes = [
  'message',
  'edited_message',
  'callback_query',
  'pre_checkout_query',
  'my_chat_member',
] as const

function providersOf({ topUp }: Config): Provider[] {
  return [
    ...(topUp.rubProviderToken ? [createTelegramRub(topUp.rubProviderToken)] : []),
    ...(topUp.roublesPerStar ? [createStars(topUp.roublesPerStar)] : []),
  ]
}

/** The runner's own `stop` does not wait for handlers that are still at work. */
async function stopPolling(runner: RunnerHandle | undefined, clock: Clock): Promise<void> {
  if (!runner) return
  if (runner.isRunning()) await runner.stop()
  for (let waited = 0; runner.size() > 0 && waited < 10_000; waited += 20) await clock.wait(20)
}

async function closeAll(
  gateway: () => Promise<void>,
  telegram: () => Promise<void>,
  database: OpenDatabase,
): Promise<void> {
  await gateway()
  await telegram()
  await database.close()
}
