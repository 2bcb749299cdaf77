// The app's life: opened, started, stopped. What it is made of is in compose.ts.

import type { Server } from 'node:http'
import { type RunnerHandle, run } from '@grammyjs/runner'
import { publishCommands } from './bot/commands.ts'
import { publishOperatorMenu } from './bot/features/admin/menu.ts'
import type { Clock } from './clock.ts'
import { compose, type Surroundings } from './compose.ts'
import type { Config } from './config.ts'
import { type Database, openDatabase } from './db/client.ts'
import type { Handle } from './http/routes.ts'
import { closeServer, listen } from './http/server.ts'

export interface App {
  /** Our routes, for whoever serves them at `PUBLIC_URL`. */
  readonly handle: Handle
  readonly db: Database
  /**
   * @param onFatal called when Telegram no longer lets us poll: another process does, or the token was withdrawn
   * @throws when Telegram refuses the token or can not be reached
   */
  start(onFatal: (error: unknown) => void): Promise<void>
  /** Takes nothing new, waits for what runs, closes everything; once, however often it is called. */
  stop(): Promise<void>
}

export async function createApp(config: Config, surroundings: Surroundings): Promise<App> {
  const { clock, log } = surroundings
  const database = await openDatabase(config.databaseUrl)
  const { db } = database
  const { bot, deps, handle, loops, close } = compose(config, surroundings, db)
  const { catalog, texts, running } = deps
  let runner: RunnerHandle | undefined
  let server: Server | undefined
  let ended: Promise<void> | undefined

  const end = async () => {
    await stopPolling(runner, clock)
    await running.stopAll()
    for (const loop of loops) await loop.stop()
    if (server) await closeServer(server)
    await close()
    await database.close()
    log.info({}, 'stopped')
  }

  return {
    handle,
    db,
    async start(onFatal) {
      await bot.init()
      await bot.api.deleteWebhook()
      await publishCommands(bot.api, catalog, texts)
      await publishOperatorMenu({ api: bot.api, catalog, texts, log }, config.operator.ids)
      if (config.port !== undefined) server = await listen(config.port, handle, log)
      for (const loop of loops) loop.start()
      runner = run(bot, { runner: { fetch: { allowed_updates: [...updateTypes] } } })
      runner.task()?.catch(onFatal)
      log.info({ bot: bot.botInfo.username, models: catalog.offered().length }, 'started')
    },
    stop: () => (ended ??= end()),
  }
}

const updateTypes = [
  'message',
  'edited_message',
  'callback_query',
  'pre_checkout_query',
  'my_chat_member',
  'stopped_message_generation',
] as const

/** The runner's own `stop` does not wait for handlers that are still at work. */
async function stopPolling(runner: RunnerHandle | undefined, clock: Clock): Promise<void> {
  if (!runner) return
  if (runner.isRunning()) await runner.stop()
  for (let waited = 0; runner.size() > 0 && waited < 10_000; waited += 20) await clock.wait(20)
}
