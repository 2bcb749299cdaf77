// Refunds of payments. The credit is taken first, then the provider is asked, so that refunded money cannot be spent as well. If
// the process ends in between, `resumeRefunds` continues. When the provider refuses, the credit is returned.

import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { payments, transfers, users } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { builtIn } from '../ledger/built-in-notes.ts'
import { correctionKey, keyInSql } from '../ledger/keys.ts'
import { post } from '../ledger/ledger.ts'
import { correction } from '../ledger/moves.ts'
import type { Kopecks } from '../money.ts'
import { refundedNoticeKey, takenNoticeKey, takingOfNotice } from './notice-keys.ts'
import { changeAndTell, insertGuardedNotice, type NewNotice, type Notice } from './notices.ts'
import { findPayment, type Payment } from './payment.ts'
import type { Provider } from './providers.ts'
import {
  keyOfTaken,
  maxAttempts,
  type Progress,
  postTaking,
  progressOf,
  returnKey,
  take,
} from './taken-credit.ts'
import type { TopUpDeps } from './top-ups.ts'
import { dropUnmatched } from './unmatched.ts'

type Refunded =
  | { readonly ok: true; readonly credit: Kopecks }
  | {
      readonly ok: false
      readonly reason:
        | 'unknown'
        | 'already-refunded'
        /** The balance, with the money in the payer's wallets, is smaller than the credit. */
        | 'spent'
        /** The provider is switched off. */
        | 'off'
        /** The operator refunds it in the provider's cabinet, and then calls `noteRefund`. */
        | 'by-hand'
        /** The provider did not answer, or is being asked: the credit stays taken, and resumeRefunds asks again. */
        | 'pending'
    }
  | { readonly ok: false; readonly reason: 'refused'; readonly said: string }

/** Refunds a payment for an operator. A repeated call continues a refund that was begun. @param reason for the user */
export async function refundPayment(
  deps: TopUpDeps,
  providerId: string,
  chargeId: string,
  reason?: string,
): Promise<Refunded> {
  const payment = await findPayment(deps.db, providerId, chargeId)
  if (!payment) return { ok: false, reason: 'unknown' }
  if (payment.refundedAt) return { ok: false, reason: 'already-refunded' }
  const provider = deps.providers.find(({ id }) => id === payment.provider)
  if (!provider) return { ok: false, reason: 'off' }
  if (!provider.refund) return { ok: false, reason: 'by-hand' }
  const progress = await progressOf(deps.db, payment)
  if (progress.attempt > maxAttempts) return { ok: false, reason: 'refused', said: 'refused too often' }
  if (progress.isTaken) {
    if (isBeingAsked(progress, deps.clock.now())) return { ok: false, reason: 'pending' }
    return askProvider(deps, provider, payment, progress)
  }
  const taking = take(payment, progress, reason)
  const posted = await postTaking(deps, payment, { taking, guard: notRefunded(payment), isMade: false })
  if (posted.ok) return askProvider(deps, provider, payment, progress)
  return { ok: false, reason: refusals[posted.reason] }
}

const refusals = { insufficient: 'spent', guarded: 'already-refunded', duplicate: 'pending' } as const

/** How long a provider may be asked: longer than a request takes, its time limit included. */
const askingMs = 2 * 60_000

/**
 * Only the process that has taken the credit asks the provider, by one call at a time: if a second call were refused while the first one
 * succeeds, the second would return a credit that has been refunded.
 */
const isBeingAsked = ({ takenAt }: Progress, now: Date): boolean =>
  takenAt !== undefined && now.getTime() - takenAt.getTime() < askingMs

/**
 * Continues refunds that were begun and not finished, and takes credits that were spent when the payment was refunded elsewhere
 * (the audit reports those until then).
 */
export async function resumeRefunds(deps: TopUpDeps): Promise<void> {
  const open = sql`
    select provider, charge_id from (
      select p.* from ${transfers} t join ${payments} p on p.top_up_id = t.top_up_id
      where t.kind = 'refund' and t.credit = 'provider' and t.key = ${keyOfTaken}
        and (p.refunded_at is null or exists (select from ${transfers} c where c.key = ${keyInSql(correctionKey, sql`t.key`)}))
      union all
      select p.* from ${payments} p
      where p.refunded_at is not null and not exists (select from ${transfers} t where t.key = ${keyOfTaken})
    ) open order by created_at`
  const found = await rows(deps.db, open, z.object({ provider: z.string(), charge_id: z.string() }))
  for (const { provider, charge_id } of found) await resume(deps, provider, charge_id)
}

