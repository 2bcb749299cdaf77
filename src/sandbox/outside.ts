// What stands in for the outside of an app, at one address: a local Telegram, a local gateway, a local YooKassa and the chat
// page. An app is told where they are by its environment and nothing else; it can not know that they are not the real ones.

import { join } from 'node:path'
import { type Clock, createSteadyClock } from '../runtime/clock.ts'
import { randomIds } from '../runtime/ids.ts'
import { createFaults, type Faults } from './faults.ts'
import { createGateway } from './gateway/index.ts'
import type { Room } from './http.ts'
import { createPage } from './page.ts'
import { createPaymentDoubles, paymentSecrets } from './payment-doubles.ts'
import { serve } from './serve.ts'
import { createTelegram, type Telegram } from './telegram/index.ts'

export interface OutsideOptions {
  readonly port: number
  /** Everything is kept below it. */
  readonly dataDir: string
  /** Tasks run this many times faster. */
  readonly speed: number
  readonly random: () => number
  readonly clock?: Clock
  readonly faults?: Faults
  /** Where the app will be reached; `/app` at our own address if nothing is said. */
  readonly publicUrl?: string
}

export interface Outside {
  readonly url: string
  readonly telegram: Telegram
  readonly faults: Faults
  /** The environment of an app that is to live here; its database is its own affair. */
  readonly env: Readonly<Record<string, string>>
  /** Serves these at our address too, before our own rooms. */
  open(...rooms: readonly Room[]): void
  close(): Promise<void>
}

/** What an app must keep to itself. */
export const secrets = {
  botToken: '4242:sandbox-bot-token',
  gatewayKey: 'sandbox-gateway-key',
  ...paymentSecrets,
}

/** @throws Error with `code` EADDRINUSE when the port is taken */
export async function startOutside(options: OutsideOptions): Promise<Outside> {
  const { dataDir, speed, random, clock = createSteadyClock(), faults = createFaults() } = options
  const rooms: Room[] = []
  const server = await serve(options.port, rooms)
  const { url } = server
  const publicUrl = options.publicUrl ?? `${url}/app`
  const common = { clock, faults, random, baseUrl: () => url }
  const folder = (name: string) => join(dataDir, name)
  const telegram = createTelegram({ ...common, token: secrets.botToken, folder: folder('telegram') })
  const gateway = createGateway({
    ...common,
    ...{ key: secrets.gatewayKey, folder: folder('gateway'), speed, newId: randomIds.next },
  })
  const payments = createPaymentDoubles({ ...common, baseUrl: url, folder, publicUrl })
  rooms.push(...payments.rooms, telegram.room, telegram.users, gateway.room, gateway.account, createPage())
  return {
    ...{ url, telegram, faults, env: { ...envOf(url, publicUrl, speed), ...payments.env } },
    open: (...more) => void rooms.unshift(...more),
    async close() {
      telegram.close()
      await gateway.close()
      await payments.close()
      await server.close()
    },
  }
}

const envOf = (url: string, publicUrl: string, speed: number) => ({
  BOT_TOKEN: secrets.botToken,
  TELEGRAM_API_ROOT: url,
  GATEWAY_URL: `${url}/gateway`,
  GATEWAY_KEY: secrets.gatewayKey,
  TOPUP_RUB_PROVIDER_TOKEN: '4242:TEST:sandbox',
  TOPUP_ROUBLES_PER_STAR: '1.20',
  CATALOG_FILE: join(import.meta.dirname, 'catalog.json'),
  POLL_INTERVAL_MS: String(Math.max(50, Math.round(3000 / speed))),
  PUBLIC_URL: publicUrl,
})
