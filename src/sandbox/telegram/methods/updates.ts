// How the bot receives its updates: by long polling or by a webhook, never both.

import type { Update, WebhookInfo } from 'grammy/types'
import { z } from 'zod'
import { defined } from '../defined.ts'
import { int, json, type Methods, method } from '../method.ts'
import { refuse } from '../refusal.ts'
import type { TelegramServer } from '../server.ts'
import type { WebhookSettings } from '../state.ts'

const longestPollSeconds = 50

type UpdateType = Exclude<keyof Update, 'update_id'>
const updateType = z.custom<UpdateType>((value) => typeof value === 'string')
const allowedUpdates = json(z.array(updateType)).optional()
const loopback = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** Checks a webhook address. Telegram requires HTTPS; the local Telegram requires an address of this machine. */
function checkAddress(address: string): void {
  const { hostname, protocol } = URL.canParse(address)
    ? new URL(address)
    : refuse('invalid webhook URL specified')
  const isSafe = protocol === 'https:'
  if (!loopback.has(hostname))
    refuse(`bad webhook: ${isSafe ? 'Failed to resolve host' : 'An HTTPS URL must be provided for webhook'}`)
}

function webhookInfo(server: TelegramServer): WebhookInfo {
  const { webhook, allowedUpdates } = server.state
  return {
    url: webhook?.url ?? '',
    has_custom_certificate: false,
    pending_update_count: server.updates.pending().length,
    ...defined({
      max_connections: webhook?.maxConnections,
      last_error_date: webhook?.lastError?.date,
      last_error_message: webhook?.lastError?.message,
      allowed_updates: allowedUpdates.length > 0 ? allowedUpdates : undefined,
    }),
  }
}

function dropWebhook(server: TelegramServer): true {
  delete server.state.webhook
  server.webhook.restart()
  return true
}

/** Several processes of one bot set the same webhook, which must not restart the deliveries. */
function useWebhook(server: TelegramServer, wanted: WebhookSettings): true {
  const { webhook } = server.state
  const keys = ['url', 'secretToken', 'maxConnections'] as const
  if (keys.every((key) => webhook?.[key] === wanted[key])) return true
  server.state.webhook = wanted
  server.updates.webhookWasSet()
  server.webhook.restart()
  return true
}

export const updates = {
  getUpdates: method(
    z.object({
      offset: int.default(0),
      limit: int.default(100),
      timeout: int.default(0),
      allowed_updates: allowedUpdates,
    }),
    (server, { offset, limit, timeout, allowed_updates }, { signal }) => {
      if (server.state.webhook) {
        refuse(
          "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
          409,
        )
      }
      // Without a list the setting does not change; an empty list is the default.
      server.state.allowedUpdates = allowed_updates ?? server.state.allowedUpdates
      const timeoutMs = 1000 * Math.min(Math.max(timeout, 0), longestPollSeconds)
      return server.updates.poll(offset, limit < 1 || limit > 100 ? 100 : limit, timeoutMs, signal)
    },
  ),

  setWebhook: method(
    z.object({
      url: z.string().default(''),
      secret_token: z
        .string()
        .max(256, 'secret token is too long')
        .regex(/^[A-Za-z0-9_-]*$/, 'secret token contains unallowed characters')
        .optional(),
      max_connections: int.default(40),
      allowed_updates: allowedUpdates,
    }),
    (server, params) => {
      server.state.allowedUpdates = params.allowed_updates ?? server.state.allowedUpdates
      if (params.url === '') return dropWebhook(server)
      checkAddress(params.url)
      return useWebhook(server, {
        url: params.url,
        maxConnections: Math.min(Math.max(params.max_connections, 1), 100),
        ...defined({ secretToken: params.secret_token }),
      })
    },
  ),

  deleteWebhook: method(z.object({}), (server) => dropWebhook(server)),

  getWebhookInfo: method(z.object({}), (server) => webhookInfo(server)),
} satisfies Methods
