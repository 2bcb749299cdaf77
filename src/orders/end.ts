// The end of a hold. One statement changes the state under a condition, captures the price of what arrived and releases the rest, so an order
// is settled once.

import assert from 'node:assert/strict'
import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { columnsOf, readRows } from '../db/row-reader.ts'
import { accounts, artifacts, generations, transfers, walletMembers } from '../db/schema.ts'
import { bigint, jsonb, timestamp } from '../db/sql.ts'
import { transferHash } from '../ledger/checksum.ts'
import type { Kopecks } from '../money.ts'
import type { Artifact, Generation, Reason } from './generation.ts'

export interface Ending {
  readonly state: 'succeeded' | 'failed' | 'canceled'
  readonly captured: Kopecks
  readonly reason: Reason | null
  readonly said: string | null
  /** The results, which are written only if the state changes. */
  readonly artifacts: readonly Artifact[]
}

/**
 * Ends an order whose money is held. Its delivery is due at once.
 * @param isOurs the condition under which it may end; one that other processes may also fulfil ends it once
 * @returns undefined when the condition is not true
 */
export async function endOrder(
  db: Database,
  { id, amount }: Generation,
  { state, captured, reason, said, artifacts: arrived }: Ending,
  isOurs: SQL,
  now: Date,
): Promise<Generation | undefined> {
  assert(captured >= 0n && captured <= amount, 'a capture is at most its hold')
  const at = timestamp(now)
  const files = arrived.map(({ position, url, seed }) => ({ position, url, seed }))
  const statement = sql`with ended as (
      update ${generations} set state = ${state}, captured = ${bigint(captured)}, reason = ${reason}::text, said = ${said}::text,
        settled_at = ${at}, delivery = 'pending', attempts = 0, next_check_at = ${at}, lease = null,
        lease_until = null, claims = 0
      where id = ${id} and ${isOurs}
      returning *
    ), arrived as (
      insert into ${artifacts} (generation_id, position, url, seed)
      select id, position, url, file.seed from ended, jsonb_to_recordset(${jsonb(files)}) as file (position integer, url text, seed bigint)
      on conflict (generation_id, position) do update set url = excluded.url, seed = excluded.seed
    ), moved (kind, account, amount) as (
      values ('capture', 'revenue', ${bigint(captured)}), ('release', 'payer', ${bigint(amount - captured)})
    ), posted as (
      insert into ${transfers} (key, kind, user_id, debit, credit, amount, generation_id, wallet_id, created_at)
      select kind || ':' || id, kind, user_id, case when wallet_id is null then 'held' else 'group-held' end,
        case when account = 'revenue' then account when wallet_id is null then 'available' else 'group' end,
        moved.amount, id, wallet_id, ${at}
      from ended, moved where moved.amount > 0
      returning ${sql.raw(transferHash)} as hash
    ), freed as (
      select user_id, wallet_id, spent_on as day, amount as price, amount - captured as released,
        case when wallet_id is null then amount else 0 end as own_price, case when wallet_id is null then amount - captured else 0 end as own_released
      from ended
    ), counted as (
      update ${accounts} a set available = a.available + own_released, held = a.held - own_price, owed = greatest(0, a.owed - own_released),
        checksum = a.checksum # (select bit_xor(hash) from posted), open_orders = a.open_orders - 1,
        spent_today = a.spent_today - case when a.spent_on = day then released else 0 end
      from freed where a.kind = 'user' and a.owner_id = freed.user_id
      returning a.id
    ), returned as (
      update ${accounts} w set available = w.available + released, held = w.held - price from freed, counted where w.id = freed.wallet_id
      returning w.id
    ), member as (
      update ${walletMembers} m set spent = m.spent - released from freed, returned
      where m.account_id = returned.id and m.user_id = freed.user_id and m.spent_on = day
    )
    select ${columnsOf(generations, 'ended')} from ended`
  const [ended] = await readRows(db, generations, statement)
  return ended
}
