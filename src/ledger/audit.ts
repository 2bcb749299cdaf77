// The audit finds all rows that break an invariant of money, and compares our cost of orders with the gateway's account. Values that must
// agree are written by one statement, so each invariant holds at every moment. The sum of all accounts needs no query: it is zero, since
// every transfer has two accounts.

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, oneRow, rows } from '../db/client.ts'
import { isOutage } from '../db/outage.ts'
import type { Kopecks } from '../money.ts'
import { causesOf } from '../runtime/log.ts'
import { accountInvariants } from './invariants/accounts.ts'
import { saleInvariants } from './invariants/sales.ts'

interface Finding {
  readonly invariant: string
  readonly subject: string
  readonly fact: string
}

const brokenRow = z.object({ invariant: z.string().optional(), subject: z.string(), fact: z.string() })

/**
 * Finds all violations of the invariants of money; empty when there are none. The audit locks nothing.
 * @throws an outage of the database
 */
export async function audit(db: Database): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [name, broken] of Object.entries({ ...accountInvariants, ...saleInvariants }))
    findings.push(...(await findingsOf(db, name, broken)))
  return findings
}

/** A check that fails, for instance because of a value that its query cannot read, is a finding and does not stop the others. */
async function findingsOf(db: Database, name: string, broken: string): Promise<Finding[]> {
  try {
    const found = await rows(db, sql.raw(broken), brokenRow)
    return found.map(({ invariant = name, ...facts }) => ({ invariant, ...facts }))
  } catch (error) {
    if (isOutage(error)) throw error
    const why = causesOf(error).at(-1) ?? ''
    return [{ invariant: name, subject: 'this check', fact: `it failed, so nothing is known: ${why}` }]
  }
}

/**
 * Compares our cost with the gateway's charges: `ours` is the cost by our price list of the results that users paid for, `free` that of results
 * that arrived after the refund of their orders. The difference is zero unless generations are live, the gateway charged something that was
 * not delivered, a text model answered, or `CATALOG_FILE` has other rates. Both sides round each generation up to a kopeck.
 * @param charged the gateway's charges since the first generation of this installation
 */
export async function compareWithGateway(db: Database, charged: Kopecks) {
  const query = `
    select coalesce(sum(cost) filter (where state = 'succeeded'), 0)::bigint as ours,
      coalesce(sum(cost) filter (where arrived_late_at is not null), 0)::bigint as free
    from (
      select g.state, g.arrived_late_at, ceil((q.parts -> 'rate' ->> 'roubles')::numeric * 100 * (q.parts ->> 'quantity')::numeric
        * least(a.results, (q.parts ->> 'count')::numeric) / (q.parts -> 'rate' ->> 'per')::numeric) as cost
      from generations g join quotes q on q.id = g.quote_id,
        lateral (select count(*) from artifacts where generation_id = g.id) a (results)
      where g.state = 'succeeded' or g.arrived_late_at is not null
    ) made`
  const sums = z.object({ ours: z.coerce.bigint(), free: z.coerce.bigint() })
  const found = await oneRow(db, sql.raw(query), sums)
  return { ...found, charged, difference: charged - found.ours - found.free }
}
