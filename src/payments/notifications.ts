// Brings polls of payment links forward: after a notification that a payment has changed, or when its user waits for the end. Nothing that a
// notification says is believed, and anybody can send one. One that carries the proof of its top-up has its payment read at once; all others
// together only as often as the allowance says, and each payment at most once a minute.

import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { topUps } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { createAllowance, minuteMs } from '../runtime/clock.ts'
import { linkWayOf, pollBy } from './links.ts'
import type { NamedPayment } from './provider.ts'
import type { TopUpDeps } from './top-ups.ts'

export interface Notifications {
  /** @returns false when the provider sends no notifications */
  receive(providerId: string, body: unknown): Promise<boolean>
}

/**
 * How many notifications without a proof a process looks up: those about refunds, which have none, those about links that an earlier
 * version opened, and forged ones. A refund whose notification is dropped is found in the provider's list.
 */
const unproven = { perSecond: 2, most: 20 }

export function createNotifications(deps: TopUpDeps): Notifications {
  const takeUnproven = createAllowance(deps.clock, unproven)
  return {
    async receive(providerId, body) {
      const way = linkWayOf(deps, providerId)
      if (!way) return false
      const payment = way.paymentIn(body)
      if (payment && (payment.topUpId !== undefined || takeUnproven()))
        await pollSoon(deps, providerId, payment)
      return true
    },
  }
}

/** Up to three polls per interval while a top-up is open and the notification is proven. */
function pollSoon(deps: TopUpDeps, providerId: string, { externalId, topUpId }: NamedPayment): Promise<void> {
  const isThis = and(eq(topUps.provider, providerId), eq(topUps.externalId, externalId))
  if (topUpId === undefined) return pollBy(deps, withinAMinute(deps), isThis)
  const soon = timestamp(deps.clock.now(), deps.pollIntervalMs / 3)
  const time = sql`case when ${eq(topUps.state, 'open')} then ${soon} else ${withinAMinute(deps)} end`
  return pollBy(deps, time, and(isThis, eq(topUps.id, topUpId)))
}

/** Brings the next polls of a user's payments forward, so that a waiting user learns that the provider's page has closed them. */
export const pollLinksOf = (deps: TopUpDeps, userId: bigint): Promise<void> =>
  pollBy(deps, withinAMinute(deps), and(eq(topUps.userId, userId), isNotNull(topUps.nextCheckAt)))

/** For what is not urgent, or what somebody may ask for without end. */
const withinAMinute = ({ clock, pollIntervalMs }: TopUpDeps): SQL =>
  timestamp(clock.now(), Math.min(20 * pollIntervalMs, minuteMs))
