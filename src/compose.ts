// The composition root: creates all parts of the app and passes them to those that depend on them, from top to bottom.

import type { Api } from 'grammy'
import { afterTopUp } from './bot/account/checkout.ts'
import { createNoticeSender } from './bot/account/notices.ts'
import { publishOperatorMenu } from './bot/admin/figures.ts'
import { createOperatorLoops, createWriteWatch } from './bot/admin/outgoing.ts'
import { createBot, installFeatures } from './bot/bot.ts'
import { createAnswerQueue } from './bot/chat/queue.ts'
import { createRunning } from './bot/chat/running.ts'
import {
  createPublishing,
  type ProfileDeps,
  publishCommands,
  publishMenuButton,
  publishProfile,
} from './bot/commands.ts'
import type { BotDeps } from './bot/context.ts'
import { createMembers } from './bot/groups/members.ts'
import { type Catalog, createCatalog } from './catalog/catalog.ts'
import { models } from './catalog/index.ts'
import type { StandIn } from './catalog/media.ts'
import type { Model } from './catalog/model.ts'
import { createTopUps } from './compose/payments.ts'
import { createUpdates, type Updates } from './compose/updates.ts'
import type { Config } from './config.ts'
import { answersInTime, type Database, type OpenDatabase } from './db/client.ts'
import { reasons } from './db/schema.ts'
import { type DeliveryStepDeps, deliver } from './delivery/deliver.ts'
import { createDownloads } from './delivery/download.ts'
import { updateStatus } from './delivery/status.ts'
import { createGateway, measured, operations } from './gateway/client.ts'
import { createCallbackTokens } from './generations/callback-tokens.ts'
import { cachedConcepts } from './generations/concepts.ts'
import type { GenerationDeps } from './generations/generation.ts'
import { createUsualTimes } from './generations/waiting.ts'
import { callbackPath } from './http/callbacks.ts'
import { createLinks } from './http/files.ts'
import { createProbes, createReadiness, createRoutes, type Handle } from './http/routes.ts'
import { noMetrics } from './metrics/none.ts'
import type { Metrics } from './metrics.ts'
import { createGauges } from './operator/gauges.ts'
import { createTopUpWatch } from './payments/watch.ts'
import type { Clock } from './runtime/clock.ts'
import type { Log } from './runtime/log.ts'
import type { Loop } from './runtime/loop.ts'
import { type Nudges, type Topic, topics } from './runtime/nudges.ts'
import type { Runtime } from './runtime/runtime.ts'
import { createRefusals } from './sales/refusals.ts'
import { telegramClient } from './telegram/client.ts'
import { createFiles } from './telegram/files.ts'
import { createNotesSweep } from './telegram/message-notes.ts'
import { loadTexts } from './texts.ts'
import { createTracker, type Tracker } from './tracker/tracker.ts'

export interface Parts {
  readonly bot: ReturnType<typeof createBot>
  readonly deps: BotDeps
  /** All HTTP routes, and the probes alone. */
  readonly routes: Handle
  readonly probes: Handle
  readonly updates: Updates
  /** Publishes the command menus, the bot's descriptions and the menu button. */
  readonly publishing: Loop
  /** Tells the operators that the process cannot write to the database. */
  readonly writeWatch: Loop
  /** The background work of the role `worker`. */
  readonly loops: readonly Loop[]
  /** Closes the connections to other services. */
  close(): Promise<void>
}

export async function compose(config: Config, runtime: Runtime, database: OpenDatabase): Promise<Parts> {
  const { db, nudges } = database
  const { clock, log } = runtime
  const texts = loadTexts(config.textsDir)
  const metrics = await metricsOf(config, db, clock)
  const outside = connect(config, clock, metrics)
  const { bot, gateway, downloads, files } = outside
  const { api } = bot
  const catalog = createCatalog(models, config.catalog, { canCallBack: config.publicUrl !== undefined })
  reportWithheld(catalog, log)
  const links = createLinks(config.botToken, clock)
  const wakeAlarms = () => nudges.send('alarms')
  const common = { ...runtime, api, db, texts, catalog, wakeNotices: () => nudges.send('notices') }
  const generations: GenerationDeps = {
    ...common,
    ...publicAddressOf(config, runtime, links, files),
    pollIntervalMs: config.pollIntervalMs,
    pollsPerSecond: config.pollsPerSecond,
    limits: config.limits,
    gateway,
    metrics,
    refusals: createRefusals({ ...common, ...stopsOf(config), wakeAlarms }),
  }
  const statusDeps = { usualTimes: createUsualTimes(common), shownStatuses: new Map<string, string>() }
  const tracker = trackerOf(generations, { ...generations, ...statusDeps, api, texts, downloads })
  const topUps = createTopUps(config, common, bot)
  const { broadcaster, alarms } = createOperatorLoops({ ...common, metrics }, config)
  const deps: BotDeps = {
    ...generations,
    ...statusDeps,
    texts,
    metrics,
    files,
    downloads,
    topUps,
    tracker: { ...tracker, nudge: (kind) => nudges.send('generations', kind) },
    broadcaster: { nudge: () => nudges.send('broadcasts') },
    running: createRunning(common, nudges),
    members: createMembers(common),
    concepts: cachedConcepts(() => gateway.concepts(), clock, log),
    ...settingsOf(config),
  }
  const notices = createNoticeSender({ ...deps, api }, (notice, say) => afterTopUp(deps, api, notice, say))
  installFeatures(bot, deps)
  connectNudges(nudges, { generations: tracker, notices, broadcasts: broadcaster, alarms })
  const updates = createUpdates(bot, deps, nudges, config)
  const probes = { isReady: readinessOf(db, clock), metrics, metricsToken: config.metricsToken }
  return {
    bot,
    deps,
    updates,
    publishing: publishingOf(config, { ...deps, api }),
    writeWatch: createWriteWatch(common, config),
    routes: createRoutes({ ...deps, ...probes, files, links, intake: intakeOf(config, updates) }),
    probes: createProbes(probes),
    loops: [tracker, notices, broadcaster, alarms, updates.housekeeping, ...createQueueLoops(deps, api)],
    async close() {
      for (const provider of topUps.providers) await provider.close?.()
      await outside.close()
    },
  }
}

