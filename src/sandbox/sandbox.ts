// The sandbox: the real app together with the doubles of all outside services, at one address.

import { join } from 'node:path'
import { z } from 'zod'
import { type App, createApp } from '../app.ts'
import { parseConfig } from '../config.ts'
import { audit, compareWithGateway } from '../ledger/audit.ts'
import { createSteadyClock } from '../runtime/clock.ts'
import { randomIds } from '../runtime/ids.ts'
import type { Log } from '../runtime/log.ts'
import { withGatewayIds } from './gateway-ids.ts'
import { type Handler, sendJson } from './http.ts'
import { type Outside, startOutside } from './outside.ts'

interface Options {
  readonly port: number
  /** The folder of the database and of the doubles' state. */
  readonly dataDir: string
  /** Divides the duration of the gateway's tasks and streams. */
  readonly speed: number
  readonly log: Log
  /** Settings of the app, in place of the sandbox's own. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Passed to the doubles; see startOutside. */
  readonly keepsState?: boolean
}

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>

/** Thrown when the settings that were passed in for the app are wrong. */
export class SettingsWrong extends Error {
  override name = 'SettingsWrong'
}

/** @throws SettingsWrong; Error with `code` EADDRINUSE when the port is taken; CannotStart */
export async function startSandbox(options: Options) {
  const { port, dataDir, speed, log, keepsState = true } = options
  const clock = createSteadyClock()
  const outside = await startOutside({ port, dataDir, speed, clock, keepsState, random: Math.random })
  const { url, faults } = outside
  try {
    const config = configOf(outside, options)
    const app = await createApp(config, { clock, ids: randomIds, random: Math.random, log })
    outside.open(mount('/app', app), auditHandler(app, url))
    await app.start((error) => log.error({ error }, 'polling ended'))
    const stop = async () => {
      await app.stop()
      await outside.close()
    }
    return { url, app, faults, stop }
  } catch (error) {
    await outside.close()
    throw error
  }
}

/** Variables that cannot be changed: the addresses and credentials of the doubles. */
const fixed =
  /^(BOT_TOKEN|TELEGRAM_API_ROOT|GATEWAY_KEY|(GATEWAY|YOOKASSA|PLATEGA|CRYPTOPAY|SELF_EMPLOYED)_URL)$/

function configOf({ env: doubles }: Outside, { dataDir, env }: Options) {
  const parsed = parseConfig({
    WELCOME_CREDIT: '500',
    DATABASE_URL: `pglite:${join(dataDir, 'database')}`,
    ...doubles,
    ...env,
    ...Object.fromEntries(Object.entries(doubles).filter(([name]) => fixed.test(name))),
    PORT: '0',
  })
  if (!parsed.ok) throw new SettingsWrong(parsed.problems.join('\n  '))
  // The routes of the app are served at the address of the doubles.
  return { ...parsed.config, catalog: withGatewayIds(parsed.config.catalog), port: undefined }
}

const mount =
  (prefix: string, app: App): Handler =>
  async (req, res, { pathname }) => {
    if (!pathname.startsWith(`${prefix}/`)) return false
    await app.handle(req, res, pathname.slice(prefix.length))
    return true
  }

/**
 * `GET /api/audit`: the findings of `npm run audit`, which cannot open the database while the sandbox runs; and the app's sum
 * of what its orders cost at the gateway compared with what the gateway has charged, in kopecks.
 */
const auditHandler =
  (app: App, url: string): Handler =>
  async (req, res, { pathname }) => {
    if (req.method !== 'GET' || pathname !== '/api/audit') return false
    const findings = await audit(app.db)
    const account = z
      .object({ charged: z.int() })
      .parse(await (await fetch(`${url}/api/gateway/account`)).json())
    const sums = await compareWithGateway(app.db, BigInt(account.charged))
    const gateway = Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, Number(sum)]))
    sendJson(res, 200, { clean: findings.length === 0, findings, gateway })
    return true
  }
