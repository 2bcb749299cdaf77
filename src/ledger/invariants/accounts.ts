// The invariants of money, each a query that returns the rows that violate it: balances and wallets, the form of the transfers whose sums
// they are, and the orders and answers with the transfers of each.

import { transferHash } from '../checksum.ts'

/**
 * Queries by the names of the invariants. A query selects `subject` and `fact`, and `invariant` if it checks several. Plain SQL, independent
 * of the code that writes the rows.
 */
export type Invariants = Readonly<Record<string, string>>

/** An SQL text of an amount in kopecks: `92.45 ₽`; `none` for null. */
export const roubles = (kopecks: string): string =>
  `coalesce(to_char((${kopecks}) / 100.0, 'FM999999999990.00') || ' ₽', 'none')`

/** Whether two times of the same event differ by more than a minute. Some such times are read from the clock one after the other. */
export const isApart = (one: string, other: string): string =>
  `(${one} is null or ${other} is null or abs(extract(epoch from ${one} - ${other})) > 60)`

/** A number in stored JSON, as an SQL text. Any other value is null, so that its row is found and the check does not fail. */
export const numberIn = (text: string): string =>
  `(case when ${text} ~ '^-?[0-9]{1,20}([.][0-9]{1,20})?$' then (${text})::numeric end)`

/** The amount that an action `a` of an operator names. */
export const amountOfAction = numberIn(`(a.details ->> 'amount')`)

/** The sum of the transfers `t` for an account: the received amounts minus the given ones. */
const sumOf = (account: string) =>
  `sum(case '${account}' when t.credit then t.amount when t.debit then -t.amount else 0 end)`

interface Orders {
  readonly what: string
  readonly table: string
  /** The column of `transfers` that refers to the order. */
  readonly column: string
  /** The wallet that pays; 0 when the user pays. */
  readonly payer: string
  readonly live: string
  readonly paid: string
}

const generations: Orders = {
  what: 'generation',
  table: 'generations',
  column: 'generation_id',
  payer: 'coalesce(o.wallet_id, 0)',
  live: `o.state not in ('succeeded', 'failed', 'canceled')`,
  paid: `(o.captured > 0) = (o.state = 'succeeded')`,
}

/** Unlike a generation, an answer that its user stopped may have been charged for the part that arrived. */
const turns: Orders = {
  what: 'answer',
  table: 'turns',
  column: 'turn_id',
  payer: '0',
  live: `o.state = 'streaming'`,
  paid: `o.captured = 0 or o.state <> 'streaming'`,
}

/** Conditions on an order `o` with the sums of its transfers; either the order or its transfers may be missing. */
const invariantsOf = ({ what, live, paid }: Orders) => [
  {
    name: `every open hold belongs to a live ${what}, and every live ${what} has its hold`,
    isBroken: `o.id is null or o.held <> case when ${live} then o.amount else 0 end or o.first <> o.user_id or o.last <> o.user_id`,
    fact: `format('state %s, amount %s, still held %s', o.state, ${roubles('o.amount')}, ${roubles('o.held')})`,
  },
  {
    name: `the money of the ${what} is that of whoever pays for it`,
    isBroken: `o.id is not null and (o.first_payer <> o.payer or o.last_payer <> o.payer)`,
    fact: `format('wallet %s, transfers of wallets %s to %s', o.payer, o.first_payer, o.last_payer)`,
  },
  {
    name: `the captured amount is the one of the ${what}, at most its hold, and only results are charged`,
    isBroken: `o.id is not null and (o.taken <> o.captured or o.captured > o.amount or not (${paid}))`,
    fact: `format('state %s, captured %s, transfers %s', o.state, ${roubles('o.captured')}, ${roubles('o.taken')})`,
  },
  {
    name: `the refunded amount is the one of the ${what}, at most what was captured`,
    isBroken: `o.id is not null and (o.returned <> o.refunded or o.refunded > o.captured)`,
    fact: `format('captured %s, refunded %s, transfers %s', ${roubles('o.captured')}, ${roubles('o.refunded')}, ${roubles('o.returned')})`,
  },
]

