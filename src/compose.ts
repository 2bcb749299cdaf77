// The composition root: creates all parts of the app and passes them to those that depend on them, from top to bottom.

import type { Bot } from 'grammy'
import type { Update } from 'grammy/types'
import { afterTopUp, createStarAccount } from './bot/account/checkout.ts'
import { createNoticeSender } from './bot/account/notices.ts'
import { publishOperatorMenu } from './bot/admin/figures.ts'
import { createOperatorLoops, createSummaries, createWriteWatch } from './bot/admin/outgoing.ts'
import { createBot, installFeatures } from './bot/bot.ts'
import { createAnswerQueue } from './bot/chat/asking.ts'
import { createRunning } from './bot/chat/running.ts'
import {
  createPublishing,
  type ProfileDeps,
  publishCommands,
  publishMenuButton,
  publishProfile,
} from './bot/commands.ts'
import { type BotDeps, type Ctx, createHandler, updateTypes } from './bot/context.ts'
import { createMembers } from './bot/groups/members.ts'
import { type Catalog, createCatalog } from './catalog/catalog.ts'
import { models } from './catalog/index.ts'
import type { StandIn } from './catalog/media.ts'
import type { Model } from './catalog/model.ts'
import { type Config, type Role, staffOf } from './config.ts'
import { answersInTime, type Database, type OpenDatabase } from './db/client.ts'
import type { Nudges } from './db/nudges.ts'
import { reasons } from './db/schema.ts'
import { createGateway, operations } from './gateway/client.ts'
import { createLinks } from './http/files.ts'
import {
  callbackPath,
  createIntake,
  createProbes,
  createReadiness,
  createRoutes,
  secretOf,
  updatesPath,
} from './http/routes.ts'
import { createRemoteFiles } from './media/remote.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { createGauges } from './operator/gauges.ts'
import { createCallbackTokens } from './orders/callback.ts'
import { deliver } from './orders/deliver/deliver.ts'
import { createDownloads } from './orders/deliver/download.ts'
import { updateStatus } from './orders/deliver/messages.ts'
import type { GenerationDeps } from './orders/generation.ts'
import { cachedConcepts } from './orders/styles.ts'
import { createTimes } from './orders/times.ts'
import { createTracker } from './orders/worker.ts'
import { deleteOldNotices } from './payments/notices.ts'
import { createProviders } from './payments/providers.ts'
import { createTopUpWatch } from './payments/reconcile.ts'
import { createRewards } from './payments/rewards.ts'
import { createMyTax } from './payments/self-employed/my-tax.ts'
import { createTaxReceiptWorker } from './payments/self-employed/receipts.ts'
import type { TopUpDeps } from './payments/top-ups.ts'
import type { Clock } from './runtime/clock.ts'
import type { Ids } from './runtime/ids.ts'
import type { Log } from './runtime/log.ts'
import { createLoop, type Loop } from './runtime/loop.ts'
import { createPublicWeb } from './runtime/public-web.ts'
import { createRefusals } from './sales/refusals.ts'
import { telegramClient } from './telegram/client.ts'
import { createFiles } from './telegram/files.ts'
import { createNotesSweep } from './telegram/message-notes.ts'
import { homeLocale, loadTexts } from './texts.ts'
import { createHandling, kindOf } from './updates/handling.ts'
import { forgetOldUpdates, storeUpdates } from './updates/inbox.ts'
import { createPolling } from './updates/polling.ts'
import { createWebhookSecrets, createWebhookWatch } from './updates/webhook.ts'

/** The dependencies of every part of a process besides the configuration. */
export interface Runtime {
  readonly clock: Clock
  readonly ids: Ids
  /** A random number x, 0 ≤ x < 1. */
  readonly random: () => number
  readonly log: Log
}

export type Parts = ReturnType<typeof compose>

