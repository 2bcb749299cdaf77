// The webhook: the secrets with which its updates come, the watch that keeps it set to this installation, and the check for the alarm that
// updates do not arrive.

import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Api } from 'grammy'
import type { WebhookInfo } from 'grammy/types'
import { z } from 'zod'
import { type Database, oneRow } from '../db/client.ts'
import { leaderLeases, updates } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import type { UpdateMetrics } from '../metrics.ts'
import { type Clock, minuteMs } from '../runtime/clock.ts'
import { createLoop, type Loop } from '../runtime/loop.ts'
import {
  createTokenConflicts,
  isWithdrawn,
  type TokenConflictDeps,
  TokenWithdrawn,
  takeLeaderLease,
} from './polling.ts'

/**
 * The secrets of the webhook that living processes have. They differ while processes with a new version or key replace others. Telegram
 * sends the one that was set last to all of them, so each process takes updates with the secret of any. The table of leases has their
 * digests, which open nothing.
 */
export interface WebhookSecrets {
  /** Tells the other processes that a process with our secret lives. Repeated every minute, and before Telegram learns the secret. */
  announce(): Promise<void>
  /** Whether another process has announced this secret within the last minutes. */
  isOfAnother(secret: string): Promise<boolean>
  /** Whether an update has come with the secret of another process since the last call. */
  cameFromAnother(): boolean
}

interface SecretDeps {
  readonly db: Database
  readonly clock: Clock
}

/** After the last process with a secret has ended, the others have this time to set theirs. */
const livesForMs = 3 * minuteMs
/** Unknown secrets, which may be made up, together cost one statement in this time. */
const rereadMs = 1000

const nameOf = (secret: string): string =>
  `webhook secret ${createHash('sha256').update(secret).digest('base64url')}`

export function createWebhookSecrets(deps: SecretDeps, own: string): WebhookSecrets {
  const now = () => deps.clock.now().getTime()
  let livingUntil = new Map<string, number>()
  let readAt = Number.NEGATIVE_INFINITY
  let reading = Promise.resolve()
  let sawAnother = false

  const read = async () => {
    const found = await deps.db.select().from(leaderLeases)
    livingUntil = new Map(found.map(({ name, until }) => [name, until.getTime()]))
  }
  const refresh = (): Promise<void> => {
    if (now() - readAt >= rereadMs) {
      readAt = now()
      reading = read()
    }
    return reading
  }
  const isLiving = (name: string) => (livingUntil.get(name) ?? 0) > now()

  return {
    async announce() {
      await takeLeaderLease(deps, nameOf(own), 'webhook', livesForMs)
    },
    async isOfAnother(secret) {
      const name = nameOf(secret)
      if (!isLiving(name)) await refresh()
      if (!isLiving(name)) return false
      sawAnother = true
      return true
    },
    cameFromAnother() {
      const saw = sawAnother
      sawAnother = false
      return saw
    },
  }
}

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

/**
 * Checks that the webhook is still set to this installation, and with the secret of this process: another installation with the same token
 * may have replaced the webhook, or deleted it in order to poll, and a process with another key may have set it with another secret, which
 * is refused once that process has ended. The check also detects a withdrawn token: while no updates arrive, there are no other regular
 * requests to Telegram.
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
 * processes that send alarms ask Telegram, since those that take updates may be down. The time since when is a row of the table of leases.
 */
export const createWebhookCheck =
  ({ api, metrics }: CheckDeps) =>
  async (db: Database, now: Date): Promise<WebhookTrouble[]> => {
    const info = await api.getWebhookInfo()
    const { pending_update_count: pending, last_error_date: errorAt = 0, last_error_message: said } = info
    metrics.updates.webhook(pending, errorAt)
    const isFailing = now.getTime() - errorAt * 1000 < toleratedMs
    if (pending === 0 || (!isFailing && (await hasArrived(db, now)))) return []
    const since = await troubledSince(db, now)
    if (now.getTime() - since.getTime() < toleratedMs) return []
    return [
      {
        kind: 'webhook',
        fact: [`${pending}`, ...(isFailing && said ? [said.replaceAll(addresses, '***')] : [])].join(': '),
      },
    ]
  }

/** Both parts use a partial index. */
async function hasArrived(db: Database, now: Date): Promise<boolean> {
  const lately = timestamp(now, -toleratedMs)
  const query = sql`
    select exists (select from ${updates} where done_at > ${lately} and received_at > ${lately})
      or exists (select from ${updates} where done_at is null and received_at > ${lately}) as arrived`
  return (await oneRow(db, query, z.object({ arrived: z.boolean() }))).arrived
}

async function troubledSince(db: Database, now: Date): Promise<Date> {
  const query = sql`
    insert into ${leaderLeases} as known (name, holder, until)
    values ('webhook trouble', ${now.toISOString()}, ${timestamp(now, oneTroubleMs)})
    on conflict (name) do update set until = excluded.until,
      holder = case when known.until > ${timestamp(now)} then known.holder else excluded.holder end
    returning holder as since`
  return (await oneRow(db, query, z.object({ since: z.coerce.date() }))).since
}
