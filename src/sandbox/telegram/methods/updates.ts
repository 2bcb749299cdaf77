// How the bot gets its updates: long polling or a webhook, never both.

import type { WebhookInfo } from 'grammy/types'
import { z } from 'zod'
import { defined } from '../defined.ts'
import { type Methods, method } from '../method.ts'
import { bool, int, json, str } from '../params.ts'
import { refuse } from '../refusal.ts'
import type { WebhookSettings } from '../state.ts'
import { isUpdateType } from '../update-types.ts'
import type { World } from '../world.ts'

const longestPollSeconds = 50

const allowedUpdates = json(z.array(z.string())).optional()
const loopback = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** Left out, the previous setting stays; an empty list is the default. */
function setAllowed(world: World, types: string[] | undefined): void {
  // Telegram ignores names it does not know.
  if (types) world.state.allowedUpdates = types.filter(isUpdateType)
}

/** Telegram demands HTTPS of the whole world; a local Telegram can reach only this machine. */
function checkAddress(address: string): void {
  const url = URL.canParse(address) ? new URL(address) : refuse('invalid webhook URL specified')
  if (!loopback.has(url.hostname)) {
    const reason =
      url.protocol === 'https:' ? 'Failed to resolve host' : 'An HTTPS URL must be provided for webhook'
    refuse(`bad webhook: ${reason}`)
  }
}

function checkSecret(secret: string): void {
  if (secret.length > 256) refuse('secret token is too long')
  if (!/^[A-Za-z0-9_-]*$/.test(secret)) refuse('secret token contains unallowed characters')
}

function webhookInfo(world: World): WebhookInfo {
  const { webhook, allowedUpdates } = world.state
  return {
    url: webhook?.url ?? '',
    has_custom_certificate: false,
    pending_update_count: world.updates.pending().length,
    ...defined({
      max_connections: webhook?.maxConnections,
      last_error_date: webhook?.lastError?.date,
      last_error_message: webhook?.lastError?.message,
      allowed_updates: allowedUpdates.length > 0 ? allowedUpdates.filter(isUpdateType) : undefined,
    }),
  }
}

function dropWebhook(world: World, dropPending: boolean | undefined): true {
  if (dropPending) world.state.pending = []
  delete world.state.webhook
  world.webhook.restart()
  return true
}

/** Several processes of one bot set the same webhook: that must not start its deliveries over. */
function isAlreadySet({ state: { webhook } }: World, wanted: WebhookSettings): boolean {
  const keys = ['url', 'secretToken', 'maxConnections'] as const
  return keys.every((key) => webhook?.[key] === wanted[key])
}

function useWebhook(world: World, settings: WebhookSettings): void {
  world.state.webhook = settings
  world.updates.webhookWasSet()
  world.webhook.restart()
}

export const updates = {
  getUpdates: method(
    z.object({
      offset: int.default(0),
      limit: int.default(100),
      timeout: int.default(0),
      allowed_updates: allowedUpdates,
    }),
    (world, { offset, limit, timeout, allowed_updates }, { signal }) => {
      if (world.state.webhook) {
        refuse(
          "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
          409,
        )
      }
      setAllowed(world, allowed_updates)
      const timeoutMs = 1000 * Math.min(Math.max(timeout, 0), longestPollSeconds)
      return world.updates.poll({ offset, limit: limit < 1 || limit > 100 ? 100 : limit, timeoutMs }, signal)
    },
  ),

  setWebhook: method(
    z.object({
      url: str.default(''),
      secret_token: str.default(''),
      max_connections: int.default(40),
      allowed_updates: allowedUpdates,
      drop_pending_updates: bool.optional(),
    }),
    (world, params) => {
      setAllowed(world, params.allowed_updates)
      if (params.url === '') return dropWebhook(world, params.drop_pending_updates)
      checkAddress(params.url)
      checkSecret(params.secret_token)
      if (params.drop_pending_updates) world.state.pending = []
      const wanted = {
        url: params.url,
        maxConnections: Math.min(Math.max(params.max_connections, 1), 100),
        ...defined({ secretToken: params.secret_token || undefined }),
      }
      if (!isAlreadySet(world, wanted)) useWebhook(world, wanted)
      return true as const
    },
  ),

  deleteWebhook: method(z.object({ drop_pending_updates: bool.optional() }), (world, params) =>
    dropWebhook(world, params.drop_pending_updates),
  ),

  getWebhookInfo: method(z.object({}), (world) => webhookInfo(world)),
} satisfies Methods
