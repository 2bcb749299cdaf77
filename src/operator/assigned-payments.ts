// Assigns a payment that fits no top-up to a user. One statement writes a top-up, its payment, the credit, the notice for the user and
// the row of the log.

import { sql } from 'drizzle-orm'
import { payments, topUps, unmatchedPayments } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { chargeName } from '../ledger/keys.ts'
import { isGuarded, post } from '../ledger/ledger.ts'
import { deposit } from '../ledger/moves.ts'
import type { Kopecks } from '../money.ts'
import { insertGuardedNotice } from '../payments/notices.ts'
import { findUnmatched, type UnmatchedPayment } from '../payments/payment.ts'
import type { Ids } from '../runtime/ids.ts'
import { insertAction, type Operator, type OperatorDeps } from './actions.ts'

interface Assignment {
  readonly by: Operator
  /** The id of the charge, with or without the provider: `stars:…`. */
  readonly chargeId: string
  readonly userId: bigint
  /** The amount that the user is credited for the payment. */
  readonly credit: Kopecks
  readonly reason: string
}

type Assigned =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: 'unknown-payment' | 'assigned-before' }

export async function assignPayment(
  deps: OperatorDeps & { readonly ids: Ids },
  assignment: Assignment,
): Promise<Assigned> {
  const payment = await findUnmatched(deps.db, assignment.chargeId)
  if (!payment) return { ok: false, reason: 'unknown-payment' }
  const now = deps.clock.now()
  const topUpId = deps.ids.next()
  const { provider, chargeId } = payment
  const { userId, credit } = assignment
  const move = deposit({ provider, chargeId, userId, credit, topUpId })
  const guard = sql`
    update ${unmatchedPayments} set top_up_id = ${topUpId}
    where provider = ${provider} and charge_id = ${chargeId} and top_up_id is null and refunded_at is null returning charge_id`
  const posted = await post(deps.db, move, now, guard, writesOf(payment, assignment, topUpId, now))
  return posted.ok ? { ok: true } : { ok: false, reason: 'assigned-before' }
}

function writesOf(payment: UnmatchedPayment, assignment: Assignment, topUpId: string, now: Date) {
  const { provider, chargeId, charge, currency } = payment
  const { by, userId, credit, reason } = assignment
  const sums = sql`${credit}::bigint, ${charge}::bigint, ${currency}::text`
  const at = timestamp(now)
  const details = { user: `${userId}`, provider, chargeId, amount: `${credit}` }
  return [
    sql`insert into ${topUps} (id, user_id, provider, credit, charge, currency, state, created_at)
      select ${topUpId}, ${userId}::bigint, ${provider}, ${sums}, 'paid', ${at} where ${isGuarded}`,
    sql`insert into ${payments} (provider, charge_id, top_up_id, user_id, credit, charge, currency, created_at)
      select ${provider}, ${chargeId}, ${topUpId}, ${userId}::bigint, ${sums}, ${at} where ${isGuarded}`,
    // The provider is asked once more about a payment on its page, of which a part may have been given back before.
    sql`update ${topUps} set next_check_at = ${at} where provider = ${provider} and external_id = ${chargeId} and ${isGuarded}`,
    insertGuardedNotice(
      { kind: 'credited', event: chargeName(provider, chargeId), userId, amount: credit },
      now,
    ),
    insertAction(
      { by, action: 'assign-payment', subject: `top-up:${topUpId}`, reason, details },
      now,
      isGuarded,
    ),
  ]
}
