// Looks for credited payments that are missing in the provider's own list, since their reports must have been forged. They are logged, and
// an operator decides.

import { and, eq, gt, isNull, lte } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { payments, unmatchedPayments } from '../db/schema.ts'
import { type Clock, minuteMs } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { ProviderId } from './providers.ts'

interface Deps {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
}

/** A reading of the new entries of the list, after which all payments in them are credited. */
interface Reading {
  readonly endedAt: Date
  readonly charges: ReadonlySet<string>
}

/** The clocks of two processes differ by less. */
const skewMs = minuteMs

/**
 * @returns a function that is called after each reading of the list with the charges that it read; those of the first one, which reads all
 * entries, may be left out
 */
export function createUnlistedCheck(deps: Deps, provider: ProviderId) {
  let readings: readonly Reading[] = []
  return async (charges: ReadonlySet<string>): Promise<void> => {
    const [before, last] = readings
    const endedAt = new Date(deps.clock.now().getTime() + skewMs)
    readings = [...readings.slice(-1), { endedAt, charges }]
    if (!before || !last) return
    // Listed before the end of the reading `before`, they would have been credited by then. Since the end of `last` Telegram had the time
    // between two readings to list them.
    const credited = await creditedBetween(deps.db, provider, before.endedAt, last.endedAt)
    for (const { chargeId, topUpId, userId, credit } of credited) {
      if (last.charges.has(chargeId) || charges.has(chargeId)) continue
      const facts = { provider, chargeId, topUp: topUpId, user: String(userId), credit: String(credit) }
      deps.log.error(facts, 'credited payment is missing in the list of its provider')
    }
  }
}

/** The payments that were credited after `since`, without those that an operator assigned, which may be much older. */
const creditedBetween = (db: Database, provider: ProviderId, since: Date, until: Date) =>
  db
    .select({
      chargeId: payments.chargeId,
      topUpId: payments.topUpId,
      userId: payments.userId,
      credit: payments.credit,
    })
    .from(payments)
    .leftJoin(
      unmatchedPayments,
      and(
        eq(unmatchedPayments.provider, payments.provider),
        eq(unmatchedPayments.chargeId, payments.chargeId),
      ),
    )
    .where(
      and(
        eq(payments.provider, provider),
        gt(payments.createdAt, since),
        lte(payments.createdAt, until),
        isNull(unmatchedPayments.chargeId),
      ),
    )
