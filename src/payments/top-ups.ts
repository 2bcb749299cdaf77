// Top-ups: opened with a fixed credit and charge, checked before the checkout, credited once for each charge id of the provider.

import { and, desc, eq, isNotNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import { throughOutages } from '../db/outage.ts'
import { accounts, messageNotes, payments, topUps, users } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { chargeName } from '../ledger/keys.ts'
import { isAccountOf, isGuarded, post } from '../ledger/ledger.ts'
import { deposit } from '../ledger/moves.ts'
import type { Kopecks } from '../money.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Ids } from '../runtime/ids.ts'
import type { Log } from '../runtime/log.ts'
import type { NoteKind } from '../telegram/message-notes.ts'
import { type BonusStep, stepBonus } from './bonus-steps.ts'
import { hastenNotice, insertGuardedNotice, type NewNotice, type Notice } from './notices.ts'
import { findPayment, type Paid, type Payment, recordUnmatched } from './payment.ts'
import { isWithin, limitsBy, type Provider, providerOfInvoicesIn, type TopUpLimits } from './providers.ts'
import { insertTaxReceipt, type Seller } from './self-employed/receipts.ts'

export type TopUp = typeof topUps.$inferSelect

export interface TopUpDeps {
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly random: () => number
  readonly log: Log
  readonly providers: readonly Provider[]
  readonly limits: TopUpLimits
  /** What larger top-ups bring beside their credit. */
  readonly bonusSteps?: readonly BonusStep[]
  /** Base of the intervals at which links are polled. */
  readonly pollIntervalMs: number
  /** Called after a notice was written, to have it sent soon. */
  readonly wakeNotices: () => void
  readonly followUp?: FollowUp
  /** A self-employed operator, whose sales get receipts. */
  readonly seller?: Seller | undefined
}

/** What follows the credit or the refund of a payment. */
export interface FollowUp {
  /** Called after a credit, and again when the report of the payment is repeated, so it must be idempotent. */
  onCredited(payment: Charged): Promise<void>
  onRefunded(payment: Charged): Promise<void>
  /** Called every hour: does what is missing after the last day, for instance because the process ended. */
  catchUp(): Promise<void>
}

type Charged = Pick<Payment, 'provider' | 'chargeId' | 'topUpId' | 'userId'>

export type Opened =
  | { readonly ok: true; readonly topUp: TopUp; readonly provider: Provider }
  | { readonly ok: false; readonly reason: 'off' }
  | { readonly ok: false; readonly reason: 'too-many-links'; readonly most: number }
  | { readonly ok: false; readonly reason: 'out-of-range'; readonly min: Kopecks; readonly max: Kopecks }

/** The most unpaid links of a user. Each is polled until it ends. */
const mostLinks = 10

export async function openTopUp(
  deps: TopUpDeps,
  userId: bigint,
  credit: Kopecks,
  providerId: string,
): Promise<Opened> {
  const provider = deps.providers.find((one) => one.id === providerId)
  if (!provider) return { ok: false, reason: 'off' }
  const limits = limitsBy(deps, provider)
  if (!isWithin(limits, credit)) return { ok: false, reason: 'out-of-range', ...limits }
  if (provider.way.by === 'link' && (await openLinks(deps.db, userId)) >= mostLinks)
    return { ok: false, reason: 'too-many-links', most: mostLinks }
  const { currency, amount } = provider.charge(credit)
  const [topUp] = await deps.db
    .insert(topUps)
    .values({
      id: deps.ids.next(),
      userId,
      provider: provider.id,
      credit,
      bonus: stepBonus(deps.bonusSteps, credit),
      charge: amount,
      currency,
      createdAt: deps.clock.now(),
    })
    .returning()
  if (!topUp) throw new Error('an insert returns its row')
  return { ok: true, topUp, provider }
}

const openLinks = (db: Database, userId: bigint): Promise<number> =>
  db.$count(topUps, and(eq(topUps.userId, userId), eq(topUps.state, 'open'), isNotNull(topUps.nextCheckAt)))

/** The payments under way on a page of a provider, newest first. */
export const pendingLinks = (db: Database, userId: bigint): Promise<TopUp[]> =>
  db
    .select()
    .from(topUps)
    .where(and(eq(topUps.userId, userId), isNotNull(topUps.nextCheckAt)))
    .orderBy(desc(topUps.createdAt))

type Checked =
  | { readonly ok: true; readonly topUp: TopUp }
  | {
      readonly ok: false
      readonly reason: 'unknown' | 'foreign' | 'wrong-amount' | 'already-paid' | 'off' | 'outdated'
    }

/** Checks before the checkout whether this user may pay this top-up now. A payment that was made is credited without these checks. */
export async function checkPayment(deps: TopUpDeps, paid: Omit<Paid, 'provider'>): Promise<Checked> {
  const matched = await match(deps, paid)
  if (!matched.ok) return matched
  const { topUp } = matched
  const provider = deps.providers.find((one) => one.id === topUp.provider)
  if (!provider) return { ok: false, reason: 'off' }
  const [before] = await deps.db.select().from(payments).where(eq(payments.topUpId, topUp.id)).limit(1)
  if (before) return { ok: false, reason: 'already-paid' }
  return isPresent(deps, topUp, provider) ? matched : { ok: false, reason: 'outdated' }
}

/** Whether the invoice has the price and the bonus of now. An invoice in a chat never expires, and the settings may have changed since. */
const isPresent = (deps: TopUpDeps, { credit, bonus, charge }: TopUp, provider: Provider): boolean =>
  provider.charge(credit).amount === charge && stepBonus(deps.bonusSteps, credit) === bonus

async function match({ db }: TopUpDeps, paid: Omit<Paid, 'provider'>): Promise<Checked> {
  const [topUp] = await db.select().from(topUps).where(eq(topUps.id, paid.topUpId))
  if (!topUp) return { ok: false, reason: 'unknown' }
  if (topUp.userId !== paid.userId) return { ok: false, reason: 'foreign' }
  const same = topUp.currency === paid.currency && topUp.charge === paid.charge
  return same ? { ok: true, topUp } : { ok: false, reason: 'wrong-amount' }
}

type Credited =
  | { readonly ok: true; readonly credit: Kopecks }
  /** This charge was credited before: its report was repeated. */
  | { readonly ok: false; readonly reason: 'duplicate' }
  /** The payment fits no top-up, or the data of its payer was deleted meanwhile: the operator must look into it. */
  | { readonly ok: false; readonly reason: 'unmatched' }

/** What follows a credit takes less. If the process ends in it, the notice is sent after this time. */
const followMs = 5000

/** Credits a payment once, and writes the notice for the user. A payment that fits no top-up is recorded. */
export async function creditPayment(deps: TopUpDeps, paid: Paid, chargeId: string): Promise<Credited> {
  const matched = await match(deps, paid)
  if (!matched.ok) return recordUnmatched(deps, paid, chargeId, matched.reason)
  const { topUp } = matched
  const { provider, userId, credit, id: topUpId } = topUp
  const move = deposit({ provider, chargeId, userId, credit, topUpId })
  const now = deps.clock.now()
  const notice = noticeOf('credited', topUp, chargeId)
  const written = insertGuardedNotice(notice, now, followMs)
  const posted = await post(deps.db, move, now, recordPayment(topUp, chargeId, now), [
    written,
    markPaid(topUp),
    ...insertTaxReceipt(deps.seller, { ...topUp, topUpId, chargeId }, now),
  ])
  if (!posted.ok && !(await findPayment(deps.db, provider, chargeId)))
    return recordUnmatched(deps, paid, chargeId, 'payer forgotten')
  await follow(deps, 'onCredited', { provider, chargeId, userId, topUpId })
  if (!posted.ok) return { ok: false, reason: 'duplicate' }
  await throughOutages(deps, () => hastenNotice(deps, notice))
  deps.wakeNotices()
  deps.log.info({ topUp: topUpId, provider, credit: credit.toString() }, 'top-up credited')
  return { ok: true, credit }
}

/** A notice for the payer. @param event id of what happened to the top-up: a charge, or the end of the top-up */
export const noticeOf = (kind: Notice['kind'], topUp: TopUp, event = topUp.id): NewNotice => ({
  kind,
  event: chargeName(topUp.provider, event),
  userId: topUp.userId,
  amount: topUp.credit,
})

/** Runs the follow-up of a committed credit or refund. A failure is only logged, since the money has moved; `catchUp` tries again. */
export async function follow(
  deps: TopUpDeps,
  after: 'onCredited' | 'onRefunded',
  payment: Charged,
): Promise<void> {
  try {
    await throughOutages(deps, async () => deps.followUp?.[after](payment))
  } catch (error) {
    deps.log.error({ topUp: payment.topUpId, error }, 'the follow-up of a payment failed')
  }
}

const markPaid = ({ id }: TopUp) => sql`
  update ${topUps} set state = ${'paid' satisfies TopUp['state']} where id = ${id} and ${isGuarded}`

/**
 * Inserts nothing for a charge that was recorded before, or if the data of the payer was deleted, also while the statement waited. The rows
 * of balance and user are locked in the order of a deletion (privacy/forget.ts), so that the two cannot deadlock.
 */
function recordPayment(topUp: TopUp, chargeId: string, now: Date) {
  const { provider, id, userId, credit, charge, currency } = topUp
  return sql`
    insert into ${payments} (provider, charge_id, top_up_id, user_id, credit, charge, currency, created_at)
    select ${provider}, ${chargeId}, ${id}, payer.id, ${credit}::bigint, ${charge}::bigint, ${currency}, ${timestamp(now)}
    from (select owner_id from ${accounts} where ${isAccountOf(userId)} for no key update) locked
      join ${users} payer on payer.id = locked.owner_id
    where payer.forgotten_at is null
    for share of payer
    on conflict do nothing
    returning charge_id`
}

// Invoices in Telegram: reports of payments and refunds contain only the payload and the currency.

interface Invoice {
  readonly topUpId: string
  readonly currency: string
}

/** The provider of the top-up. Without a matching top-up, the first provider with invoices in this currency. */
export async function providerOfInvoice(db: Database, { topUpId, currency }: Invoice): Promise<string> {
  const [topUp] = await db
    .select({ provider: topUps.provider })
    .from(topUps)
    .where(and(eq(topUps.id, topUpId), eq(topUps.currency, currency)))
  return topUp?.provider ?? providerOfInvoicesIn(currency) ?? 'telegram'
}

// The messages from which users pay: an invoice, or a link to a payment page. They are removed when nothing can be paid from them any more.

const about = z.strictObject({ topUpId: z.string() })

export const payMessage: NoteKind<z.output<typeof about>> = { name: 'pay-message', about }

const place = z.object({ chatId: z.coerce.number(), messageId: z.int() })

/** Takes the notes of the user's pay messages whose top-up is paid or has expired. Each message is returned once. */
export const takeSettledPayMessages = (
  db: Database,
  userId: bigint,
): Promise<readonly z.output<typeof place>[]> =>
  rows(
    db,
    sql`
      delete from ${messageNotes} n using ${topUps} t
      where n.user_id = ${userId}::bigint and n.kind = ${payMessage.name} and t.id = n.about->>'topUpId'
        and t.state <> 'open'
      returning n.chat_id::text as "chatId", n.message_id as "messageId"`,
    place,
  )
