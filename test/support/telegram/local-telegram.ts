// The local Telegram on a free port, with a bot token, for tests of the sandbox and of what stands on it.

import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Bot, type BotConfig, type Context } from 'grammy'
import { type Clock, systemClock } from '../../../src/runtime/clock.ts'
import { createFaults } from '../../../src/sandbox/faults.ts'
import { createTelegram } from '../../../src/sandbox/telegram/index.ts'
import { handClock } from '../runtime/clock.ts'

export const token = '700000001:sandbox-secret'

/** A repeatable random source (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export async function startTelegram(options: { clock?: Clock; folder?: string; seed?: number } = {}) {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'sandbox-telegram-')))
  const faults = createFaults()
  const { clock = systemClock, seed = 1 } = options
  const telegram = createTelegram({ token, folder, clock, faults, random: seeded(seed) })

  const server = createServer(async (req, res) => {
    const url = new URL(req.url ?? '/', 'http://127.0.0.1')
    const handled = (await telegram.room(req, res, url)) || (await telegram.users(req, res, url))
    if (!handled) res.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  const url = `http://127.0.0.1:${address.port}`

  const stop = async () => {
    telegram.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return {
    url,
    folder,
    faults,
    telegram,
    bot: (config: BotConfig<Context> = {}) => new Bot(token, { ...config, client: { apiRoot: url } }),
    stop,
    /** Stops and forgets everything. */
    async discard() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type LocalTelegram = Awaited<ReturnType<typeof startTelegram>>

/** A hand-moved clock of which a test can await that somebody waits on it. */
export function watchedClock() {
  const hand = handClock()
  let asks: number[] = []
  let watchers: { ms: number; seen: () => void }[] = []
  return {
    ...hand,
    wait(ms: number, signal?: AbortSignal) {
      const waited = hand.wait(ms, signal)
      const watcher = watchers.find((one) => one.ms === ms)
      watchers = watchers.filter((one) => one !== watcher)
      if (watcher) watcher.seen()
      else asks.push(ms)
      return waited
    },
    /** Resolves once for each time that somebody waits for exactly so long. */
    asked(ms: number): Promise<void> {
      const index = asks.indexOf(ms)
      if (index >= 0) {
        asks = asks.toSpliced(index, 1)
        return Promise.resolve()
      }
      return new Promise((seen) => watchers.push({ ms, seen }))
    },
  }
}
