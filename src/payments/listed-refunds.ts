// Finds refunds that were made in the cabinet of a provider and that no notification has reported: compares the provider's list of
// refunds with our payments. As after a notification, only what the provider says about the payment itself counts.

import { and, eq, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import { rows } from '../db/client.ts'
import { payments, unmatchedPayments } from '../db/schema.ts'
import { isAnyOf } from '../db/sql.ts'
import { dayMs } from '../runtime/durations.ts'
import type { LinkWay, ListedRefund } from './provider.ts'
import { noteReturned } from './returned.ts'
import type { TopUpDeps } from './top-ups.ts'

interface Source {
  /** The id of the provider. */
  readonly provider: string
  readonly way: LinkWay
  /** The refunds that need no further look: that of a part leaves its payment unrefunded, and is logged once. Refunds are added to it. */
  readonly seen: Set<string>
}

/** Covers outages, clocks that differ, and refunds that the provider carries out days after they were begun. */
const listedForMs = 7 * dayMs
/** More than a shop refunds in that time; it ends the reading of a list that does not end. */
const mostPages = 100

/** Reads the list of the last days page by page, newest first, and records its refunds. After a failure it is read again an hour later. */
export async function noteListedRefunds(deps: TopUpDeps, source: Source): Promise<void> {
  const { provider, way } = source
  const since = new Date(deps.clock.now().getTime() - listedForMs)
  let cursor: string | undefined
  for (let pages = 0; pages < mostPages; pages += 1) {
    const page = await way.listRefunds(since, cursor)
    if (page.is !== 'page') return deps.log.error({ provider, page }, 'refunds cannot be listed')
    await notePage(deps, source, page.refunds)
    if (page.next === undefined) return
    cursor = page.next
  }
  deps.log.error({ provider, pages: mostPages }, 'the list of refunds does not end')
}

async function notePage(deps: TopUpDeps, source: Source, listed: readonly ListedRefund[]): Promise<void> {
  const refunds = listed.filter(({ id }) => !source.seen.has(id))
  const known = await knownPayments(
    deps,
    source.provider,
    refunds.map(({ chargeId }) => chargeId),
  )
  for (const { id, chargeId } of refunds) {
    const topUpId = known.get(chargeId)
    if (topUpId !== undefined && (await noteListedRefund(deps, source, { chargeId, topUpId })))
      source.seen.add(id)
  }
}

/** @returns false when the payment cannot be read, or does not show the refund yet */
async function noteListedRefund(
  deps: TopUpDeps,
  { provider, way }: Source,
  payment: { readonly chargeId: string; readonly topUpId: string },
): Promise<boolean> {
  const state = await way.read(payment.chargeId)
  if (state.is !== 'paid') {
    deps.log.warn({ ...payment, state }, 'refunded payment cannot be read')
    return false
  }
  const { charge, refunded } = state
  await noteReturned(deps, { ...payment, provider, charge: charge.amount, refunded })
  return refunded > 0n
}

/** The payments that are not refunded, credited or not assigned yet: the top-up that each of them names, by its charge. */
async function knownPayments(
  { db }: TopUpDeps,
  provider: string,
  charges: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const credited = and(eq(payments.provider, provider), isAnyOf(payments.chargeId, charges))
  const unmatched = and(
    eq(unmatchedPayments.provider, provider),
    isAnyOf(unmatchedPayments.chargeId, charges),
  )
  const asked = sql`
    select charge_id as "chargeId", top_up_id as "topUpId" from ${payments} where ${credited} and ${isNull(payments.refundedAt)}
    union all
    select charge_id, named from ${unmatchedPayments} where ${unmatched} and ${isNull(unmatchedPayments.topUpId)}`
  const found = await rows(db, asked, z.object({ chargeId: z.string(), topUpId: z.string() }))
  return new Map(found.map(({ chargeId, topUpId }) => [chargeId, topUpId]))
}
