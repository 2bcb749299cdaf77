// The audit: whatever breaks an invariant of money; and our account of what was ordered against the gateway's own.

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'
import type { Kopecks } from '../money.ts'
import { invariants } from './invariants.ts'

interface Finding {
  readonly invariant: string
  readonly subject: string
  readonly fact: string
}

const row = z.object({ subject: z.string(), fact: z.string() })

/** Everything that is wrong with the money; empty is the only good answer. It locks nothing. */
export async function audit(db: Database): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { name, broken } of invariants) {
    const found = await rows(db, sql.raw(broken), row)
    findings.push(...found.map((one) => ({ invariant: name, ...one })))
  }
  return findings
}

interface GatewayComparison {
  /** What the results that users paid for cost us by our price list, partial ones by what arrived. */
  readonly ours: Kopecks
  readonly charged: Kopecks
  /** Charged above ours. */
  readonly difference: Kopecks
  /** Generations that have not ended: the gateway may have charged them already. */
  readonly live: number
  /** Answers of text models, which the gateway charges by use: they are in its account and not in ours. */
  readonly answers: number
}

/**
 * Equal when nothing is live and nothing was charged that users did not pay for: a result that came too late or was lost, a
 * text answer, a rate of `CATALOG_FILE` that is not the gateway's. Both sides round each generation up to a kopeck.
 * @param charged what the gateway says that it took since the first generation here
 */
export async function compareWithGateway(db: Database, charged: Kopecks): Promise<GatewayComparison> {
  const cost = `ceil((q.parts -> 'rate' ->> 'roubles')::numeric * 100 * (q.parts ->> 'quantity')::numeric
    * least(a.results, (q.parts ->> 'count')::numeric) / (q.parts -> 'rate' ->> 'per')::numeric)`
  const query = `
    select (select count(*) from generations where settled_at is null) as live,
      (select count(*) from turns) as answers,
      (select coalesce(sum(${cost}), 0)::bigint
        from generations g join quotes q on q.id = g.quote_id,
          lateral (select count(*) from artifacts where generation_id = g.id) a (results)
        where g.state = 'succeeded') as ours`
  const counts = z.object({ live: z.coerce.number(), answers: z.coerce.number(), ours: z.coerce.bigint() })
  const [found] = await rows(db, sql.raw(query), counts)
  if (!found) throw new Error('a query of sums returns a row')
  return { ...found, charged, difference: charged - found.ours }
}
