// The app's life: opened, started, stopped, in the part that this process plays. What it is made of is in compose.ts.

import type { Server } from 'node:http'
import { publishCommands } from './bot/commands.ts'
import { publishOperatorMenu } from './bot/features/admin/menu.ts'
import type { Surroundings } from './compose/surroundings.ts'
import { compose, type Parts } from './compose.ts'
import type { Config, Role } from './config.ts'
import { type Database, openDatabase } from './db/client.ts'
import { createSynchronisation, isAdjustable, synchronise } from './db/shared-clock.ts'
import type { Handle } from './http/routes.ts'
import { closeServer, listen } from './http/server.ts'
import type { Loop } from './loop.ts'

export interface App {
  /** Our routes, for whoever serves them at `PUBLIC_URL`. */
  readonly handle: Handle
  readonly db: Database
  /**
   * @param onFatal called when Telegram no longer lets us poll: another installation does, or the token was withdrawn
   * @throws when Telegram refuses the token or can not be reached
   */
  start(onFatal: (error: unknown) => void): Promise<void>
  /** Takes nothing new, waits for what runs, hands the rest back, closes everything; once, however often it is called. */
  stop(): Promise<void>
}

export async function createApp(config: Config, surroundings: Surroundings): Promise<App> {
  const { log, clock } = surroundings
  const database = await openDatabase(config.databaseUrl, clock)
  const shared = isAdjustable(clock) ? clock : undefined
  // Nothing may be written by a clock that is not shared yet.
  if (shared) await synchronise(database.db, shared, log)
  const parts = compose(config, surroundings, database)
  const { deps, routes, probes } = parts
  const handle = plays(config, 'web') ? routes : probes
  let intake: Loop | undefined
  let working: readonly Loop[] = []
  let server: Server | undefined
  let ended: Promise<void> | undefined

  const end = async () => {
    await intake?.stop()
    if (server) await closeServer(server, clock)
    await Promise.all(working.map((loop) => loop.stop()))
    await deps.running.stopAll()
    await parts.close()
    await database.close()
    log.info({}, 'stopped')
  }

  return {
    handle,
    db: database.db,
    async start(onFatal) {
      await parts.bot.init()
      await introduce(config, parts, surroundings)
      if (config.port !== undefined) server = await listen(config.port, handle, log)
      const synchronisation = shared ? [createSynchronisation(database.db, shared, log)] : []
      working = [...synchronisation, ...loopsOf(config, parts)]
      for (const loop of working) loop.start()
      if (config.updates === 'polling' && plays(config, 'bot')) intake = parts.updates.polling(onFatal)
      intake?.start()
      const { username } = parts.bot.botInfo
      log.info({ bot: username, role: config.role, models: deps.catalog.offered().length }, 'started')
    },
    stop: () => (ended ??= end()),
  }
}

const plays = ({ role }: Config, part: Exclude<Role, 'all'>): boolean => role === 'all' || role === part

/** Before anything else runs here; several processes say the same. */
async function introduce(config: Config, parts: Parts, { log }: Surroundings): Promise<void> {
  const { deps, updates, bot } = parts
  if (plays(config, 'bot')) {
    await publishCommands(bot.api, deps.catalog, deps.texts)
    await publishOperatorMenu({ ...deps, api: bot.api, log }, config.operator.ids)
  }
  if (config.updates === 'polling' && plays(config, 'bot')) await bot.api.deleteWebhook()
  if (config.updates === 'webhook' && plays(config, 'web') && config.publicUrl) {
    await updates.announce(bot.api, config.publicUrl)
  }
}

function loopsOf(config: Config, { updates, loops }: Parts): readonly Loop[] {
  return [...(plays(config, 'bot') ? [updates.handling] : []), ...(plays(config, 'worker') ? loops : [])]
}
