// The receipts of a self-employed operator as a queue. The row of a payment says for how much a receipt must exist: it is written by the
// statement that credits the payment, and lowered before a refund takes the credit. The work on it makes the tax service agree: it looks up
// the receipts with the number of the row, cancels those of another sum, and registers what is missing. So a registration without an
// answer is never repeated blindly: the row waits while the outcome may change, and then looks again.

import { and, eq, gt, isNotNull, lte, type SQL, sql } from 'drizzle-orm'
import type { Database, DbDeps } from '../../db/client.ts'
import { throughOutages } from '../../db/outage.ts'
import { claimed, isClaimable, isHeld, leasesOf, released } from '../../db/queue.ts'
import { taxReceipts } from '../../db/schema.ts'
import { timestamp } from '../../db/sql.ts'
import { isGuarded } from '../../ledger/ledger.ts'
import { hourMs, minuteMs } from '../../runtime/clock.ts'
import type { Ids } from '../../runtime/ids.ts'
import type { Log } from '../../runtime/log.ts'
import type { Loop } from '../../runtime/loop.ts'
import { assertLease, createQueueWorker } from '../../runtime/queue-worker.ts'
import { changeAndTell } from '../notices.ts'
import type { Payment } from '../payment.ts'
import type { Failure } from '../provider.ts'
import type { TaxService } from './my-tax.ts'

type TaxReceipt = typeof taxReceipts.$inferSelect

export interface Seller {
  readonly inn: string
  /** The providers whose payments in roubles get a receipt. */
  readonly providers: readonly string[]
}

type Sold = Pick<Payment, 'provider' | 'chargeId' | 'topUpId' | 'userId' | 'charge' | 'currency'>

/**
 * Further statements of the one that credits a payment (see `post`). The number is the id of the top-up, which a restored backup still knows;
 * that of a second payment of the same top-up has the id of its charge as well.
 */
export function insertTaxReceipt(seller: Seller | undefined, sold: Sold, now: Date): readonly SQL[] {
  const { provider, chargeId, topUpId, userId, charge, currency } = sold
  if (!seller?.providers.includes(provider) || currency !== 'RUB') return []
  const at = timestamp(now)
  const number = sql`case when exists (select from ${taxReceipts} where id = ${topUpId})
    then ${`${topUpId}-${chargeId}`}::text else ${topUpId}::text end`
  return [
    sql`insert into ${taxReceipts} (id, provider, charge_id, user_id, inn, amount, due_at, created_at)
      select ${number}, ${provider}, ${chargeId}, ${userId}::bigint, ${seller.inn}, ${charge}::bigint, ${at}, ${at}
      where ${isGuarded}`,
  ]
}

const ofPayment = ({ provider, chargeId }: Pick<Payment, 'provider' | 'chargeId'>) =>
  and(eq(taxReceipts.provider, provider), eq(taxReceipts.chargeId, chargeId))

/** @param refunded how much of the charge was given back in all; a repeated or late report changes nothing */
export async function lowerTaxReceipt(
  { db, clock }: DbDeps,
  payment: Payment,
  refunded: bigint,
): Promise<void> {
  const amount = payment.charge - refunded
  const isMore = and(ofPayment(payment), gt(taxReceipts.amount, amount))
  await db.update(taxReceipts).set({ amount, dueAt: clock.now() }).where(isMore)
}

export async function taxReceiptOf(db: Database, payment: Payment): Promise<TaxReceipt | undefined> {
  const [found] = await db.select().from(taxReceipts).where(ofPayment(payment))
  return found
}

interface ReceiptDeps extends DbDeps {
  readonly ids: Ids
  readonly log: Log
  readonly service: TaxService
  readonly inn: string
  readonly item: string
}

/** One row at a time: the tax service is asked as slowly as a person would. Rows of another taxpayer are left alone. */
export function createTaxReceiptWorker(deps: ReceiptDeps): Loop {
  const { db, inn } = deps
  const { dueAt } = taxReceipts
  return createQueueWorker<TaxReceipt>(
    deps,
    {
      ...leasesOf<TaxReceipt>(db, taxReceipts, isNotNull(dueAt)),
      claim(claim) {
        const due = and(lte(dueAt, claim.now), eq(taxReceipts.inn, inn))
        const which = isClaimable(taxReceipts, { due, order: dueAt }, claim)
        return db.update(taxReceipts).set(claimed(taxReceipts, claim)).where(which).returning()
      },
      work: (row) => settle(deps, row),
    },
    { slots: 1, failed: 'receipts cannot be registered' },
  )
}

