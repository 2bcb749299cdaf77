// Checks that the webhook is still set to this installation: another one with the same token may have replaced it, or deleted it in order
// to poll. The check also detects a withdrawn token: while no updates arrive, there are no other regular requests to Telegram.

import type { Api } from 'grammy'
import { createLoop, type Loop } from '../runtime/loop.ts'
import { createTokenConflicts, type TokenConflictDeps } from './token-conflicts.ts'
import { isWithdrawn, TokenWithdrawn } from './withdrawn-token.ts'

interface WebhookWatchDeps extends TokenConflictDeps {
  readonly api: Api
  /** The webhook address of this installation. */
  readonly url: string
  /** Sets the webhook. */
  readonly announce: () => Promise<void>
}

export function createWebhookWatch(deps: WebhookWatchDeps): Loop {
  const conflicts = createTokenConflicts(deps, 'webhook')
  let isOver = false
  const addressSet = async (): Promise<string | undefined> => {
    try {
      return (await deps.api.getWebhookInfo()).url
    } catch (error) {
      if (!isWithdrawn(error)) throw error
      isOver = true
      deps.onFatal(new TokenWithdrawn({ cause: error }))
      return undefined
    }
  }
  const pass = async () => {
    const url = isOver ? undefined : await addressSet()
    if (url === undefined || url === deps.url) return false
    deps.log.warn({ url }, 'another installation changed the webhook')
    await deps.announce()
    await conflicts.report()
    return false
  }
  return createLoop(deps, { pass, idleMs: 60_000, failed: 'the webhook cannot be checked' })
}