/** All invariants of the orders in one pass: on large tables the grouping of the transfers is most of the work. */
function ofOrders(orders: Orders): Invariants {
  const { what, table, column, payer } = orders
  const invariants = invariantsOf(orders)
  const of = (kind: string) => `sum(t.amount) filter (where t.kind = '${kind}')`
  const values = invariants.map(({ name, isBroken, fact }) => `('${name}', ${isBroken}, ${fact})`)
  const broken = `
    select v.invariant, coalesce(o.id, o.order_id) as subject, v.fact
    from (
      select o.id, o.user_id, o.state, o.amount, coalesce(o.captured, 0) as captured, coalesce(o.refunded, 0) as refunded,
        ${payer} as payer, m.first_payer, m.last_payer, m.order_id, m.first, m.last, coalesce(m.held, 0) as held, coalesce(m.taken, 0) as taken,
        coalesce(m.returned, 0) as returned
      from ${table} o full join (
        select t.${column} as order_id, min(t.user_id) as first, max(t.user_id) as last, ${sumOf('held')} + ${sumOf('group-held')} as held,
          min(coalesce(t.wallet_id, 0)) as first_payer, max(coalesce(t.wallet_id, 0)) as last_payer,
          ${of('capture')} as taken, ${of('refund')} as returned
        from transfers t where t.${column} is not null group by t.${column}
      ) m on m.order_id = o.id
    ) o, lateral (values ${values.join(', ')}) v (invariant, is_broken, fact)
    where (${invariants.map(({ isBroken }) => isBroken).join(' or ')}) and v.is_broken`
  return { [`the transfers of each ${what} fit it`]: broken }
}

const differs = (available: string, sum: string, held: string, heldSum: string) =>
  `format('available %s, transfers %s; held %s, transfers %s',
    ${roubles(available)}, ${roubles(`coalesce(${sum}, 0)`)}, ${roubles(held)}, ${roubles(`coalesce(${heldSum}, 0)`)}) as fact`
const subjectOf = (account: string) =>
  `case ${account}.kind when 'group' then 'wallet ' || ${account}.id else ${account}.owner_id::text end`

/** What an order or an answer `o` costs: what is held, or what was captured and not refunded. */
const cost = `case when o.settled_at is null then o.amount else o.captured - coalesce(o.refunded, 0) end`

