// Background work on payments: unpaid links are polled when they are due; refunds that were begun, the providers' lists of payments and
// refunds, and what follows a credit are processed at the start and every hour. Any number of processes may run it.

import assert from 'node:assert/strict'
import { and, eq, gt, inArray, lte, not, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { payments, topUps, unmatchedPayments, users } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { dayMs, hourMs, minuteMs } from '../runtime/clock.ts'
import { createLoop, type Loop } from '../runtime/loop.ts'
import { queuePollMs } from '../runtime/queue-worker.ts'
import { checkDueLinks, pollBy } from './links.ts'
import { recordUnmatched } from './payment.ts'
import { type LinkWay, type Movement, pageSize } from './provider.ts'
import type { Provider, ProviderId } from './providers.ts'
import { noteRefund, resumeRefunds } from './refunds.ts'
import { creditPayment, type TopUpDeps } from './top-ups.ts'

export function createTopUpWatch(deps: TopUpDeps): readonly Loop[] {
  const { log, providers } = deps
  const comparisons = providers.map((one) => ({ id: one.id, compare: createComparison(deps, one) }))

  /** Logs a failure, so that the other providers are processed nevertheless. */
  async function attempt(run: () => Promise<void>, event: string): Promise<void> {
    await run().catch((error: unknown) => log.error({ error }, event))
  }

  const pass = async () => {
    await attempt(() => resumeRefunds(deps), 'refunds cannot be resumed')
    await attempt(async () => deps.followUp?.catchUp(), 'credits cannot be followed up')
    for (const { id, compare } of comparisons) await attempt(compare, `payments of ${id} cannot be compared`)
    return false
  }

  const hourly = createLoop(deps, { pass, idleMs: hourMs, failed: 'payments cannot be compared' })
  return providers.some(({ way }) => way.by === 'link') ? [hourly, linkLoop(deps)] : [hourly]
}

const linkLoop = (deps: TopUpDeps): Loop =>
  createLoop(deps, {
    pass: () => checkDueLinks(deps).then(() => false),
    idleMs: queuePollMs,
    failed: 'due top-ups cannot be read',
  })

/** A reading of the new entries of a list, after which all payments in them are credited. */
interface Reading {
  readonly endedAt: Date
  readonly charges: ReadonlySet<string>
}

function createComparison(deps: TopUpDeps, provider: Provider): () => Promise<void> {
  const { id, way, history } = provider
  let nextEntry: number | undefined
  let readings: readonly Reading[] = []
  return async () => {
    if (way.by === 'link') await checkListedRefunds(deps, id, way)
    if (!history) return
    const { next, charges } = await reconcile(deps, provider, nextEntry)
    nextEntry = next
    const reading = { endedAt: new Date(deps.clock.now().getTime() + skewMs), charges }
    await reportUnlisted(deps, id, readings, reading)
    readings = [...readings.slice(-1), reading]
  }
}

// A provider's list of payments: payments whose report was lost are credited, and refunds made elsewhere are noted. A report of a refund that
// comes before that of its payment is handled in the same way.

/**
 * Reads the list from an entry on. The list is in chronological order and only grows.
 * @returns the entry to begin with next time, and the charges that were read
 */
export async function reconcile(deps: TopUpDeps, provider: Provider, from = 0) {
  assert(provider.history, 'the provider keeps a list')
  const charges = new Set<string>()
  for (let next = from; ; ) {
    const page = await provider.history(next)
    await comparePage(deps, provider, page.movements)
    for (const { chargeId } of page.movements) charges.add(chargeId)
    next += page.count
    if (page.count < pageSize) return { next, charges }
  }
}

async function comparePage(deps: TopUpDeps, { id }: Provider, movements: readonly Movement[]): Promise<void> {
  const charges = movements.map(({ chargeId }) => chargeId)
  const known = await deps.db
    .select({ chargeId: payments.chargeId, refundedAt: payments.refundedAt })
    .from(payments)
    .where(and(eq(payments.provider, id), inArray(payments.chargeId, charges)))
  const credited = new Set(known.map(({ chargeId }) => chargeId))
  const refunded = new Set(known.filter(({ refundedAt }) => refundedAt).map(({ chargeId }) => chargeId))
  for (const movement of movements) {
    const handled = movement.is === 'paid' ? credited : refunded
    if (!handled.has(movement.chargeId)) await noteMovement(deps, id, movement)
  }
}

/** A refund names all of its payment, which is credited first if it is missing, so that its report, which may come later, is a repetition. */
export async function noteMovement(deps: TopUpDeps, provider: string, movement: Movement): Promise<void> {
  const { is, chargeId, charge } = movement
  await recover(deps, provider, movement)
  if (is === 'refunded') await noteRefund(deps, provider, chargeId, charge.amount)
}

async function recover(deps: TopUpDeps, provider: string, movement: Movement): Promise<void> {
  const { chargeId, topUpId, telegramId, charge } = movement
  const payer = await payerOf(deps.db, movement)
  const paid = { provider, topUpId, currency: charge.currency, charge: charge.amount }
  const credited = payer
    ? await creditPayment(deps, { ...paid, userId: payer.id }, chargeId)
    : await recordUnmatched(
        deps,
        { ...paid, userId: null },
        chargeId,
        `unknown payer: Telegram ${telegramId}`,
      )
  if (credited.ok) deps.log.warn({ topUp: topUpId, chargeId }, 'unreported payment found and credited')
}

/** A refund that is reported in an update names the payer only by the top-up: it may be reported in any chat. */
async function payerOf(db: Database, { is, topUpId, telegramId }: Movement) {
  const owner = db.select({ id: topUps.userId }).from(topUps).where(eq(topUps.id, topUpId))
  const payer = db.select({ id: users.id }).from(users).where(eq(users.telegramId, telegramId))
  return (is === 'refunded' ? (await owner)[0] : undefined) ?? (await payer)[0]
}

// Credited payments that are missing in the provider's own list: their reports must have been forged. They are logged, and an operator
// decides.

/** The clocks of two processes differ by less. */
const skewMs = minuteMs

async function reportUnlisted(
  deps: TopUpDeps,
  provider: ProviderId,
  [before, last]: readonly Reading[],
  { charges }: Reading,
): Promise<void> {
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

/** The payments that were credited after `since`, without those that an operator assigned, which may be much older. */
function creditedBetween(db: Database, provider: ProviderId, since: Date, until: Date) {
  const isAssigned = sql`exists (select from ${unmatchedPayments} u
    where u.provider = ${payments.provider} and u.charge_id = ${payments.chargeId})`
  const isThen = and(gt(payments.createdAt, since), lte(payments.createdAt, until))
  return db
    .select()
    .from(payments)
    .where(and(eq(payments.provider, provider), isThen, not(isAssigned)))
}

// Refunds that were made in the cabinet of a provider and that no notification has reported. As after a notification, their payments are
// polled, and only what the provider says about a payment itself counts.

/** Covers outages, clocks that differ, and refunds that the provider carries out days after they were begun. */
const listedForMs = 7 * dayMs
/** More than a shop refunds in that time; it ends the reading of a list that does not end. */
const mostPages = 100

/** Reads the list of the last days page by page, newest first. After a failure it is read again an hour later. */
export async function checkListedRefunds(
  deps: TopUpDeps,
  provider: string,
  { listRefunds }: Pick<LinkWay, 'listRefunds'>,
): Promise<void> {
  if (!listRefunds) return
  const since = new Date(deps.clock.now().getTime() - listedForMs)
  let cursor: string | undefined
  for (let pages = 0; pages < mostPages; pages += 1) {
    const page = await listRefunds(since, cursor)
    if (page.is !== 'page') return deps.log.error({ provider, page }, 'refunds cannot be listed')
    await checkRefunded(deps, page.chargeIds)
    if (page.next === undefined) return
    cursor = page.next
  }
  deps.log.error({ provider, pages: mostPages }, 'the list of refunds does not end')
}

/** Polls the payments among these whose whole refund is not noted: after that of a part they are polled as long as it is listed. */
function checkRefunded(deps: TopUpDeps, chargeIds: readonly string[]): Promise<void> {
  const isNoted = sql`exists (
    select from ${payments} p where p.provider = ${topUps.provider} and p.charge_id = ${topUps.externalId} and p.refunded_at is not null)`
  const which = and(inArray(topUps.externalId, [...chargeIds]), not(isNoted))
  return pollBy(deps, timestamp(deps.clock.now()), which)
}
