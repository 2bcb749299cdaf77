// The sandbox: everything that stands in for the outside, around the real app, at one address.

import { join } from 'node:path'
import { z } from 'zod'
import { type App, createApp } from '../app.ts'
import { parseConfig } from '../config.ts'
import { audit, compareWithGateway } from '../ledger/audit.ts'
import { type Clock, createSteadyClock } from '../runtime/clock.ts'
import { randomIds } from '../runtime/ids.ts'
import type { Log } from '../runtime/log.ts'
import type { Faults } from './faults.ts'
import { type Room, sendJson } from './http.ts'
import { type Outside, startOutside } from './outside.ts'
import type { Telegram } from './telegram/index.ts'

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

/** Settings of the app that were passed in are wrong. */
export class SettingsWrong extends Error {
  override name = 'SettingsWrong'
}

/** @throws SettingsWrong; Error with `code` EADDRINUSE when the port is taken; FolderInUse when the data folder is */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { port, dataDir, speed, log, clock = createSteadyClock() } = options
  const outside = await startOutside({ port, dataDir, speed, clock, random: Math.random })
  const { url, telegram, faults } = outside
  try {
    const config = configOf(outside, options)
    const app = await createApp(config, { clock, ids: randomIds, random: Math.random, log })
    outside.open(mount('/app', app), auditRoom(app, url))
    await app.start((error) => log.error({ error }, 'polling ended'))
    const stop = async () => {
      await app.stop()
      await outside.close()
    }
    return { url, app, telegram, faults, stop }
  } catch (error) {
    await outside.close()
    throw error
  }
}

/** What leads to the outside is not for anybody to change. */
const fixed = ['BOT_TOKEN', 'TELEGRAM_API_ROOT', 'GATEWAY_URL', 'GATEWAY_KEY', 'YOOKASSA_URL']

function configOf({ env: ours }: Outside, { dataDir, env }: SandboxOptions) {
  const parsed = parseConfig({
    WELCOME_CREDIT: '500',
    DATABASE_URL: `pglite:${join(dataDir, 'database')}`,
    ...ours,
    ...env,
    ...Object.fromEntries(Object.entries(ours).filter(([name]) => fixed.includes(name))),
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
