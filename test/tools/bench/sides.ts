// The measured programs, each with its own doubles of Telegram and the gateway and its own database.

import { join } from 'node:path'
import { freePorts } from '../chaos/machine/listening.ts'
import { type GatewayStub, startGateway } from './gateway.ts'
import type { Databases } from './machine/database.ts'
import type { Launched, Launcher, Usage } from './machine/launcher.ts'
import { createPeople, type People } from './people.ts'
import { startTelegram, type TelegramStub } from './telegram.ts'

export interface BenchWorld {
  /** Whether the run only checks that the benchmark works; its figures are too small to be meaningful. */
  readonly isQuick: boolean
  readonly databases: Databases
  readonly launcher: Launcher
}

export interface Outside {
  readonly telegram: TelegramStub
  readonly gateway: GatewayStub
  readonly database: string
  readonly people: People
  close(): Promise<void>
}

export interface Side extends Outside {
  usage(): Usage
}

export async function openOutside({ databases }: Pick<BenchWorld, 'databases'>): Promise<Outside> {
  const telegram = await startTelegram()
  const gateway = await startGateway()
  const people = createPeople(telegram)
  const close = async () => void (await Promise.all([telegram.close(), gateway.close()]))
  return { telegram, gateway, people, database: await databases.create(), close }
}

export const programs = {
  app: 'src/main.ts',
  echo: 'test/tools/bench/programs/echo.ts',
  usualStack: 'test/tools/bench/programs/usual-stack.ts',
}

/** Settings of the app that the other programs do not read. */
const appSettings = {
  GATEWAY_KEY: 'bench-key',
  CATALOG_FILE: join(import.meta.dirname, 'catalog.json'),
  CONCURRENT_GENERATIONS: '100',
  WELCOME_CREDIT: '100000',
  LOG_LEVEL: 'error',
}

export interface Manner {
  readonly settings?: Readonly<Record<string, string>>
  /** Whether it starts without the compile cache. */
  readonly isCold?: boolean
}

/** Starts a program. Resolves when it polls for updates. */
export async function launch(
  launcher: Launcher,
  { telegram, gateway, database }: Outside,
  program: string,
  { settings = {}, isCold }: Manner = {},
): Promise<Launched> {
  const port = String(await freePort())
  const env = {
    BOT_TOKEN: '1:bench-token',
    TELEGRAM_API_ROOT: telegram.url,
    GATEWAY_URL: gateway.url,
    DATABASE_URL: database,
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    ...appSettings,
    ...settings,
  }
  const launched = launcher.launch(program, env, isCold)
  await telegram.asked()
  return launched
}

export async function openSide(world: BenchWorld, program: string, manner?: Manner): Promise<Side> {
  const outside = await openOutside(world)
  const { usage, stop } = await launch(world.launcher, outside, program, manner)
  return {
    ...outside,
    usage,
    async close() {
      await stop()
      await outside.close()
    },
  }
}

const given = new Set<number>()

/** Each port is given out once, even to concurrent callers. */
async function freePort(): Promise<number> {
  const free = (await freePorts(given.size + 1)).find((port) => !given.has(port))
  if (free === undefined) throw new Error('of so many ports one is new')
  given.add(free)
  return free
}
