// Checks that the webhook is still set to this installation, and with the secret of this process: another installation with the same token may
// have replaced the webhook, or deleted it in order to poll, and a process with another key may have set it with another secret, which is
// refused once that process has ended. The check also detects a withdrawn token: while no updates arrive, there are no other regular requests to Telegram.

import type { Api } from 'grammy'
import type { WebhookInfo } from 'grammy/types'
import { createLoop, type Loop } from '../runtime/loop.ts'
import { createTokenConflicts, type TokenConflictDeps } from './token-conflicts.ts'
import type { WebhookSecrets } from './webhook-secrets.ts'
import { isWithdrawn, TokenWithdrawn } from './withdrawn-token.ts'

interface WebhookWatchDeps extends TokenConflictDeps {
  readonly api: Api
  /** The webhook address of this installation. */
  readonly url: string
  readonly secrets: Pick<WebhookSecrets, 'announce' | 'cameFromAnother'>
  /** Sets the webhook. */
  readonly announce: () => Promise<void>
}

/** Telegram's words about an answer with the status 401, which is given to an update without our secret. */
const isRefused = /\b401\b/

export function createWebhookWatch(deps: WebhookWatchDeps): Loop {
  const conflicts = createTokenConflicts(deps, 'webhook')
  let isOver = false
  /** The time of the last refused update that was seen here. */
  let refusedAt: number | undefined
  const read = async (): Promise<WebhookInfo | undefined> => {
    try {
      return await deps.api.getWebhookInfo()
    } catch (error) {
      if (!isWithdrawn(error)) throw error
      isOver = true
      deps.onFatal(new TokenWithdrawn({ cause: error }))
      return undefined
    }
  }
  const isRefusedAnew = ({ last_error_date: at, last_error_message: said = '' }: WebhookInfo): boolean => {
    if (at === refusedAt || !isRefused.test(said)) return false
    refusedAt = at
    return true
  }
  const pass = async () => {
    await deps.secrets.announce()
    const info = isOver ? undefined : await read()
    if (!info) return false
    if (info.url !== deps.url) {
      deps.log.warn({ url: info.url }, 'another installation changed the webhook')
      await deps.announce()
      await conflicts.report()
    } else if (isRefusedAnew(info) || deps.secrets.cameFromAnother()) {
      deps.log.warn({}, 'updates came with another secret: the webhook is set again')
      await deps.announce()
    }
    return false
  }
  return createLoop(deps, { pass, idleMs: 60_000, failed: 'the webhook cannot be checked' })
}