export function compose(config: Config, runtime: Runtime, database: OpenDatabase) {
  const { deps, outside, links, tracker, broadcaster, alarms, groupNews } = buildDeps(
    config,
    runtime,
    database,
  )
  const { db, clock, metrics, topUps } = deps
  const { nudges } = database
  const { bot, files } = outside
  const { api } = bot
  const notices = createNoticeSender({ ...deps, api }, (notice, say) => afterTopUp(deps, api, notice, say))
  installFeatures(bot, deps)
  nudges.on('generations', tracker.nudge)
  nudges.on('notices', notices.nudge)
  nudges.on('broadcasts', broadcaster.nudge)
  nudges.on('alarms', alarms.nudge)
  const updates = updatesOf(bot, deps, nudges, config)
  const isReady = createReadiness(() => answersInTime(db, clock), clock)
  const probes = { isReady, metrics, metricsToken: config.metricsToken }
  const intake = config.updates === 'webhook' ? updates.intake : undefined
  const answers = createAnswerQueue(deps, api)
  const receipts = receiptsOf(config, topUps, deps.texts(homeLocale).plain('receipt-item'))
  const sweeps = [...createTopUpWatch(topUps), createNotesSweep(deps), ...receipts.loops]
  const summaries = createSummaries({ ...deps, api }, config)
  return {
    bot,
    deps,
    updates,
    publishing: publishingOf({ ...deps, api }),
    /** Tells the operators that the process cannot write to the database. */
    writeWatch: createWriteWatch({ ...deps, api }, config),
    /** All HTTP routes, and the probes alone. */
    routes: createRoutes({ ...deps, ...probes, files, links, intake }),
    probes: createProbes(probes),
    /** The background work of the role `worker`. */
    loops: [
      tracker,
      notices,
      broadcaster,
      alarms,
      groupNews,
      updates.housekeeping,
      answers,
      ...summaries,
      ...sweeps,
    ],
    /** Closes the connections to other services. */
    async close() {
      for (const provider of topUps.providers) await provider.close?.()
      await receipts.close()
      await outside.close()
    },
  }
}

/** What the bot depends on, from the connections to the outside up to the tracker. */
function buildDeps(config: Config, runtime: Runtime, { db, nudges }: OpenDatabase) {
  const { clock, log } = runtime
  const texts = loadTexts(config.textsDir)
  const metrics = metricsOf(config, db, clock)
  const outside = connect(config, clock, metrics)
  const { bot, gateway, downloads, files, remoteFiles } = outside
  const { api } = bot
  const { passing, publicUrl } = config
  const catalog = createCatalog(models, config.catalog, { canCallBack: publicUrl !== undefined, passing })
  reportWithheld(catalog, log)
  const links = createLinks(config.botToken, clock)
  const wakeAlarms = () => nudges.send('alarms')
  const common = { ...runtime, api, db, texts, catalog, metrics, wakeNotices: () => nudges.send('notices') }
  const { gatewayWords, stopAfterLostResults: mostLost } = config
  const generations: GenerationDeps = {
    ...common,
    ...publicAddressOf(config, runtime, links, files),
    pollIntervalMs: config.pollIntervalMs,
    pollsPerSecond: config.pollsPerSecond,
    limits: config.limits,
    times: createTimes(common),
    gateway,
    results: gatewayWords.requests.results,
    refusals: createRefusals({ ...common, refusalWords: gatewayWords.refusals, mostLost, wakeAlarms }),
  }
  const delivery = { ...generations, api, texts, downloads }
  const tracker = createTracker(generations, {
    deliver: (generation) => deliver(delivery, generation),
    updateStatus: (generation, news) => updateStatus(delivery, generation, news),
  })
  const topUps = topUpsOf(config, common, bot)
  const { broadcaster, alarms, groupNews } = createOperatorLoops(common, config)
  const deps: BotDeps = {
    ...generations,
    texts,
    metrics,
    files,
    remoteFiles,
    downloads,
    topUps,
    tracker: { ...tracker, nudge: () => nudges.send('generations') },
    broadcaster: { nudge: () => nudges.send('broadcasts') },
    running: createRunning(common, nudges),
    members: createMembers(common),
    concepts: cachedConcepts(() => gateway.concepts(), clock, log),
    makesStyles: config.gatewayWords.requests.styles !== false,
    textModels: config.textModels,
    welcomeCredit: config.welcomeCredit,
    referralBonus: config.referralBonus,
    referralPercent: config.referralPercent,
    referralPayments: config.referralPayments,
    invitedBonus: config.invitedBonus,
    operator: config.operator,
    random: common.random,
  }
  return { deps, outside, links, tracker, broadcaster, alarms, groupNews }
}

