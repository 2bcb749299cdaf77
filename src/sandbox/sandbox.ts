// The sandbox: a local Telegram, a local gateway, a local YooKassa and the chat page on one port, around the real app. The app
// is told their addresses and nothing else; it can not know that they are not the real ones.

import { join } from 'node:path'
import { z } from 'zod'
import { type App, createApp } from '../app.ts'
import { type Clock, systemClock } from '../clock.ts'
import { parseConfig } from '../config.ts'
import { randomIds } from '../ids.ts'
import { audit, compareWithGateway } from '../ledger/audit.ts'
import type { Log } from '../log.ts'
import { createFaults, type Faults } from './faults.ts'
import { createGateway } from './gateway/index.ts'
import { type Room, sendJson } from './http.ts'
import { createPage } from './page.ts'
import { serve } from './serve.ts'
import { createTelegram, type Telegram } from './telegram/index.ts'
import { createYookassa } from './yookassa/index.ts'

export interface SandboxOptions {
  readonly port: number
  /** Everything is kept below it. */
  readonly dataDir: string
  /** Tasks run this many times faster. */
  readonly speed: number
  readonly log: Log
  /** Settings of the app that differ from the sandbox's own. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly clock?: Clock
}

export interface Sandbox {
  readonly url: string
  readonly app: App
  readonly telegram: Telegram
  readonly faults: Faults
  stop(): Promise<void>
}

const botToken = '4242:sandbox-bot-token'
const gatewayKey = 'sandbox-gateway-key'
const shop = { shopId: '100500', secretKey: 'sandbox-yookassa-key' }

/** Settings of the app that were passed in are wrong. */
export class SettingsWrong extends Error {
  override name = 'SettingsWrong'
}

/** @throws SettingsWrong; Error with `code` EADDRINUSE when the port is taken; FolderInUse when the data folder is */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { dataDir, speed, log, clock = systemClock } = options
  const rooms: Room[] = []
  const server = await serve(options.port, rooms)
  const { url } = server
  const faults = createFaults()
  const common = { clock, faults, random: Math.random }
  const telegram = createTelegram({ ...common, token: botToken, folder: join(dataDir, 'telegram') })
  const gateway = createGateway({
    ...common,
    key: gatewayKey,
    folder: join(dataDir, 'gateway'),
    speed,
    baseUrl: () => url,
    newId: randomIds.next,
  })
  const yookassa = createYookassa({
    ...common,
    ...shop,
    folder: join(dataDir, 'yookassa'),
    baseUrl: () => url,
    noticeUrl: () => `${url}/app/payments/yookassa`,
  })
  rooms.push(yookassa.room, telegram.room, telegram.users, gateway.room, gateway.account, createPage())
  const close = async () => {
    telegram.close()
    await gateway.close()
    await yookassa.close()
    await server.close()
  }
  try {
    const config = configOf(url, options)
    const app = await createApp(config, { clock, ids: randomIds, random: Math.random, log })
    rooms.unshift(mount('/app', app), auditRoom(app, url))
    await app.start((error) => log.error({ error }, 'polling ended'))
    const stop = async () => {
      await app.stop()
      await close()
    }
    return { url, app, telegram, faults, stop }
  } catch (error) {
    await close()
    throw error
  }
}

function configOf(url: string, { dataDir, speed, env }: SandboxOptions) {
  const parsed = parseConfig({
    TOPUP_ROUBLES_PER_STAR: '1.20',
    TOPUP_RUB_PROVIDER_TOKEN: '4242:TEST:sandbox',
    YOOKASSA_SHOP_ID: shop.shopId,
    YOOKASSA_SECRET_KEY: shop.secretKey,
    WELCOME_CREDIT: '500',
    CATALOG_FILE: join(import.meta.dirname, 'catalog.json'),
    DATABASE_URL: `pglite:${join(dataDir, 'database')}`,
    POLL_INTERVAL_MS: String(Math.max(50, Math.round(3000 / speed))),
    PUBLIC_URL: `${url}/app`,
    ...env,
    BOT_TOKEN: botToken,
    GATEWAY_URL: `${url}/gateway`,
    YOOKASSA_URL: `${url}/yookassa/v3`,
    GATEWAY_KEY: gatewayKey,
    TELEGRAM_API_ROOT: url,
    PORT: undefined,
  })
  if (!parsed.ok) throw new SettingsWrong(parsed.problems.join('\n  '))
  return parsed.config
}

const mount =
  (prefix: string, app: App): Room =>
  async (req, res, { pathname }) => {
    if (!pathname.startsWith(`${prefix}/`)) return false
    await app.handle(req, res, pathname.slice(prefix.length))
    return true
  }

/**
 * `GET /api/audit`: what `npm run audit` would say, while the sandbox has its database open; and our account of what was
 * ordered against the gateway's, in kopecks.
 */
const auditRoom =
  (app: App, url: string): Room =>
  async (req, res, { pathname }) => {
    if (req.method !== 'GET' || pathname !== '/api/audit') return false
    const findings = await audit(app.db)
    const account = z
      .object({ charged: z.int() })
      .parse(await (await fetch(`${url}/api/gateway/account`)).json())
    const { live, answers, ...sums } = await compareWithGateway(app.db, BigInt(account.charged))
    const [ours, charged, difference] = [sums.ours, sums.charged, sums.difference].map(Number)
    const gateway = { ours, charged, difference, live, answers }
    sendJson(res, 200, { clean: findings.length === 0, findings, gateway })
    return true
  }
