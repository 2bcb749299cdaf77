// The webhook: the watch that keeps it set to this installation, and the check for the alarm that updates do not arrive.

import { sql } from 'drizzle-orm'
import type { Api } from 'grammy'
import type { WebhookInfo } from 'grammy/types'
import { z } from 'zod'
import { type Database, oneRow } from '../db/client.ts'
import { updates } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import type { UpdateMetrics } from '../metrics.ts'
import { minuteMs } from '../runtime/clock.ts'
import { createLoop, type Loop } from '../runtime/loop.ts'
import { createTokenConflicts, isWithdrawn, type TokenConflictDeps, TokenWithdrawn } from './polling.ts'

interface WebhookWatchDeps extends TokenConflictDeps {
  readonly api: Api
  /** The webhook address of this installation. */
  readonly url: string
  /** Sets the webhook. */
  readonly announce: () => Promise<void>
}

/** Telegram's words about an answer with the status 401, which is given to an update without our secret. */
const isRefused = /\b401\b/

/**
 * Checks that the webhook is still set to this installation, and with the secret of this process: another installation with the same token
 * may have replaced the webhook, or deleted it in order to poll, and a process with another key may have set it with another secret, which
 * is refused. The check also detects a withdrawn token: while no updates arrive, there are no other regular requests to Telegram.
 */
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
    const info = isOver ? undefined : await read()
    if (!info) return false
    if (info.url !== deps.url) {
      deps.log.warn({ url: info.url }, 'another installation changed the webhook')
      await deps.announce()
      await conflicts.report()
    } else if (isRefusedAnew(info)) {
      deps.log.warn({}, 'updates came with another secret: the webhook is set again')
      await deps.announce()
    }
    return false
  }
  return createLoop(deps, { pass, idleMs: 60_000, failed: 'the webhook cannot be checked' })
}

interface CheckDeps {
  readonly api: Api
  readonly metrics: { readonly updates: UpdateMetrics }
}

interface WebhookTrouble {
  readonly kind: 'webhook'
  readonly fact: string
}

/** A restart of all processes takes less. Telegram tries a failed update again at least every two minutes. */
const toleratedMs = 3 * minuteMs
/** The time after which an interrupted trouble is another one. */
const oneTroubleMs = 10 * minuteMs
const addresses = /\S+:\/\/\S+/g

/**
 * Whether updates arrive by the webhook: the trouble is that Telegram keeps updates and reports errors, or sends none, for minutes. The
 * processes that send alarms ask Telegram, since those that take updates may be down.
 */
export function createWebhookCheck({ api, metrics }: CheckDeps) {
  let since = 0
  let lastAt = 0
  return async (db: Database, now: Date): Promise<WebhookTrouble[]> => {
    const info = await api.getWebhookInfo()
    const { pending_update_count: pending, last_error_date: errorAt = 0, last_error_message: said } = info
    metrics.updates.webhook(pending, errorAt)
    const at = now.getTime()
    const isFailing = at - errorAt * 1000 < toleratedMs
    if (pending === 0 || (!isFailing && (await hasArrived(db, now)))) return []
    if (at - lastAt > oneTroubleMs) since = at
    lastAt = at
    if (at - since < toleratedMs) return []
    const words = isFailing && said ? [said.replaceAll(addresses, '***')] : []
    return [{ kind: 'webhook', fact: [`${pending}`, ...words].join(': ') }]
  }
}

/** Both parts use a partial index. */
async function hasArrived(db: Database, now: Date): Promise<boolean> {
  const lately = timestamp(now, -toleratedMs)
  const query = sql`
    select exists (select from ${updates} where done_at > ${lately} and received_at > ${lately})
      or exists (select from ${updates} where done_at is null and received_at > ${lately}) as arrived`
  return (await oneRow(db, query, z.object({ arrived: z.boolean() }))).arrived
}
