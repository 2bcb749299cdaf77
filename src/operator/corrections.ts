// What operators do to the books and to people, each with a reason: corrections of a balance and of the checksums of transfers, payments that
// are assigned to a user, and bans. One statement makes the change and writes the row of the log and the notice for the user.

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { rows } from '../db/client.ts'
import { accounts, payments, topUps, unmatchedPayments, users } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { acceptTransfers } from '../ledger/checksum.ts'
import { chargeName } from '../ledger/keys.ts'
import { isGuarded, post } from '../ledger/ledger.ts'
import { correction, deposit } from '../ledger/moves.ts'
import type { Kopecks } from '../money.ts'
import { insertGuardedNotice } from '../payments/notices.ts'
import { findUnmatched, type UnmatchedPayment } from '../payments/payment.ts'
import type { Ids } from '../runtime/ids.ts'
import { changeAndLog, insertAction, type Operator, type OperatorDeps, userSubject } from './actions.ts'
import { findPerson } from './people.ts'

interface Correction {
  /** Names the operator's command, which is carried out once. */
  readonly key: string
  readonly by: Operator
  readonly userId: bigint
  /** A negative amount is taken. */
  readonly amount: Kopecks
  readonly reason: string
}

/**
 * `before`: this very command was carried out earlier, as when the database committed it and the answer was lost. The balance is not read
 * here: a failure of that statement would hide that the money was moved.
 */
type Corrected = 'done' | 'before' | 'insufficient' | 'unknown-user'

export async function correct(deps: OperatorDeps, one: Correction): Promise<Corrected> {
  const { key, by, userId, amount, reason } = one
  if (!(await findPerson(deps.db, userId))) return 'unknown-user'
  const now = deps.clock.now()
  const action = insertAction(
    {
      by,
      action: amount > 0n ? 'grant' : 'debit',
      subject: userSubject(userId),
      reason,
      details: { key, amount: amount.toString() },
    },
    now,
  )
  const notice = { kind: 'corrected', event: key, userId, amount } as const
  const posted = await post(deps.db, correction(key, userId, amount, reason), now, action, [
    insertGuardedNotice(notice, now),
  ])
  if (posted.ok) return 'done'
  return posted.reason === 'insufficient' ? 'insufficient' : 'before'
}

/**
 * Accepts the present transfers of all users: after an upgrade during which processes of a version without checksums still wrote transfers,
 * or after a deliberate repair of the database.
 * @returns the number of users with transfers that the ledger had not written
 */
export async function acceptAllTransfers({ db, clock }: OperatorDeps, reason: string): Promise<number> {
  const action = { by: null, action: 'accept-transfers', subject: 'transfers', reason } as const
  const accept = sql`
    with guard as (${acceptTransfers}), logged as (${insertAction(action, clock.now(), isGuarded)})
    select user_id from guard`
  return (await rows(db, accept, z.object({ user_id: z.string() }))).length
}

// Payments that fit no top-up.

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

// Bans. A banned user only gets an answer that says so, and keeps the balance.

interface Ban {
  readonly by: Operator
  readonly userId: bigint
  readonly banned: boolean
  readonly reason: string
}

/**
 * A ban also switches off the user's wallets, so that no member of a group spends money of a banned user. The end of a ban does not switch
 * them on: the owner does. A wallet that is switched on at the moment of the ban pays nothing during it (`hasFreeOwner` in
 * ledger/wallets.ts).
 * @returns false when nothing changes
 */
export function setBan(deps: OperatorDeps, { by, userId, banned, reason }: Ban): Promise<boolean> {
  const now = deps.clock.now()
  const notice = { kind: 'unbanned', event: `${userId}:${now.getTime()}`, userId, amount: 0n } as const
  const change = sql`
    update ${users} set banned_at = ${timestamp(banned ? now : null)}
    where id = ${userId}::bigint and (banned_at is null) = ${banned} returning id`
  const also = banned
    ? sql`, closed as (
        update ${accounts} set is_on = false from guard where kind = 'group' and is_on and owner_id = guard.id)`
    : sql`, told as (${insertGuardedNotice(notice, now)})`
  const action = { by, action: banned ? 'ban' : 'unban', subject: userSubject(userId), reason } as const
  return changeAndLog(deps, action, change, also)
}
