// The invariants of what is sold, paid and given: the prices of generations and answers and their refunds; results (what was charged for
// was made, what was made is in its chat, what has not ended goes on); payments with their credits and refunds; and money that was credited
// without a payment (promo codes, bonuses for invitations, corrections by operators).

import { amountOfAction, type Invariants, isApart, numberIn, roubles } from './accounts.ts'

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

const sales: Invariants = {
  'a generation is what was quoted: its amount, its model and its request': `
    select g.id as subject, format('%s for %s of user %s, quoted %s for %s of user %s%s', ${roubles('g.amount')}, g.model_id, g.user_id,
      ${roubles('q.amount')}, q.model_id, q.user_id, case when g.request <> q.request then ', another request' end) as fact
    from generations g join quotes q on q.id = g.quote_id
    where (g.amount, g.user_id, g.model_id, g.request) is distinct from (q.amount, q.user_id, q.model_id, q.request)`,
  'a quote is what its parts amount to': `
    select q.id as subject, format('quote %s, parts %s; gateway %s, parts %s',
      ${roubles('q.amount')}, ${roubles('p.price')}, ${roubles('q.gateway_cost')}, ${roubles('p.cost')}) as fact
    from generations g join quotes q on q.id = g.quote_id, lateral (select ${priceOfParts}, ${gatewayCost}) p (price, cost)
    where q.amount is distinct from p.price or q.gateway_cost is distinct from p.cost or q.gateway_cost <= 0`,
  'an order begins with its hold and ends with its capture or release': `
    select o.id as subject, format('%s of %s at %s', t.kind, o.what, t.created_at) as fact
    from transfers t join (
      select id, 'an order' as what, created_at, settled_at from generations
      union all select 'turn:' || id, 'an answer', created_at, settled_at from turns
    ) o on o.id = coalesce('turn:' || t.turn_id, t.generation_id)
    where t.kind in ('hold', 'capture', 'release') and ${isApart('t.created_at', `case t.kind when 'hold' then o.created_at else o.settled_at end`)}`,
  // An answer that the service broke off is free. Earlier versions charged what was shown of it.
  'an answer costs what its tokens cost': `
    select t.id as subject, format('captured %s, %s + %s tokens cost %s', ${roubles('t.captured')}, t.input_tokens, t.output_tokens, ${roubles('t.price')}) as fact
    from (select *, ${priceOfTokens} as price from turns where rates is not null) t
    where t.price is null or t.captured is distinct from case state when 'failed' then 0 else least(amount, price) end
      and not (t.failure is not null and t.captured = 0)`,
  // If the first attempt to send finds the chat closed, only the share that was not shown while the answer was written is refunded. That
  // share is not stored, so of the refund of such an answer only that it is smaller than the price is checked.
  'an answer of which no part could be sent is refunded, and only undeliverable answers are': `
    select o.id as subject, format('delivery %s, sent %s, captured %s, refunded %s',
      o.delivery, o.sent, ${roubles('o.captured')}, ${roubles('o.refunded')}) as fact
    from turns o
    where o.delivery = 'undeliverable' and o.sent = 0 and coalesce(o.refunded, 0) <> coalesce(o.captured, 0)
        and not (o.attempts = 1 and coalesce(o.refunded, 0) < o.captured)
      or o.delivery <> 'undeliverable' and o.refunded is not null`,
  'a report that was closed with a refund has a refund': `
    select r.id as subject, format('generation %s, refunded %s', g.id, ${roubles('g.refunded')}) as fact
    from reports r join generations g on g.id = r.generation_id where r.state = 'refunded' and g.refunded is null`,
  // What the actions do not add up to was refunded first, for files that did not arrive.
  'what was refunded of an order is in the actions of operators, but for files that did not arrive': `
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
}

const results: Invariants = {
  'what was charged for was made': `
    select g.id as subject, format('captured %s, no result', ${roubles('g.captured')}) as fact
    from generations g
    where g.captured > 0 and not exists (select from artifacts a where a.generation_id = g.id)`,
  // Left out are orders whose data was deleted (chat 0) and results that their users fetched after the delivery was given up (no attempts):
  // of a file that was fetched as a link nothing is recorded.
  'a delivered result has a message': `
    select g.id as subject, format('delivered at %s, captured %s, no message', g.delivered_at, ${roubles('g.captured')}) as fact
    from generations g
    where g.delivery = 'delivered' and (g.state = 'succeeded' or g.arrived_late_at is not null) and g.chat_id <> 0 and g.attempts > 0
      and not exists (select from artifacts a where a.generation_id = g.id and (a.message_id is not null or a.file_id is not null))
    union all
    select 'turn:' || id, format('delivered, captured %s, no message', ${roubles('captured')})
    from turns where delivery = 'delivered' and sent = 0`,
  'what has not ended is due again': `
    select id as subject, format('state %s, delivery %s, due never', state, delivery) as fact
    from generations where next_check_at is null and (settled_at is null or delivery = 'pending')
    union all
    select 'turn:' || id, format('state %s, delivery %s, due never', state, delivery)
    from turns where state = 'streaming' and lease_until is null or delivery = 'pending' and send_at is null
    union all
    select 'top-up:' || id, format('state %s of %s, due never', state, provider)
    from top_ups where state = 'open' and external_id is not null and next_check_at is null`,
}

/** What was taken of the credits of payments. */
const takenOfPayments = `
  select split_part(replace(key, 'correction:', ''), '#', 1) as name, min(user_id) as first, max(user_id) as last,
    sum(case kind when 'refund' then amount else -amount end) as taken
  from transfers where kind = 'refund' and credit = 'provider' or kind = 'correction' and key like 'correction:refund:%'
  group by name`

const payments: Invariants = {
  'each payment is credited once, and nothing else is deposited': `
    select coalesce(p.provider || ':' || p.charge_id, t.key) as subject,
      format('payment %s at %s, deposit %s at %s', ${roubles('p.credit')}, p.created_at, ${roubles('t.amount')}, t.created_at) as fact
    from payments p full join (select * from transfers where kind = 'deposit') t
      on t.key = 'deposit:' || p.provider || ':' || p.charge_id
    where p.credit is distinct from t.amount or p.user_id is distinct from t.user_id
      or p.top_up_id is distinct from t.top_up_id or ${isApart('p.created_at', 't.created_at')}`,
  'a payment is what its top-up asked for, and a top-up with a payment is paid': `
    select p.provider || ':' || p.charge_id as subject,
      format('paid %s %s for %s of user %s; top-up %s: %s %s for %s of user %s', p.charge, p.currency, ${roubles('p.credit')}, p.user_id,
        t.state, t.charge, t.currency, ${roubles('t.credit')}, t.user_id) as fact
    from payments p join top_ups t on t.id = p.top_up_id
    where t.state <> 'paid'
      or (p.provider, p.user_id, p.credit, p.charge, p.currency) is distinct from (t.provider, t.user_id, t.credit, t.charge, t.currency)`,
  'a paid top-up has a payment': `
    select t.id as subject, format('%s of user %s by %s', ${roubles('t.credit')}, t.user_id, t.provider) as fact
    from top_ups t where t.state = 'paid' and not exists (select from payments p where p.top_up_id = t.id)`,
  // Only Stars are paid in the currency XTR. The charge id of a payment by link is the id of the link.
  'a payment is in the currency of its provider, and is that of its link': `
    select p.provider || ':' || p.charge_id as subject, format('in %s, top-up %s by link %s', p.currency, t.id,
      coalesce(t.external_id, 'none')) as fact
    from payments p join top_ups t on t.id = p.top_up_id
    where (p.provider = 'stars') <> (p.currency = 'XTR') or p.charge_id <> t.external_id`,
  // A payment may be given back in parts, so it may have several such transfers: the later ones have a number in their keys. When the
  // provider refuses what an operator has begun, a correction with the same key returns the credit.
  'the credit of every refunded payment was taken, and of no other more than its credit': `
    select coalesce(p.provider || ':' || p.charge_id, m.name) as subject,
      format('payment %s, refunded at %s, taken %s', ${roubles('p.credit')}, p.refunded_at, ${roubles('coalesce(m.taken, 0)')}) as fact
    from payments p full join (${takenOfPayments}) m on m.name = 'refund:' || p.provider || ':' || p.charge_id
    where p.credit is null or m.first <> p.user_id or m.last <> p.user_id
      or coalesce(m.taken, 0) not between case when p.refunded_at is null then 0 else p.credit end and p.credit`,
}

const gifts: Invariants = {
  'a promo code is one that an operator made': `
    select p.code as subject, format('gives %s, %s uses, no action that made it so', ${roubles('p.amount')}, p.uses) as fact
    from promo_codes p
    where not exists (
      select from operator_actions a where a.subject = 'promo:' || coalesce(p.batch, p.code) and a.action = 'promo'
        and ${amountOfAction} = p.amount and (a.details ->> 'percent') is not distinct from p.percent::text)
    union all
    select b.batch, format('%s codes, its actions made %s', b.codes, coalesce(m.codes, 0)) from (
      select batch, count(*) as codes from promo_codes where batch is not null group by batch
    ) b left join (
      select a.subject, sum(${numberIn(`(a.details ->> 'codes')`)}) as codes from operator_actions a where a.action = 'promo' group by a.subject
    ) m on m.subject = 'promo:' || b.batch where b.codes > coalesce(m.codes, 0)`,
  'the uses of a promo code are its transfers, or the people who keep it for a top-up': `
    select coalesce(p.code, t.code) as subject, format('uses %s, transfers %s', p.uses, coalesce(t.uses, 0)) as fact
    from promo_codes p full join (
      select note as code, count(*) as uses from transfers where kind = 'promotion' and key like 'promo:%' group by note
      union all select code, count(*) from code_uses group by code
    ) t on t.code = p.code
    where p.uses is distinct from coalesce(t.uses, 0)`,
  'a promo code gives its amount, while it is valid': `
    select t.key as subject, format('given %s at %s, the code gives %s until %s',
      ${roubles('t.amount')}, t.created_at, ${roubles('p.amount')}, coalesce(p.expires_at::text, 'ever')) as fact
    from transfers t join promo_codes p on p.code = t.note
    where t.kind = 'promotion' and t.key like 'promo:%'
      and (t.amount <> p.amount or p.percent is not null or t.created_at >= p.expires_at)`,
  'a bonus has an amount that the settings have had': `
    select t.key as subject, format('given %s to user %s', ${roubles('t.amount')}, t.user_id) as fact
    from transfers t
    where t.kind = 'promotion' and t.credit = 'available' and split_part(t.key, ':', 1) in (select kind from bonuses)
      and not exists (select from bonuses b where b.kind = split_part(t.key, ':', 1) and b.amount = t.amount)`,
  'a bonus of an invited user goes to a user with an inviter': `
    select t.key as subject, format('given to user %s', t.user_id) as fact
    from transfers t join users u on u.id = t.user_id
    where t.kind = 'promotion' and t.key like 'invited:%' and u.referrer_id is null`,
  'a referral bonus goes to the inviter of another user who has paid': `
    select t.key as subject, format('to user %s, the inviter is %s', t.user_id, u.referrer_id) as fact
    from transfers t left join users u on t.key = 'referral:' || u.id
    where t.kind = 'promotion' and t.key like 'referral:%' and (u.referrer_id is distinct from t.user_id
      or u.id = t.user_id or not exists (select from payments p where p.user_id = u.id))`,
  'a referral bonus is taken again from the inviter who got it, and only after a refund to the invited user': `
    select t.key as subject, format('taken %s from user %s, given %s to user %s', ${roubles('t.amount')}, t.user_id,
      ${roubles('g.amount')}, g.user_id) as fact
    from transfers t left join transfers g on g.key = replace(t.key, 'referral-back:', 'referral:')
    where t.kind = 'promotion' and t.key like 'referral-back:%' and ((t.user_id, t.amount) is distinct from (g.user_id, g.amount)
      or not exists (select from payments p where t.key = 'referral-back:' || p.user_id and p.refunded_at is not null))`,
  'a bonus for a top-up is the one that was promised to its payer, by percents that the settings have had': `
    select t.key as subject, format('given %s to user %s, promised %s to user %s for %s', ${roubles('t.amount')}, t.user_id,
      ${roubles('o.bonus')}, p.user_id, ${roubles('p.credit')}) as fact
    from transfers t left join payments p on t.key = 'bonus:' || p.provider || ':' || p.charge_id left join top_ups o on o.id = p.top_up_id
    where t.kind = 'bonus' and t.key like 'bonus:%' and ((t.user_id, t.amount, t.top_up_id) is distinct from (p.user_id, o.bonus, p.top_up_id)
      or not exists (select from bonuses b where b.kind = 'top-up' and t.amount = p.credit * b.amount / 100))`,
  'a code brings its percents of a payment, once to whoever has redeemed it in time': `
    select t.key as subject, format('given %s to user %s by the code %s: %s percents of %s, at most %s', ${roubles('t.amount')}, t.user_id,
      t.note, c.percent, ${roubles('p.credit')}, ${roubles('c.amount')}) as fact
    from transfers t left join payments p on t.key = 'code:' || p.provider || ':' || p.charge_id left join promo_codes c on c.code = t.note
      left join code_uses u on u.user_id = t.user_id and u.code = t.note
    where t.kind = 'bonus' and t.key like 'code:%' and ((t.user_id, t.top_up_id) is distinct from (p.user_id, p.top_up_id)
      or t.amount is distinct from least(p.credit * c.percent / 100, c.amount) or p.created_at >= c.expires_at
      or u.is_waiting is distinct from false or u.created_at > p.created_at
      or exists (select from transfers o where o.kind = 'bonus' and o.key like 'code:%' and (o.user_id, o.note) = (t.user_id, t.note) and o.id <> t.id))`,
  'the percents of a payment go to the inviter of its payer, by the settings or an action of an operator': `
    select t.key as subject, format('given %s of %s to user %s, the inviter is %s', ${roubles('t.amount')}, ${roubles('p.credit')}, t.user_id,
      u.referrer_id) as fact
    from transfers t left join payments p on t.key = 'partner:' || p.provider || ':' || p.charge_id left join users u on u.id = p.user_id
    where t.kind = 'partner' and t.key like 'partner:%' and (t.user_id is distinct from u.referrer_id or t.user_id = u.id
      or not exists (
        select from (
          select amount as percent from bonuses where kind = 'partner'
          union all select ${numberIn(`(a.details ->> 'percent')`)}::bigint from operator_actions a
          where a.action = 'partner' and a.subject = 'user:' || t.user_id
        ) r where t.amount = p.credit * r.percent / 100))`,
  'of a bonus or of percents at most the share is taken again that was given back of the payment': `
    select m.name as subject, format('taken %s from user %s, given %s to user %s for %s, of which %s were given back', ${roubles('m.taken')},
      m.first, ${roubles('g.amount')}, g.user_id, ${roubles('p.credit')}, ${roubles('coalesce(r.taken, 0)')}) as fact
    from (
      select split_part(key, '#', 1) as name, min(user_id) as first, max(user_id) as last, sum(amount) as taken
      from transfers where kind in ('bonus', 'partner') and credit = 'promotions' group by name
    ) m left join transfers g on g.key = replace(m.name, '-back:', ':')
      left join payments p on p.provider || ':' || p.charge_id = substr(g.key, strpos(g.key, ':') + 1)
      left join (${takenOfPayments}) r on r.name = 'refund:' || p.provider || ':' || p.charge_id
    where m.first is distinct from g.user_id or m.last <> g.user_id or p.credit is null
      or m.taken > div(g.amount * coalesce(r.taken, 0), p.credit)`,
  'each correction has an action of an operator, and each such action has a correction': `
    select coalesce(t.key, 'action ' || a.id) as subject, format('%s of %s: moved %s, user %s',
      a.action, ${roubles(`abs(${amountOfAction})`)}, ${roubles('t.amount')}, t.user_id) as fact
    from (select * from transfers where kind = 'correction' and key not like 'correction:refund:%') t
      full join (select * from operator_actions where action in ('grant', 'debit')) a
      on t.key = 'correction:' || (a.details ->> 'key')
    where t.id is null or a.id is null or a.subject <> 'user:' || t.user_id
      or abs(${amountOfAction}) is distinct from t.amount or a.reason is distinct from t.note
      or a.action <> case t.credit when 'available' then 'grant' else 'debit' end`,
}

export const saleInvariants: Invariants = { ...sales, ...results, ...payments, ...gifts }
