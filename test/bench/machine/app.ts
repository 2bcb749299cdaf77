// The app as started in production, from its bundle, with doubles of Telegram and the gateway.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchWorld } from '../bench.ts'
import type { GatewayStub } from '../outside/gateway.ts'
import { botToken, type TelegramStub } from '../outside/telegram.ts'
import type { Launched } from './launcher.ts'
import { freePort } from './ports.ts'
import type { BenchDatabase } from './server.ts'

export interface Outside {
  readonly database: BenchDatabase
  readonly telegram: TelegramStub
  /** Without it, connections to the gateway are refused. */
  readonly gateway?: GatewayStub
}

export interface RunningApp extends Launched {
  /** The address of the app. */
  readonly url: string
}

interface Start {
  /** Whether the app starts without the compile cache. */
  readonly isCold?: boolean
  /** Whether this is a second process: another one polls for updates, and this one is not pinned to a core. */
  readonly isSecond?: boolean
  readonly program?: string
}

const nowhere = 'http://127.0.0.1:9'

/** Starts the app. Resolves when it polls for updates or, if it does not poll, when it answers requests. */
export async function startApp(
  { launcher }: BenchWorld,
  { database, telegram, gateway }: Outside,
  settings: Readonly<Record<string, string>> = {},
  { program = 'src/main.ts', isSecond = false, isCold = false }: Start = {},
): Promise<RunningApp> {
  const url = `http://127.0.0.1:${await freePort()}`
  const env = {
    BOT_TOKEN: botToken,
    TELEGRAM_API_ROOT: telegram.url,
    GATEWAY_URL: gateway?.url ?? nowhere,
    GATEWAY_KEY: 'bench-key',
    GATEWAY_POLLS_PER_SECOND: '10000',
    DATABASE_URL: database.url,
    PORT: new URL(url).port,
    PUBLIC_URL: url,
    CATALOG_FILE: join(import.meta.dirname, '../catalog.json'),
    CONCURRENT_GENERATIONS: '100',
    LOG_LEVEL: 'error',
    ...settings,
  }
  const app = launcher.launch(program, env, { isCold, isFree: isSecond })
  await (isSecond || settings.ROLE === 'worker' ? answering(`${url}/healthz`) : telegram.asked())
  return { ...app, url }
}

async function answering(url: string): Promise<void> {
  while (!(await fetch(url).catch(() => undefined))?.ok) await sleep(20)
}
