// The invariants of the prices of generations and answers, and of their refunds.

import { amountOfAction, type Invariant, isApart, numberIn, roubles } from './invariant.ts'

/** The surcharges in `parts`; most quotes have none. Anything but a list of them is null, as the price is then. */
const surcharges = `(case coalesce(jsonb_typeof(q.parts -> 'surcharges'), 'none')
  when 'array' then q.parts -> 'surcharges' when 'none' then '[]' end)`
/** The product of their multipliers. */
const surchargeFactor = `case jsonb_array_length(${surcharges}) when 0 then 1 else (
  with recursive product (n, value) as (
    select 0, case when ${surcharges} is not null then 1::numeric end
    union all
    select n + 1, value * ${numberIn(`(q.parts -> 'surcharges' -> n ->> 'multiplier')`)}
    from product where n < jsonb_array_length(${surcharges})
  )
  select value from product order by n desc limit 1) end`

const quantity = numberIn(`(q.parts ->> 'quantity')`)
const count = numberIn(`(q.parts ->> 'count')`)
const surchargeAdditions = `(
  select coalesce(sum(${numberIn(`(s ->> 'add')`)} * case s ->> 'per' when 'request' then 1 when 'second' then ${quantity} * ${count} else ${count} end), 0)
  from jsonb_array_elements(${surcharges}) s)`
const rate = numberIn(`(q.parts -> 'rate' ->> 'roubles')`)
const per = `nullif(${numberIn(`(q.parts -> 'rate' ->> 'per')`)}, 0)`
const step = `nullif(${numberIn(`coalesce(q.parts ->> 'rounding', '0.01')`)} * 100, 0)`
const gatewayCost = `ceil(${rate} * 100 * ${quantity} * ${count} / ${per})`
/** The price that the parts of a quote give, in kopecks; rounded up once. */
const priceOfParts = `ceil((${rate} * ${quantity} * ${count} * ${numberIn(`(q.parts ->> 'multiplier')`)} * ${surchargeFactor} / ${per}
  + ${surchargeAdditions}) * 100 / (${step})) * ${step}`

/** The price of the tokens of an answer. Roubles per million tokens are kopecks per ten thousand. */
const priceOfTokens = `ceil((input_tokens * ${numberIn(`(rates ->> 'input')`)} + output_tokens * ${numberIn(`(rates ->> 'output')`)})
  * ${numberIn(`(rates ->> 'multiplier')`)} / 10000)`

export const sales: readonly Invariant[] = [
  {
    name: 'a generation is what was quoted: its amount, its model and its request',
    broken: `
      select g.id as subject, format('%s for %s of user %s, quoted %s for %s of user %s%s', ${roubles('g.amount')}, g.model_id, g.user_id,
        ${roubles('q.amount')}, q.model_id, q.user_id, case when g.request <> q.request then ', another request' end) as fact
      from generations g join quotes q on q.id = g.quote_id
      where (g.amount, g.user_id, g.model_id, g.request) is distinct from (q.amount, q.user_id, q.model_id, q.request)`,
  },
  {
    name: 'a quote is what its parts amount to',
    broken: `
      select q.id as subject, format('quote %s, parts %s; gateway %s, parts %s',
        ${roubles('q.amount')}, ${roubles('p.price')}, ${roubles('q.gateway_cost')}, ${roubles('p.cost')}) as fact
      from generations g join quotes q on q.id = g.quote_id, lateral (select ${priceOfParts}, ${gatewayCost}) p (price, cost)
      where q.amount is distinct from p.price or q.gateway_cost is distinct from p.cost or q.gateway_cost <= 0`,
  },
  {
    name: 'an order begins with its hold and ends with its capture or release',
    broken: `
      select o.id as subject, format('%s of %s at %s', t.kind, o.what, t.created_at) as fact
      from transfers t join (
        select id, 'an order' as what, created_at, settled_at from generations
        union all select 'turn:' || id, 'an answer', created_at, settled_at from turns
      ) o on o.id = coalesce('turn:' || t.turn_id, t.generation_id)
      where t.kind in ('hold', 'capture', 'release') and ${isApart('t.created_at', `case t.kind when 'hold' then o.created_at else o.settled_at end`)}`,
  },
  {
    // An answer that the service broke off is free. Earlier versions charged what was shown of it.
    name: 'an answer costs what its tokens cost',
    broken: `
      select t.id as subject, format('captured %s, %s + %s tokens cost %s', ${roubles('t.captured')}, t.input_tokens, t.output_tokens, ${roubles('t.price')}) as fact
      from (select *, ${priceOfTokens} as price from turns where rates is not null) t
      where t.price is null or t.captured is distinct from case state when 'failed' then 0 else least(amount, price) end
        and not (t.failure is not null and t.captured = 0)`,
  },
  // If the first attempt to send finds the chat closed, only the share that was not shown while the answer was written is refunded. That
  // share is not stored, so of the refund of such an answer only that it is smaller than the price is checked.
  {
    name: 'an answer of which no part could be sent is refunded, and only undeliverable answers are',
    broken: `
      select o.id as subject, format('delivery %s, sent %s, captured %s, refunded %s',
        o.delivery, o.sent, ${roubles('o.captured')}, ${roubles('o.refunded')}) as fact
      from turns o
      where o.delivery = 'undeliverable' and o.sent = 0 and coalesce(o.refunded, 0) <> coalesce(o.captured, 0)
          and not (o.attempts = 1 and coalesce(o.refunded, 0) < o.captured)
        or o.delivery <> 'undeliverable' and o.refunded is not null`,
  },
  {
    name: 'a report that was closed with a refund has a refund',
    broken: `
      select r.id as subject, format('generation %s, refunded %s', g.id, ${roubles('g.refunded')}) as fact
      from reports r join generations g on g.id = r.generation_id where r.state = 'refunded' and g.refunded is null`,
  },
  {
    // What the actions do not add up to was refunded first, for files that did not arrive.
    name: 'what was refunded of an order is in the actions of operators, but for files that did not arrive',
    broken: `
      select o.subject, format('refunded %s, first %s, actions %s', ${roubles('o.refunded')}, ${roubles('o.first')}, ${roubles('o.logged')}) as fact
      from (
        select coalesce(g.id, a.subject) as subject, g.id, g.refunded, r.amount as first, a.amount as logged,
          g.refunded - case when a.subject is null then 0 else a.amount end as unlogged
        from (select * from generations where refunded > 0) g left join transfers r on r.key = 'refund:' || g.id
          full join (
            select a.subject, case when count(*) = count(${amountOfAction}) then sum(${amountOfAction}) end as amount
            from operator_actions a where a.action = 'refund' group by a.subject
          ) a on a.subject = 'generation:' || g.id
      ) o
      where o.id is null or o.unlogged is distinct from 0 and (o.unlogged is distinct from o.first
        or not exists (select from artifacts f where f.generation_id = o.id and f.message_id is null))`,
  },
]
