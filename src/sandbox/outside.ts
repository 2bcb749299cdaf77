// The doubles of the outside services at one address: a local Telegram, a local gateway, the payment providers; and the chat page. An
// app learns their addresses from its environment only; nothing else tells it that they are not the real services.

import { join } from 'node:path'
import { type Clock, createSteadyClock } from '../runtime/clock.ts'
import { randomIds } from '../runtime/ids.ts'
import { localeName, locales } from '../texts.ts'
import { createFaultRoutes, createFaults, type Faults } from './faults.ts'
import { createGateway } from './gateway/index.ts'
import { type Handler, sendJson, serve } from './http.ts'
import { createPage } from './page.ts'
import { createPaymentDoubles, paymentSecrets } from './payments/index.ts'
import { createTelegram } from './telegram/index.ts'
import type { Language } from './users/api.ts'

function createLanguageRoute(): Handler {
  const languages = locales.map((code): Language => ({ code, name: localeName(code) }))
  return async (req, res, { pathname }) => {
    if (pathname !== '/api/languages' || req.method !== 'GET') return false
    sendJson(res, 200, languages)
    return true
  }
}

interface Options {
  readonly port: number
  /** The folder in which all doubles keep their state. */
  readonly dataDir: string
  /**
   * Whether chats, tasks and payments are written to the disk, so that they survive a restart; true by default. Each task writes all of
   * them.
   */
  readonly keepsState?: boolean
  /** Divides the duration of the gateway's tasks and streams. */
  readonly speed: number
  readonly random: () => number
  readonly clock?: Clock
  /** The time in the dates of messages and tasks, for an app whose clock differs from `clock`. */
  readonly dates?: () => Date
  readonly faults?: Faults
  /** The address of the app; by default `/app` at the address of the doubles. */
  readonly publicUrl?: string
}

export type Outside = Awaited<ReturnType<typeof startOutside>>

const botToken = '4242:sandbox-bot-token'
const gatewayKey = 'sandbox-gateway-key'

/** Values that an app must not reveal. */
export const secrets = { botToken, gatewayKey, payments: paymentSecrets }

/** @throws Error with `code` EADDRINUSE when the port is taken */
export async function startOutside(options: Options) {
  const { dataDir, speed, random, clock = createSteadyClock(), faults = createFaults() } = options
  const { keepsState = true, dates = () => clock.now() } = options
  const handlers: Handler[] = []
  const server = await serve(options.port, handlers)
  const { url } = server
  const publicUrl = options.publicUrl ?? `${url}/app`
  const common = { clock, dates, faults, random, keepsState, baseUrl: () => url }
  const folder = (name: string) => join(dataDir, name)
  const telegram = createTelegram({ ...common, token: botToken, folder: folder('telegram') })
  const newId = randomIds.next
  const gateway = createGateway({ ...common, key: gatewayKey, folder: folder('gateway'), speed, newId })
  const payments = createPaymentDoubles({ ...common, baseUrl: url, folder, publicUrl })
  handlers.push(
    ...payments.handlers,
    telegram.botApi,
    telegram.usersApi,
    gateway.api,
    gateway.inspection,
    createFaultRoutes(faults),
    createLanguageRoute(),
    createPage(),
  )
  /** The environment of an app that uses these doubles, without its database. */
  const env: Readonly<Record<string, string>> = { ...envOf(url, publicUrl, speed), ...payments.env }
  return {
    url,
    telegram,
    faults,
    env,
    /** Adds request handlers to the same server. They take precedence over those of the local services. */
    open: (...more: readonly Handler[]) => void handlers.unshift(...more),
    async close() {
      await telegram.close()
      await gateway.close()
      await payments.close()
      await server.close()
    },
  }
}

const envOf = (url: string, publicUrl: string, speed: number) => ({
  BOT_TOKEN: botToken,
  TELEGRAM_API_ROOT: url,
  GATEWAY_URL: `${url}/gateway`,
  GATEWAY_KEY: gatewayKey,
  CATALOG_FILE: join(import.meta.dirname, 'catalog.json'),
  POLL_INTERVAL_MS: String(Math.max(50, Math.round(3000 / speed))),
  PUBLIC_URL: publicUrl,
  // Links to results may be sent as references.
  PRIVATE_LINK_HOSTS: new URL(url).host,
})
