// Looks whether Telegram still brings updates to us: another installation with the same token may have taken the webhook over,
// or deleted it in order to poll.

import type { Api } from 'grammy'
import { createLoop, type Loop } from '../runtime/loop.ts'
import { createRivals, type RivalDeps } from './rivals.ts'

export interface WebhookWatchDeps extends RivalDeps {
  readonly api: Api
  /** Where Telegram should bring them. */
  readonly url: string
  /** Tells Telegram so. */
  readonly announce: () => Promise<void>
}

export function createWebhookWatch(deps: WebhookWatchDeps): Loop {
  const rivals = createRivals(deps, 'webhook')
  const pass = async () => {
    const { url } = await deps.api.getWebhookInfo()
    if (url === deps.url) return false
    deps.log.warn({ url }, 'the webhook is not ours')
    await deps.announce()
    await rivals.conflict()
    return false
  }
  return createLoop(deps, { pass, idleMs: 60_000, failed: 'the webhook cannot be looked at' })
}