/** Publishes the command menus, the bot's descriptions and the menu button. */
const publishingOf = (deps: ProfileDeps & BotDeps): Loop =>
  createPublishing(deps, [
    { what: 'command menus', publish: () => publishCommands(deps) },
    { what: 'descriptions', publish: () => publishProfile(deps) },
    { what: 'menu button', publish: () => publishMenuButton(deps) },
    { what: 'menus of operators', publish: () => publishOperatorMenu(deps, staffOf(deps.operator)) },
  ])

/** Logs which models are enabled and still not on sale. */
function reportWithheld(catalog: Catalog, log: Log): void {
  const report = (lacks: (model: Model) => boolean, needed: string, what: string) => {
    const withheld = catalog.models.filter(lacks).map(({ id }) => id)
    if (withheld.length > 0) log.warn({ models: withheld, needed }, `models not offered: ${what}`)
  }
  const ids = '"gatewayId" of each in CATALOG_FILE, or "enabled": false'
  report(catalog.lacksGatewayId, ids, 'their ids at the gateway are not known')
  const address = 'PUBLIC_URL, or a callback address in "request" of CATALOG_FILE'
  report(catalog.lacksCallback, address, 'they require a callback address')
}

/** The clients of Telegram, the gateway and file servers. */
function connect(config: Config, clock: Clock, metrics: Metrics) {
  const { telegramApiRoot: apiRoot, telegramProxy: proxy } = config
  const telegram = telegramClient({ apiRoot, proxy }, clock, metrics.telegram.called)
  const bot = createBot(config.botToken, telegram.options)
  const gateway = createGateway({
    baseUrl: config.gatewayUrl,
    key: config.gatewayKey,
    ownUrl: config.publicUrl,
    stateWords: config.gatewayWords.states,
    requests: config.gatewayWords.requests,
    measure: { clock, asked: metrics.gateway.asked },
  })
  const downloads = createDownloads({ gatewayUrl: config.gatewayUrl })
  const web = createPublicWeb({ mayBePrivate: config.privateLinkHosts })
  return {
    bot,
    gateway,
    downloads,
    files: createFiles(bot.api, apiRoot, telegram.dispatcher),
    remoteFiles: createRemoteFiles({ web, ownUrl: config.publicUrl }),
    async close() {
      await gateway.close()
      await downloads.close()
      await web.close()
      await telegram.close()
    },
  }
}

interface Common extends Runtime {
  readonly api: Bot['api']
  readonly db: Database
  readonly wakeNotices: () => void
}

/** The top-ups, with the payment providers of the configuration. */
function topUpsOf(config: Config, common: Common, bot: Bot<Ctx>): TopUpDeps {
  const { referralBonus, referralPercent, referralPayments, topUp, pollIntervalMs } = config
  const { min, max, vatCode, bonusSteps } = topUp
  return {
    ...common,
    limits: { min, max },
    bonusSteps,
    pollIntervalMs,
    providers: createProviders(topUp.providers, {
      vatCode,
      returnUrl: () => `https://t.me/${bot.botInfo.username}`,
      starAccount: createStarAccount(common.api),
    }),
    followUp: createRewards({ ...common, referralBonus, referralPercent, referralPayments }),
    seller: topUp.selfEmployed,
  }
}

