// The invariants of money as queries: each returns the rows that break it, so a clean audit returns nothing.

import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows } from '../db/client.ts'

interface Invariant {
  readonly name: string
  readonly broken: string
}

const sumOf = (account: string) =>
  `sum(case '${account}' when t.credit then t.amount when t.debit then -t.amount else 0 end)`

export const invariants: readonly Invariant[] = [
  {
    name: 'a balance is the sum of its transfers',
    broken: `
      select b.user_id::text as subject,
        format('available %s, transfers %s; held %s, transfers %s', b.available, coalesce(s.available, 0), b.held, coalesce(s.held, 0)) as fact
      from balances b left join (
        select t.user_id, ${sumOf('available')} as available, ${sumOf('held')} as held from transfers t group by t.user_id
      ) s on s.user_id = b.user_id
      where b.available <> coalesce(s.available, 0) or b.held <> coalesce(s.held, 0)`,
  },
  {
    name: 'every open hold belongs to a live generation, and every live generation has its hold',
    broken: `
      select g.id as subject, format('state %s, amount %s, still held %s', g.state, g.amount, coalesce(h.held, 0)) as fact
      from generations g left join (
        select t.generation_id, ${sumOf('held')} as held from transfers t group by t.generation_id
      ) h on h.generation_id = g.id
      where coalesce(h.held, 0) <> case when g.state in ('succeeded', 'failed', 'canceled') then 0 else g.amount end`,
  },
  {
    name: 'what was captured is what the generation says, and only a success is charged',
    broken: `
      select g.id as subject, format('state %s, captured %s, transfers %s', g.state, g.captured, coalesce(c.revenue, 0)) as fact
      from generations g left join (
        select t.generation_id, ${sumOf('revenue')} as revenue from transfers t group by t.generation_id
      ) c on c.generation_id = g.id
      where coalesce(c.revenue, 0) <> coalesce(g.captured, 0)
        or coalesce(g.captured, 0) > g.amount
        or (coalesce(g.captured, 0) > 0) <> (g.state = 'succeeded')`,
  },
  {
    name: 'what is held is the quote',
    broken: `
      select g.id as subject, format('amount %s, quote %s', g.amount, q.amount) as fact
      from generations g join quotes q on q.id = g.quote_id where g.amount <> q.amount`,
  },
  {
    name: 'each payment is credited once, and nothing else is deposited',
    broken: `
      select coalesce(p.provider || ':' || p.charge_id, t.key) as subject,
        format('payment %s, deposit %s', p.credit, t.amount) as fact
      from payments p full join (select * from transfers where kind = 'deposit') t
        on t.key = 'deposit:' || p.provider || ':' || p.charge_id
      where p.credit is distinct from t.amount or p.user_id is distinct from t.user_id`,
  },
]

export interface Finding {
  readonly invariant: string
  readonly subject: string
  readonly fact: string
}

const row = z.object({ subject: z.string(), fact: z.string() })

/** Everything that is wrong with the money; empty is the only good answer. */
export async function audit(db: Database): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { name, broken } of invariants) {
    const found = await rows(db, sql.raw(broken), row)
    findings.push(...found.map((one) => ({ invariant: name, ...one })))
  }
  return findings
}
