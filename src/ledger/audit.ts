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

interface GatewayComparison {
  /** What the results that users paid for cost by our price list; a partial result counts only the files that arrived. */
  readonly ours: Kopecks
  /** The same cost of results that arrived after the refund of their orders and were delivered free. */
  readonly free: Kopecks
  readonly charged: Kopecks
  /** `charged` less `ours` and `free`. */
  readonly difference: Kopecks
  /** Generations that have not ended, which the gateway may have charged already. */
  readonly live: number
  /** Answers of text models: the gateway charges them by use, so they are in its account and not in `ours`. */
  readonly answers: number
}

/**
 * Compares our cost with the gateway's charges. They differ while generations are live, and when the gateway charged something that was
 * not delivered: a task that was lost or completed too late. They also differ by text answers, and by rates in `CATALOG_FILE` that are not
 * the gateway's. Both sides round each generation up to a kopeck.
 * @param charged the gateway's charges since the first generation of this installation
 */
export async function compareWithGateway(db: Database, charged: Kopecks): Promise<GatewayComparison> {
  const cost = `ceil((q.parts -> 'rate' ->> 'roubles')::numeric * 100 * (q.parts ->> 'quantity')::numeric
    * least(a.results, (q.parts ->> 'count')::numeric) / (q.parts -> 'rate' ->> 'per')::numeric)`
  const query = `
    with made as (
      select g.state, g.arrived_late_at, ${cost} as cost
      from generations g join quotes q on q.id = g.quote_id,
        lateral (select count(*) from artifacts where generation_id = g.id) a (results)
      where g.state = 'succeeded' or g.arrived_late_at is not null
    )
    select (select count(*) from generations where settled_at is null) as live,
      (select count(*) from turns) as answers,
      (select coalesce(sum(cost), 0)::bigint
        from made where state = 'succeeded') as ours,
      (select coalesce(sum(cost), 0)::bigint from made where arrived_late_at is not null) as free`
  const counts = z.object({
    live: z.coerce.number(),
    answers: z.coerce.number(),
    ours: z.coerce.bigint(),
    free: z.coerce.bigint(),
  })
  const found = await oneRow(db, sql.raw(query), counts)
  return { ...found, charged, difference: charged - found.ours - found.free }
}
