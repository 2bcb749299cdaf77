// The life cycle of the app: opened, started and stopped, with the parts that the role of this process needs. The parts are
// created in compose.ts.

import type { Server } from 'node:http'
import { compose, hasRole, type Parts, type Runtime } from './compose.ts'
import type { Config } from './config.ts'
import { type Database, openDatabase } from './db/client.ts'
import { cannotOpen, throughOutages } from './db/outage.ts'
import { createSynchronisation, isAdjustable, synchronise } from './db/upkeep.ts'
import type { Handle } from './http/routes.ts'
import { closeServer, listen } from './http/server.ts'
import { storeBonuses } from './ledger/referral.ts'
import { CannotStart } from './runtime/env-values.ts'
import { causesOf, type Log } from './runtime/log.ts'
import type { Loop } from './runtime/loop.ts'
import { claimDatabase, identify } from './telegram/identify.ts'
import { isRefusal } from './telegram/send.ts'

export interface App {
  /** The HTTP routes, for a server at `PUBLIC_URL`. */
  readonly handle: Handle
  readonly db: Database
  /**
   * @param onFatal called when updates can no longer be received: another installation takes them, or the token was revoked
   * @param tell receives one sentence when the start has to wait for Telegram
   * @throws CannotStart when Telegram refuses the token or the webhook, or the port cannot be used
   */
  start(onFatal: (error: unknown) => void, tell?: (sentence: string) => void): Promise<void>
  /** Accepts no new work, waits for what is running, releases the rest and closes everything. Idempotent. */
  stop(): Promise<void>
}

/** The background work starts this much later than the intake of updates, so that updates that are already waiting are answered first. */
const answersFirstMs = 150

export async function createApp(config: Config, runtime: Runtime): Promise<App> {
  const { log, clock } = runtime
  const { databaseUrl, databaseConnections: connections } = config
  const database = await openDatabase(databaseUrl, { clock, connections }).catch((error: unknown) => {
    throw cannotOpen(error, databaseUrl)
  })
  const shared = isAdjustable(clock) ? clock : undefined
  // Nothing may be written before the synchronisation, since times would come from an unsynchronised clock.
  if (shared) await synchronise(database.db, shared, log)
  const parts = compose(config, runtime, database)
  const { deps, routes, probes } = parts
  const handle = hasRole(config, 'web') ? routes : probes
  let intake: Loop | undefined
  let working: readonly Loop[] = []
  let listening: Server | undefined
  let ended: Promise<void> | undefined
  const stopping = new AbortController()

  const begin = (loops: readonly Loop[]) => {
    if (stopping.signal.aborted) return
    working = [...working, ...loops]
    for (const loop of loops) loop.start()
  }
  const end = async () => {
    stopping.abort()
    await intake?.stop()
    if (listening) await closeServer(listening, clock)
    await Promise.all(working.map((loop) => loop.stop()))
    await deps.running.stopAll()
    await parts.close()
    await database.close()
    log.info({}, 'stopped')
  }

  return {
    handle,
    db: database.db,
    async start(onFatal, tell) {
      const server = { apiRoot: config.telegramApiRoot, proxy: config.telegramProxy }
      const told = (sentence: string) => {
        log.error({}, sentence)
        tell?.(sentence)
      }
      const me = await identify({ api: parts.bot.api, server, clock, tell: told }, stopping.signal)
      if (!me) return
      parts.bot.botInfo = me
      // Only now, since a mistyped token must not get the database.
      await throughOutages(runtime, () => claimDatabase(database.db, config.botToken, clock.now()))
      await throughOutages(runtime, () => storeBonuses(database.db, config))
      await register(config, parts, log)
      const { host, port } = config
      if (port !== undefined) listening = await listen({ host, port }, handle, log)
      const isBot = hasRole(config, 'bot')
      if (isBot) begin([parts.updates.handling])
      intake = intakeOf(config, parts, onFatal)
      intake?.start()
      if (isBot) await clock.wait(answersFirstMs, stopping.signal)
      begin([parts.writeWatch, ...(shared ? [createSynchronisation(database.db, shared, log)] : [])])
      if (hasRole(config, 'worker')) begin(parts.loops)
      if (isBot) begin([parts.publishing])
      const { username } = parts.bot.botInfo
      log.info({ bot: username, role: config.role, models: deps.catalog.offered().length }, 'started')
    },
    stop: () => (ended ??= end()),
  }
}

/**
 * Registers or removes the webhook. Several processes may do the same.
 * @throws when Telegram refuses; an outage or a conflict is only logged, since the intake of updates tries again
 */
async function register(config: Config, { updates, bot }: Parts, log: Log): Promise<void> {
  try {
    if (config.updates === 'polling' && hasRole(config, 'bot')) await bot.api.deleteWebhook()
    if (config.updates === 'webhook' && hasRole(config, 'web') && config.publicUrl) {
      await updates.announce(config.publicUrl)
    }
  } catch (error) {
    if (isRefusal(error)) {
      const what = `Telegram refuses the webhook (${causesOf(error)[0]}): correct the address, or write UPDATES=polling`
      throw new CannotStart(`PUBLIC_URL: ${what}`, { cause: error })
    }
    log.warn({ error }, 'the webhook cannot be set or deleted')
  }
}

/** The loop that polls Telegram or watches the webhook; undefined when the role of this process includes neither. */
function intakeOf(config: Config, { updates }: Parts, onFatal: (error: unknown) => void): Loop | undefined {
  if (config.updates === 'polling') return hasRole(config, 'bot') ? updates.polling(onFatal) : undefined
  if (!hasRole(config, 'web') || !config.publicUrl) return undefined
  return updates.webhookWatch(config.publicUrl, onFatal)
}
