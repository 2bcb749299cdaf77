// Finds refunds that were made in the cabinet of a provider and that no notification has reported: reads the provider's list of refunds. As
// after a notification, their payments are polled, and only what the provider says about a payment itself counts.

import { and, eq, not, sql } from 'drizzle-orm'
import { payments, topUps } from '../db/schema.ts'
import { isAnyOf, timestamp } from '../db/sql.ts'
import { dayMs } from '../runtime/clock.ts'
import { pollBy } from './links.ts'
import type { LinkWay } from './provider.ts'
import type { TopUpDeps } from './top-ups.ts'

/** Covers outages, clocks that differ, and refunds that the provider carries out days after they were begun. */
const listedForMs = 7 * dayMs
/** More than a shop refunds in that time; it ends the reading of a list that does not end. */
const mostPages = 100

/** Reads the list of the last days page by page, newest first. After a failure it is read again an hour later. */
export async function checkListedRefunds(deps: TopUpDeps, provider: string, way: LinkWay): Promise<void> {
  const since = new Date(deps.clock.now().getTime() - listedForMs)
  let cursor: string | undefined
  for (let pages = 0; pages < mostPages; pages += 1) {
    const page = await way.listRefunds(since, cursor)
    if (page.is !== 'page') return deps.log.error({ provider, page }, 'refunds cannot be listed')
    await checkRefunded(deps, provider, page.chargeIds)
    if (page.next === undefined) return
    cursor = page.next
  }
  deps.log.error({ provider, pages: mostPages }, 'the list of refunds does not end')
}

/** Polls the payments among these whose whole refund is not noted: after that of a part they are polled as long as it is listed. */
function checkRefunded(deps: TopUpDeps, provider: string, chargeIds: readonly string[]): Promise<void> {
  const isNoted = sql`exists (
    select from ${payments} p where p.provider = ${topUps.provider} and p.charge_id = ${topUps.externalId} and p.refunded_at is not null)`
  const which = and(eq(topUps.provider, provider), isAnyOf(topUps.externalId, chargeIds), not(isNoted))
  return pollBy(deps, timestamp(deps.clock.now()), which)
}
