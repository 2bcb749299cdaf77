// The local Telegram on a free port, with a bot token, for tests of the sandbox and of code that uses a bot.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Bot, type BotConfig, type Context } from 'grammy'
import { type Clock, systemClock } from '../../../src/runtime/clock.ts'
import { createFaultRoutes, createFaults } from '../../../src/sandbox/faults.ts'
import { serve } from '../../../src/sandbox/http.ts'
import { seededRandom } from '../../../src/sandbox/random.ts'
import { createTelegram } from '../../../src/sandbox/telegram/index.ts'

export const token = '700000001:sandbox-secret'

export async function startTelegram(options: { clock?: Clock; folder?: string; seed?: number } = {}) {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'sandbox-telegram-')))
  const faults = createFaults()
  const { clock = systemClock, seed = 1 } = options
  // Writing the state after each call takes as long as the call.
  const keepsState = options.folder !== undefined
  const random = seededRandom(seed)
  const telegram = createTelegram({ token, folder, clock, faults, random, keepsState })

  const server = await serve(0, [telegram.botApi, telegram.usersApi, createFaultRoutes(faults)])
  const { url } = server

  const stop = async () => {
    await telegram.close()
    await server.close()
  }
  return {
    url,
    folder,
    faults,
    telegram,
    bot: (config: BotConfig<Context> = {}) => new Bot(token, { ...config, client: { apiRoot: url } }),
    stop,
    /** Stops the local Telegram and deletes its state. */
    async discard() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type LocalTelegram = Awaited<ReturnType<typeof startTelegram>>