async function resume(deps: TopUpDeps, providerId: string, chargeId: string): Promise<void> {
  const payment = await findPayment(deps.db, providerId, chargeId)
  if (!payment) return
  const progress = await progressOf(deps.db, payment)
  if (!payment.refundedAt && progress.isTaken) await refundPayment(deps, providerId, chargeId)
  if (!payment.refundedAt || progress.isTaken) return
  const told = insertGuardedNotice(
    noticeOf(payment, takenNoticeKey(payment.provider, chargeId)),
    deps.clock.now(),
  )
  const posted = await postTaking(deps, payment, {
    taking: take(payment, progress),
    also: [told],
    isMade: true,
  })
  if (posted.ok) deps.wakeNotices()
}

async function askProvider(
  deps: TopUpDeps,
  provider: Provider,
  payment: Payment,
  progress: Progress,
): Promise<Refunded> {
  const { chargeId, topUpId, userId, credit } = payment
  const facts = { provider: provider.id, chargeId, attempt: progress.attempt }
  const [payer] = await deps.db.select().from(users).where(eq(users.id, userId))
  const charge = { currency: payment.currency, amount: payment.charge }
  const order = {
    chargeId,
    topUpId,
    charge,
    telegramId: payer?.telegramId ?? null,
    attempt: progress.attempt,
  }
  const outcome = (await provider.refund?.(order)) ?? { is: 'unavailable', said: 'not possible' }
  if (outcome.is === 'done') {
    await noteRefund(deps, provider.id, chargeId)
    return { ok: true, credit }
  }
  deps.log.warn({ ...facts, outcome }, 'payment not refunded')
  if (outcome.is === 'unavailable') return { ok: false, reason: 'pending' }
  const key = returnKey(payment, progress.attempt)
  const back = correction(key, userId, credit, builtIn('refund-refused'))
  await post(deps.db, [back], deps.clock.now(), notRefunded(payment))
  return { ok: false, reason: 'refused', said: outcome.said }
}

/** The provider has refunded the payment, on our request or not: takes the credit unless that is done, and tells the user, once. */
export async function noteRefund(
  deps: TopUpDeps,
  providerId: string,
  chargeId: string,
): Promise<'unknown' | 'before' | 'noted' | 'uncovered'> {
  // This comes first: a payment that an operator assigns at the same moment is then found below.
  await dropUnmatched(deps.db, providerId, chargeId)
  const payment = await findPayment(deps.db, providerId, chargeId)
  if (!payment) return 'unknown'
  if (payment.refundedAt) return 'before'
  const noted = await note(deps, payment)
  if (noted === 'before') return noted
  const facts = {
    provider: providerId,
    chargeId,
    user: String(payment.userId),
    credit: String(payment.credit),
  }
  if (noted === 'uncovered') deps.log.error(facts, 'payment refunded elsewhere after its credit was spent')
  else deps.log.info(facts, 'payment refunded')
  deps.wakeNotices()
  return noted
}

const noticeOf = ({ userId, credit }: Payment, key: string): NewNotice => ({
  key,
  kind: 'refunded',
  userId,
  chatId: null,
  amount: credit,
})

/** Marks the refund and writes the notice in one statement, so that a process that ends in between cannot lose the notice. */
async function note(deps: TopUpDeps, payment: Payment): Promise<'before' | 'noted' | 'uncovered'> {
  const now = deps.clock.now()
  const notice = noticeOf(payment, refundedNoticeKey(payment.provider, payment.chargeId))
  const told = insertGuardedNotice(notice, now)
  const mark = sql`update ${payments} set refunded_at = ${timestamp(now)} where ${same(payment)} returning charge_id`
  const marked = () => changeAndTell(deps, mark, notice)
  const progress = await progressOf(deps.db, payment)
  if (progress.isTaken) return (await marked()) ? 'noted' : 'before'
  const taking = take(payment, progress)
  const posted = await postTaking(deps, payment, { taking, guard: mark, also: [told], isMade: true })
  if (posted.ok) return 'noted'
  if (posted.reason === 'guarded') return 'before'
  // Another process is taking the credit, or it is spent. The refund is marked either way, since the provider has made it.
  if (!(await marked())) return 'before'
  return posted.reason === 'duplicate' ? 'noted' : 'uncovered'
}

const same = ({ provider, chargeId }: Payment): SQL =>
  sql`provider = ${provider} and charge_id = ${chargeId} and refunded_at is null`

/** Finds the payment and locks its row, so that a refund that is noted at the same time is seen. */
const notRefunded = (payment: Payment): SQL =>
  sql`select charge_id from ${payments} where ${same(payment)} for update`

/** The operator's reason for the refund that a notice reports; null for a refund that the provider made by itself. */
export async function refundReason(
  db: Database,
  { key, userId }: Pick<Notice, 'key' | 'userId'>,
): Promise<string | null> {
  const taken = takingOfNotice(key)
  const isAttempt = sql`split_part(${transfers.key}, '#', 1) = ${taken}`
  const [found] = await db
    .select({ note: transfers.note })
    .from(transfers)
    .where(and(eq(transfers.userId, userId), eq(transfers.kind, 'refund'), isAttempt))
    .orderBy(desc(transfers.id))
    .limit(1)
  return found?.note ?? null
}
