// The secrets of the webhook that living processes have. They differ while processes with a new version or key replace others. Telegram
// sends the one that was set last to all of them, so each process takes updates with the secret of any. The table of leases has their
// digests, which open nothing.

import { createHash } from 'node:crypto'
import { and, gt, like } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { leaderLeases } from '../db/schema.ts'
import type { Clock } from '../runtime/clock.ts'
import { minuteMs } from '../runtime/durations.ts'
import { takeLeaderLease } from './leader.ts'

export interface WebhookSecrets {
  /** Tells the other processes that a process with our secret lives. Repeated every minute, and before Telegram learns the secret. */
  announce(): Promise<void>
  /** Whether another process has announced this secret within the last minutes. */
  isOfAnother(secret: string): Promise<boolean>
  /** Whether an update has come with the secret of another process since the last call. */
  cameFromAnother(): boolean
}

interface Deps {
  readonly db: Database
  readonly clock: Clock
}

/** After the last process with a secret has ended, the others have this time to set theirs. */
const livesForMs = 3 * minuteMs
/** Unknown secrets, which may be made up, together cost one statement in this time. */
const rereadMs = 1000
const prefix = 'webhook secret '

const nameOf = (secret: string): string => prefix + createHash('sha256').update(secret).digest('base64url')

export function createWebhookSecrets(deps: Deps, own: string): WebhookSecrets {
  const now = () => deps.clock.now().getTime()
  let livingUntil = new Map<string, number>()
  let readAt = Number.NEGATIVE_INFINITY
  let reading = Promise.resolve()
  let sawAnother = false

  const read = async () => {
    const isLiving = and(like(leaderLeases.name, `${prefix}%`), gt(leaderLeases.until, deps.clock.now()))
    const found = await deps.db.select().from(leaderLeases).where(isLiving)
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
