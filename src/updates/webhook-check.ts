// Whether updates arrive by the webhook: the trouble is that Telegram keeps updates and reports errors, or sends none, for minutes. The
// processes that send alarms ask Telegram, since those that take updates may be down. The time since when is a row of the table of leases.

import { sql } from 'drizzle-orm'
import type { Api } from 'grammy'
import { z } from 'zod'
import { type Database, oneRow } from '../db/client.ts'
import { leaderLeases, updates } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import type { UpdateMetrics } from '../metrics.ts'
import { minuteMs } from '../runtime/durations.ts'

interface Deps {
  readonly api: Api
  readonly metrics: { readonly updates: UpdateMetrics }
}

interface WebhookTrouble {
  readonly kind: 'webhook'
  readonly fact: string
}

/** A restart of all processes takes less. Telegram tries a failed update again at least every two minutes. */
const toleratedMs = 3 * minuteMs
/** The time after which an interrupted trouble is another one. */
const oneTroubleMs = 10 * minuteMs
const addresses = /\S+:\/\/\S+/g

export const createWebhookCheck =
  ({ api, metrics }: Deps) =>
  async (db: Database, now: Date): Promise<WebhookTrouble[]> => {
    const info = await api.getWebhookInfo()
    const { pending_update_count: pending, last_error_date: errorAt = 0, last_error_message: said } = info
    metrics.updates.webhook(pending, errorAt)
    const isFailing = now.getTime() - errorAt * 1000 < toleratedMs
    if (pending === 0 || (!isFailing && (await hasArrived(db, now)))) return []
    const since = await troubledSince(db, now)
    if (now.getTime() - since.getTime() < toleratedMs) return []
    return [
      {
        kind: 'webhook',
        fact: [`${pending}`, ...(isFailing && said ? [said.replaceAll(addresses, '***')] : [])].join(': '),
      },
    ]
  }

/** Both parts use a partial index. */
async function hasArrived(db: Database, now: Date): Promise<boolean> {
  const lately = timestamp(now, -toleratedMs)
  const query = sql`
    select exists (select from ${updates} where done_at > ${lately} and received_at > ${lately})
      or exists (select from ${updates} where done_at is null and received_at > ${lately}) as arrived`
  return (await oneRow(db, query, z.object({ arrived: z.boolean() }))).arrived
}

async function troubledSince(db: Database, now: Date): Promise<Date> {
  const query = sql`
    insert into ${leaderLeases} as known (name, holder, until)
    values ('webhook trouble', ${now.toISOString()}, ${timestamp(now, oneTroubleMs)})
    on conflict (name) do update set until = excluded.until,
      holder = case when known.until > ${timestamp(now)} then known.holder else excluded.holder end
    returning holder as since`
  return (await oneRow(db, query, z.object({ since: z.coerce.date() }))).since
}
