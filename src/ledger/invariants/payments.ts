// The invariants of payments, their credits and their refunds.

import { type Invariant, isApart, roubles } from './invariant.ts'

export const payments: readonly Invariant[] = [
  {
    name: 'each payment is credited once, and nothing else is deposited',
    broken: `
      select coalesce(p.provider || ':' || p.charge_id, t.key) as subject,
        format('payment %s at %s, deposit %s at %s', ${roubles('p.credit')}, p.created_at, ${roubles('t.amount')}, t.created_at) as fact
      from payments p full join (select * from transfers where kind = 'deposit') t
        on t.key = 'deposit:' || p.provider || ':' || p.charge_id
      where p.credit is distinct from t.amount or p.user_id is distinct from t.user_id
        or p.top_up_id is distinct from t.top_up_id or ${isApart('p.created_at', 't.created_at')}`,
  },
  {
    name: 'a payment is what its top-up asked for, and a top-up with a payment is paid',
    broken: `
      select p.provider || ':' || p.charge_id as subject,
        format('paid %s %s for %s of user %s; top-up %s: %s %s for %s of user %s', p.charge, p.currency, ${roubles('p.credit')}, p.user_id,
          t.state, t.charge, t.currency, ${roubles('t.credit')}, t.user_id) as fact
      from payments p join top_ups t on t.id = p.top_up_id
      where t.state <> 'paid'
        or (p.provider, p.user_id, p.credit, p.charge, p.currency) is distinct from (t.provider, t.user_id, t.credit, t.charge, t.currency)`,
  },
  {
    name: 'a paid top-up has a payment',
    broken: `
      select t.id as subject, format('%s of user %s by %s', ${roubles('t.credit')}, t.user_id, t.provider) as fact
      from top_ups t where t.state = 'paid' and not exists (select from payments p where p.top_up_id = t.id)`,
  },
  {
    // Only Stars are paid in the currency XTR. The charge id of a payment by link is the id of the link.
    name: 'a payment is in the currency of its provider, and is that of its link',
    broken: `
      select p.provider || ':' || p.charge_id as subject, format('in %s, top-up %s by link %s', p.currency, t.id,
        coalesce(t.external_id, 'none')) as fact
      from payments p join top_ups t on t.id = p.top_up_id
      where (p.provider = 'stars') <> (p.currency = 'XTR') or p.charge_id <> t.external_id`,
  },
  // A payment may be given back in parts, so it may have several such transfers: the later ones have a number in their keys. When the
  // provider refuses what an operator has begun, a correction with the same key returns the credit.
  {
    name: 'the credit of every refunded payment was taken, and of no other more than its credit',
    broken: `
      select coalesce(p.provider || ':' || p.charge_id, m.name) as subject,
        format('payment %s, refunded at %s, taken %s', ${roubles('p.credit')}, p.refunded_at, ${roubles('coalesce(m.taken, 0)')}) as fact
      from payments p full join (
        select split_part(replace(key, 'correction:', ''), '#', 1) as name, min(user_id) as first, max(user_id) as last,
          sum(case kind when 'refund' then amount else -amount end) as taken
        from transfers where kind = 'refund' and credit = 'provider' or kind = 'correction' and key like 'correction:refund:%'
        group by name
      ) m on m.name = 'refund:' || p.provider || ':' || p.charge_id
      where p.credit is null or m.first <> p.user_id or m.last <> p.user_id
        or coalesce(m.taken, 0) not between case when p.refunded_at is null then 0 else p.credit end and p.credit`,
  },
]
