// The path of updates: received by polling or a webhook, stored, handled.

import type { Bot } from 'grammy'
import type { Update } from 'grammy/types'
import type { BotDeps, Ctx } from '../bot/context.ts'
import { createHandler, updateTypes } from '../bot/handler.ts'
import type { Config } from '../config.ts'
import { createIntake, type Intake, secretOf, updatesPath } from '../http/routes.ts'
import { deleteOldNotices } from '../payments/notices.ts'
import { createLoop, type Loop } from '../runtime/loop.ts'
import type { Nudges } from '../runtime/nudges.ts'
import { forgetOldUpdates } from '../updates/cleanup.ts'
import { createHandling, kindOf } from '../updates/handling.ts'
import { storeUpdates } from '../updates/inbox.ts'
import { createPolling } from '../updates/polling.ts'
import { createWebhookSecrets } from '../updates/webhook-secrets.ts'
import { createWebhookWatch } from '../updates/webhook-watch.ts'

export interface Updates {
  /** The webhook. */
  readonly intake: Intake
  /** @param onFatal see PollingDeps */
  polling(onFatal: (error: unknown) => void): Loop
  /** Keeps the webhook registered. @param onFatal see RivalDeps */
  webhookWatch(publicUrl: string, onFatal: (error: unknown) => void): Loop
  readonly handling: Loop
  /** Deletes old rows. */
  readonly housekeeping: Loop
  /** Registers the webhook. */
  announce(publicUrl: string): Promise<void>
}

/** The interval of deletions; short, so that little is deleted at once. */
const housekeepingMs = 10 * 60_000

export function createUpdates(
  bot: Bot<Ctx>,
  deps: BotDeps,
  nudges: Nudges,
  keys: Pick<Config, 'botToken' | 'gatewayKey'>,
): Updates {
  const store = async (received: readonly Update[]) => {
    const fresh = await storeUpdates(deps, received)
    for (const update of fresh) deps.metrics.updates.received(kindOf(update))
    if (fresh.length > 0) handling.take(fresh)
  }
  const secret = secretOf(keys)
  const secrets = createWebhookSecrets(deps, secret)
  const intake = createIntake(secret, secrets, store)
  const handling = createHandling({
    ...deps,
    handle: createHandler(bot, deps),
    tellOthers: () => nudges.send('updates'),
  })
  nudges.on('updates', handling.nudge)
  const announce = async (publicUrl: string) => {
    await secrets.announce()
    await bot.api.setWebhook(publicUrl + updatesPath, {
      secret_token: secret,
      allowed_updates: [...updateTypes],
      max_connections: 100,
    })
  }
  return {
    intake,
    handling,
    announce,
    webhookWatch: (publicUrl, onFatal) =>
      createWebhookWatch({
        ...deps,
        api: bot.api,
        secrets,
        url: publicUrl + updatesPath,
        announce: () => announce(publicUrl),
        onFatal,
      }),
    polling: (onFatal) => createPolling({ ...deps, api: bot.api, types: updateTypes, store, onFatal }),
    housekeeping: createLoop(deps, {
      pass: async (stopping) => {
        await forgetOldUpdates(deps, stopping)
        await deleteOldNotices(deps, stopping)
        return false
      },
      idleMs: housekeepingMs,
      failed: 'old rows cannot be deleted',
    }),
  }
}