const balances: Invariants = {
  'a balance is the sum of its transfers': `
    select b.owner_id::text as subject, ${differs('b.available', 's.available', 'b.held', 's.held')}
    from accounts b left join (
      select t.user_id, ${sumOf('available')} as available, ${sumOf('held')} as held from transfers t group by t.user_id
    ) s on s.user_id = b.owner_id
    where b.kind = 'user' and (b.available <> coalesce(s.available, 0) or b.held <> coalesce(s.held, 0))`,
  'the transfers of a user are those that the ledger wrote': `
    select coalesce(b.owner_id, s.user_id)::text as subject,
      format('%s transfers, some added, changed or deleted by something else', coalesce(s.count, 0)) as fact
    from (select * from accounts where kind = 'user') b full join (
      select user_id, bit_xor(${transferHash}) as checksum, count(*) as count from transfers group by user_id
    ) s on s.user_id = b.owner_id
    where b.checksum is distinct from coalesce(s.checksum, 0)`,
  'no balance is below zero but for the debt of its user': `
    select ${subjectOf('a')} as subject, format('available %s, owed %s, held %s', ${roubles('available')}, ${roubles('owed')}, ${roubles('held')}) as fact
    from accounts a where owed <> greatest(0, -available) or held < 0 or kind = 'group' and owed <> 0`,
  'the money of a wallet is the sum of its transfers': `
    select ${subjectOf('w')} as subject, ${differs('w.available', 's.open', 'w.held', 's.held')}
    from accounts w left join (
      select t.wallet_id, ${sumOf('group')} as open, ${sumOf('group-held')} as held
      from transfers t where t.wallet_id is not null group by t.wallet_id
    ) s on s.wallet_id = w.id
    where w.kind = 'group' and (w.available <> coalesce(s.open, 0) or w.held <> coalesce(s.held, 0))`,
  'the open orders of a user are those that have not ended': `
    select ${subjectOf('a')} as subject, format('counted %s, live %s', a.open_orders, coalesce(g.live, 0)) as fact
    from accounts a left join (
      select user_id, count(*) as live from generations where settled_at is null group by user_id
    ) g on g.user_id = a.owner_id and a.kind = 'user'
    where a.open_orders <> coalesce(g.live, 0)`,
  'what a user has spent in a day is what the orders and answers of that day cost': `
    select ${subjectOf('a')} as subject, format('counted %s on %s, they cost %s', ${roubles('a.spent_today')}, a.spent_on, ${roubles('coalesce(s.cost, 0)')}) as fact
    from accounts a left join (
      select user_id, spent_on, sum(cost) as cost from (
        select o.user_id, o.spent_on, ${cost} as cost from generations o where o.spent_on is not null
        union all select o.user_id, o.spent_on, ${cost} from turns o where o.spent_on is not null
      ) o group by user_id, spent_on
    ) s on s.user_id = a.owner_id and s.spent_on = a.spent_on and a.kind = 'user'
    where a.spent_today <> coalesce(s.cost, 0)`,
  'what a member has spent from a wallet in a day is what the orders of that day cost': `
    select format('wallet %s, member %s', m.account_id, m.user_id) as subject,
      format('counted %s on %s, they cost %s', ${roubles('m.spent')}, m.spent_on, ${roubles('coalesce(s.cost, 0)')}) as fact
    from wallet_members m left join (
      select o.wallet_id, o.user_id, o.spent_on, sum(${cost}) as cost from generations o
      where o.wallet_id is not null and o.spent_on is not null group by o.wallet_id, o.user_id, o.spent_on
    ) s on s.wallet_id = m.account_id and s.user_id = m.user_id and s.spent_on = m.spent_on
    where m.spent <> coalesce(s.cost, 0)`,
  'only its owner fills and empties a wallet': `
    select t.key as subject, format('by user %s, the owner is %s', t.user_id, w.owner_id) as fact
    from transfers t join accounts w on w.id = t.wallet_id
    where t.kind in ('fund', 'take-back') and t.user_id <> w.owner_id`,
  'each transfer has the accounts and the key of its kind': `
    select t.key as subject, format('%s of user %s, %s -> %s', t.kind, t.user_id, t.debit, t.credit) as fact
    from (
      select *, coalesce('turn:' || turn_id, generation_id) as ordered, debit || ' -> ' || credit as accounts,
        case when wallet_id is null then 'available' else 'group' end as payer,
        case when wallet_id is null then 'held' else 'group-held' end as payer_held
      from transfers
    ) t
    where (t.wallet_id is not null) <> (t.debit in ('group', 'group-held') or t.credit in ('group', 'group-held')) or not coalesce(case t.kind
      when 'hold' then t.accounts = t.payer || ' -> ' || t.payer_held and t.key = 'hold:' || t.ordered
      when 'capture' then t.accounts = t.payer_held || ' -> revenue' and t.key = 'capture:' || t.ordered
      when 'release' then t.accounts = t.payer_held || ' -> ' || t.payer and t.key = 'release:' || t.ordered
      when 'deposit' then t.accounts = 'provider -> available' and t.key like 'deposit:%' and t.top_up_id is not null
      when 'refund' then t.accounts = 'revenue -> ' || t.payer and starts_with(t.key || ':', 'refund:' || t.ordered || ':')
        or t.accounts = 'available -> provider' and t.key like 'refund:%' and t.top_up_id is not null
      when 'promotion' then t.accounts = 'promotions -> available' and (t.key in ('welcome:' || t.user_id, 'invited:' || t.user_id)
        or t.key = 'promo:' || t.note || ':' || t.user_id or t.key like 'referral:%')
        or t.accounts = 'available -> promotions' and t.key like 'referral-back:%'
      when 'bonus' then t.accounts = 'promotions -> available' and t.top_up_id is not null and (t.key like 'bonus:%' or t.key like 'code:%' and t.note <> '')
        or t.accounts = 'available -> promotions' and t.top_up_id is not null and (t.key like 'bonus-back:%' or t.key like 'code-back:%')
      when 'partner' then t.accounts = 'promotions -> available' and t.key like 'partner:%'
        or t.accounts = 'available -> promotions' and t.key like 'partner-back:%'
      when 'correction' then t.accounts in ('corrections -> available', 'available -> corrections')
        and t.key like 'correction:%' and t.note <> ''
      when 'fund' then t.accounts = 'available -> group' and t.key like 'fund:%'
      when 'take-back' then t.accounts = 'group -> available' and t.key like 'take-back:%'
      end, false)`,
}

export const accountInvariants: Invariants = { ...balances, ...ofOrders(generations), ...ofOrders(turns) }