/** The receipts of a self-employed operator. @param item what a top-up is called in them */
function receiptsOf({ topUp, operator }: Config, deps: TopUpDeps, item: string) {
  const { selfEmployed } = topUp
  if (!selfEmployed) return { loops: [], close: async () => undefined }
  const service = createMyTax(selfEmployed, deps.clock, operator.timeZone)
  const { inn } = selfEmployed
  return { loops: [createTaxReceiptWorker({ ...deps, service, inn, item })], close: service.close }
}

export const hasRole = ({ role }: Config, part: Exclude<Role, 'all'>): boolean =>
  role === 'all' || role === part

/** The interval of deletions; short, so that little is deleted at once. */
const housekeepingMs = 10 * 60_000

/** The way of updates: received by polling or a webhook, stored, handled. */
function updatesOf(bot: Bot<Ctx>, deps: BotDeps, nudges: Nudges, config: Config) {
  const { api } = bot
  const store = async (received: readonly Update[]) => {
    const fresh = await storeUpdates(deps, received)
    for (const update of fresh) deps.metrics.updates.received(kindOf(update))
    if (fresh.length === 0) return
    // Other processes are needed only if this one handles no updates.
    if (hasRole(config, 'bot')) handling.nudge()
    else nudges.send('updates')
  }
  const secret = secretOf(config)
  const secrets = createWebhookSecrets(deps, secret)
  const handling = createHandling({ ...deps, handle: createHandler(bot, deps) })
  nudges.on('updates', handling.nudge)
  /** Registers the webhook. */
  const announce = async (publicUrl: string) => {
    await secrets.announce()
    await api.setWebhook(publicUrl + updatesPath, {
      secret_token: secret,
      allowed_updates: [...updateTypes],
      max_connections: 100,
    })
  }
  return {
    intake: createIntake(secret, secrets, store),
    handling,
    announce,
    /** Keeps the webhook registered. @param onFatal see RivalDeps */
    webhookWatch(publicUrl: string, onFatal: (error: unknown) => void): Loop {
      const url = publicUrl + updatesPath
      return createWebhookWatch({ ...deps, api, secrets, url, announce: () => announce(publicUrl), onFatal })
    },
    /** @param onFatal see PollingDeps */
    polling: (onFatal: (error: unknown) => void): Loop =>
      createPolling({ ...deps, api, types: updateTypes, store, onFatal }),
    /** Deletes old rows. */
    housekeeping: createLoop(deps, {
      async pass(stopping) {
        await forgetOldUpdates(deps, stopping)
        await deleteOldNotices(deps, stopping)
        return false
      },
      idleMs: housekeepingMs,
      failed: 'old rows cannot be deleted',
    }),
  }
}

/** Without a token nobody can read them, so the database and the process are not looked at. */
function metricsOf({ metricsToken, textModels }: Config, db: Database, clock: Clock): Metrics {
  const isShown = metricsToken !== undefined
  const values = {
    models: models.map(({ id }) => id),
    endings: ['succeeded', ...reasons],
    textModels: textModels.map(({ id }) => id),
    operations,
  }
  return createMetrics({
    ...(isShown && { figures: createGauges({ db, clock }) }),
    ofProcess: isShown,
    values,
  })
}

/** The parts that need a public address: callbacks and links to files. */
function publicAddressOf(
  { publicUrl, botToken }: Config,
  { ids }: Runtime,
  links: ReturnType<typeof createLinks>,
  files: ReturnType<typeof createFiles>,
): Pick<GenerationDeps, 'callbackTokens' | 'callbackUrl' | 'media'> {
  const callbackTokens = createCallbackTokens(botToken, ids)
  if (!publicUrl) return { callbackTokens, callbackUrl: undefined, media: { ...files, link: undefined } }
  return {
    callbackTokens,
    callbackUrl: (token) => publicUrl + callbackPath(token),
    media: { ...files, link: (one: StandIn) => publicUrl + links.path(one) },
  }
}