/** The settings that the bot itself reads. */
const settingsOf = ({ textModels, welcomeCredit, referralBonus, operator }: Config) => ({
  textModels,
  welcomeCredit,
  referralBonus,
  operator,
})

const stopsOf = ({ gatewayWords, stopAfterLostResults }: Config) => ({
  refusalWords: gatewayWords.refusals,
  mostLost: stopAfterLostResults,
})

const intakeOf = ({ updates }: Config, { intake }: Updates) => (updates === 'webhook' ? intake : undefined)

const readinessOf = (db: Database, clock: Clock) => createReadiness(() => answersInTime(db, clock), clock)

/** Logs which models are enabled and still not on sale. */
function reportWithheld(catalog: Catalog, log: Log): void {
  const withheld = (lacks: (model: Model) => boolean) => catalog.models.filter(lacks).map(({ id }) => id)
  const nameless = withheld(catalog.lacksGatewayId)
  if (nameless.length > 0) {
    const needed = '"gatewayId" of each in CATALOG_FILE, or "enabled": false'
    log.warn({ models: nameless, needed }, 'models not offered: their ids at the gateway are not known')
  }
  const uncallable = withheld(catalog.lacksCallback)
  if (uncallable.length > 0) {
    const needed = 'PUBLIC_URL, or a callback address in "request" of CATALOG_FILE'
    log.warn({ models: uncallable, needed }, 'models not offered: they require a callback address')
  }
}

function publishingOf({ operator }: Config, deps: ProfileDeps & Runtime): Loop {
  return createPublishing(deps, [
    { what: 'command menus', publish: () => publishCommands(deps) },
    { what: 'descriptions', publish: () => publishProfile(deps) },
    { what: 'menu button', publish: () => publishMenuButton(deps) },
    { what: 'menus of operators', publish: () => publishOperatorMenu(deps, operator.ids) },
  ])
}

/** The clients of Telegram, the gateway and file servers. */
function connect(config: Config, clock: Clock, metrics: Metrics) {
  const { telegramApiRoot: apiRoot, telegramProxy: proxy } = config
  const telegram = telegramClient({ apiRoot, proxy }, clock, metrics.telegram.called)
  const bot = createBot(config.botToken, telegram.options)
  const client = createGateway({
    baseUrl: config.gatewayUrl,
    key: config.gatewayKey,
    ownUrl: config.publicUrl,
    stateWords: config.gatewayWords.states,
  })
  const gateway = measured(client, clock, metrics.gateway.asked)
  const downloads = createDownloads({ gatewayUrl: config.gatewayUrl })
  return {
    bot,
    gateway,
    downloads,
    files: createFiles(bot.api, apiRoot, telegram.dispatcher),
    async close() {
      await gateway.close()
      await downloads.close()
      await telegram.close()
    },
  }
}

/** The tracker, with the steps that take place in the chat. */
const trackerOf = (generations: GenerationDeps, delivery: DeliveryStepDeps): Tracker =>
  createTracker(generations, {
    deliver: (generation, known) => deliver(delivery, generation, known),
    updateStatus: (generation, news) => updateStatus(delivery, generation, news),
  })

function createQueueLoops(deps: BotDeps, api: Api): readonly Loop[] {
  return [createAnswerQueue(deps, api), ...createTopUpWatch(deps.topUps), createNotesSweep(deps)]
}

function connectNudges(nudges: Nudges, loops: Partial<Record<Topic, { nudge(about?: string): void }>>): void {
  for (const topic of topics) {
    const loop = loops[topic]
    if (loop) nudges.on(topic, loop.nudge)
  }
}

async function metricsOf({ metricsToken, textModels }: Config, db: Database, clock: Clock): Promise<Metrics> {
  // Without the token the metrics are not shown.
  if (metricsToken === undefined) return noMetrics
  const { createMetrics } = await import('./metrics.ts')
  const figures = createGauges({ db, clock })
  const values = {
    models: models.map(({ id }) => id),
    endings: ['succeeded', ...reasons],
    textModels: textModels.map(({ id }) => id),
    operations,
  }
  return createMetrics({ figures, ofProcess: true, values })
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