/** A registration is carried out, also without an answer, and appears in the list within this time. */
const outcomeWithinMs = 10 * minuteMs

async function settle(deps: ReceiptDeps, row: TaxReceipt): Promise<void> {
  const { service, clock, log } = deps
  const decidedAt = new Date((row.sentAt?.getTime() ?? 0) + outcomeWithinMs)
  if (decidedAt > clock.now()) return release(deps, row, { dueAt: decidedAt })
  const found = await service.find(row.id, row.createdAt)
  if (found.is !== 'answer') return putOff(deps, row, found)
  const right = found.value.find(({ amount }) => amount === row.amount)
  for (const { receiptId } of found.value.filter((one) => one !== right)) {
    const canceled = await service.cancel(receiptId, right ? 'mistake' : 'refund')
    if (canceled.is !== 'answer') return putOff(deps, row, canceled)
    log.info({ receipt: row.id, receiptId }, 'receipt canceled')
  }
  return right || row.amount === 0n ? finish(deps, row, right?.receiptId) : register(deps, row)
}

async function register(deps: ReceiptDeps, row: TaxReceipt): Promise<void> {
  const sentAt = deps.clock.now()
  const [sent] = await deps.db.update(taxReceipts).set({ sentAt }).where(isUnchanged(row)).returning()
  if (!sent) return release(deps, row, {})
  assertLease()
  const sale = { number: row.id, item: deps.item, amount: row.amount, at: row.createdAt }
  const made = await deps.service.register(sale)
  if (made.is === 'answer') return finish(deps, row, made.value)
  await putOff(deps, { ...row, sentAt: made.is === 'refused' ? null : sentAt }, made)
}

/** A condition: this process holds the row, and nothing was refunded since it was claimed. */
const isUnchanged = (row: TaxReceipt) => and(isHeld(taxReceipts, row), eq(taxReceipts.amount, row.amount))

/** The tax service has what it must have: the payer gets the link, once for each receipt. */
async function finish(deps: ReceiptDeps, row: TaxReceipt, receiptId: string | undefined): Promise<void> {
  const { id, userId, amount } = row
  const url = receiptId === undefined ? row.url : deps.service.pageOf(receiptId)
  const done = sql`
    update ${taxReceipts} set url = ${url}, due_at = null, failing_since = null, said = null,
      lease = null, lease_until = null, claims = 0
    where ${isUnchanged(row)} returning id`
  const notice = { kind: 'tax-receipt', event: url ?? '', userId, amount } as const
  if (amount === 0n) await throughOutages(deps, async () => deps.db.execute(done))
  else if (!(await throughOutages(deps, () => changeAndTell(deps, done, notice))))
    return release(deps, row, {})
  deps.log.info({ receipt: id, amount: `${amount}` }, 'receipt settled')
}

/** Tries again after as long as it has failed already, at least a minute and at most an hour. */
async function putOff(deps: ReceiptDeps, row: TaxReceipt, { is, said }: Failure): Promise<void> {
  const now = deps.clock.now()
  const { id, sentAt, failingSince } = row
  deps.log.warn({ receipt: id, is, said }, 'receipt not settled')
  const failedForMs = now.getTime() - (failingSince ?? now).getTime()
  const dueAt = new Date(now.getTime() + Math.min(Math.max(failedForMs, minuteMs), hourMs))
  const failed = { failingSince: failingSince ?? now, said, sentAt, dueAt }
  await throughOutages(deps, () => release(deps, row, failed))
}

async function release({ db }: ReceiptDeps, row: TaxReceipt, change: Partial<TaxReceipt>): Promise<void> {
  await db
    .update(taxReceipts)
    .set({ ...change, ...released })
    .where(isHeld(taxReceipts, row))
}
