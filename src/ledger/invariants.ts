// The invariants of money as queries: each returns the rows that break it. They are plain SQL, independent of the code that writes
// the rows. Values that must agree are written by one statement, so each invariant holds at every moment. The sum of all accounts
// needs no query: it is zero, since every transfer has two accounts.

interface Invariant {
  readonly name: string
  readonly broken: string
}

const sumOf = (account: string) =>
  `sum(case '${account}' when t.credit then t.amount when t.debit then -t.amount else 0 end)`

const isOfGroup = (account: string) => `${account} in ('group', 'group-held')`

/** The accounts of a transfer that a wallet pays, named as those of a user. */
const payersNames = {
  group: 'available',
  'group-held': 'held',
  available: 'not of a wallet',
  held: 'not of a wallet',
}
const ofPayer = (account: string) =>
  `case ${account} ${Object.entries(payersNames)
    .map(([own, name]) => `when '${own}' then '${name}'`)
    .join(' ')} else ${account} end`
const accountsOfPayer = `${ofPayer('debit')} || ' -> ' || ${ofPayer('credit')}`

const balances: readonly Invariant[] = [
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
    name: 'no balance is below zero',
    broken: `
      select user_id::text as subject, format('available %s, held %s', available, held) as fact
      from balances where available < 0 or held < 0
      union all
      select 'wallet ' || id, format('available %s, held %s', available, held) from wallets where available < 0 or held < 0`,
  },
  {
    name: 'the money of a wallet is the sum of its transfers',
    broken: `
      select 'wallet ' || w.id as subject,
        format('available %s, transfers %s; held %s, transfers %s', w.available, coalesce(s.open, 0), w.held, coalesce(s.held, 0)) as fact
      from wallets w left join (
        select t.wallet_id, ${sumOf('group')} as open, ${sumOf('group-held')} as held
        from transfers t where t.wallet_id is not null group by t.wallet_id
      ) s on s.wallet_id = w.id
      where w.available <> coalesce(s.open, 0) or w.held <> coalesce(s.held, 0)`,
  },
  {
    name: 'only its owner fills and empties a wallet',
    broken: `
      select t.key as subject, format('by user %s, the owner is %s', t.user_id, w.owner_id) as fact
      from transfers t join wallets w on w.id = t.wallet_id
      where t.kind in ('fund', 'take-back') and t.user_id <> w.owner_id`,
  },
  {
    name: 'each transfer has the accounts and the key of its kind',
    broken: `
      select t.key as subject, format('%s of user %s, %s -> %s', t.kind, t.user_id, t.debit, t.credit) as fact
      from (
        select *, coalesce('turn:' || turn_id, generation_id) as ordered,
          case when wallet_id is null or kind in ('fund', 'take-back') then debit || ' -> ' || credit
            else ${accountsOfPayer} end as accounts
        from transfers
      ) t
      where (t.wallet_id is not null) <> (${isOfGroup('t.debit')} or ${isOfGroup('t.credit')}) or not coalesce(case t.kind
        when 'hold' then t.accounts = 'available -> held' and t.key = 'hold:' || t.ordered
        when 'capture' then t.accounts = 'held -> revenue' and t.key = 'capture:' || t.ordered
        when 'release' then t.accounts = 'held -> available' and t.key = 'release:' || t.ordered
        when 'deposit' then t.accounts = 'provider -> available' and t.key like 'deposit:%' and t.top_up_id is not null
        when 'refund' then t.accounts = 'revenue -> available' and t.key = 'refund:' || t.ordered
          or t.accounts = 'available -> provider' and t.key like 'refund:%' and t.top_up_id is not null
        when 'promotion' then t.accounts = 'promotions -> available' and (t.key = 'welcome:' || t.user_id
          or t.key = 'promo:' || t.note || ':' || t.user_id or t.key like 'referral:%')
        when 'correction' then t.accounts in ('corrections -> available', 'available -> corrections')
          and t.key like 'correction:%' and t.note <> ''
        when 'fund' then t.accounts = 'available -> group' and t.key like 'fund:%'
        when 'take-back' then t.accounts = 'group -> available' and t.key like 'take-back:%'
        end, false)`,
  },
]

interface Orders {
  readonly what: string
  readonly table: string
  /** The column of `transfers` that refers to it. */
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

/** An answer that broke off may have been charged for the part that arrived. */
const turns: Orders = {
  what: 'answer',
  table: 'turns',
  column: 'turn_id',
  payer: '0',
  live: `o.state = 'streaming'`,
  paid: `o.captured = 0 or o.state <> 'streaming'`,
}

/** Of the order `o` with the sums of its transfers, of which one or the other may be missing. */
const invariantsOf = ({ what, live, paid }: Orders) => [
  {
    name: `every open hold belongs to a live ${what}, and every live ${what} has its hold`,
    isBroken: `o.id is null or o.held <> case when ${live} then o.amount else 0 end or o.first <> o.user_id or o.last <> o.user_id`,
    fact: `format('state %s, amount %s, still held %s', o.state, o.amount, o.held)`,
  },
  {
    name: `the money of the ${what} is that of whoever pays for it`,
    isBroken: `o.id is not null and (o.first_payer <> o.payer or o.last_payer <> o.payer)`,
    fact: `format('wallet %s, transfers of wallets %s to %s', o.payer, o.first_payer, o.last_payer)`,
  },
  {
    name: `the captured amount is the one of the ${what}, at most its hold, and only results are charged`,
    isBroken: `o.id is not null and (o.taken <> o.captured or o.captured > o.amount or not (${paid}))`,
    fact: `format('state %s, captured %s, transfers %s', o.state, o.captured, o.taken)`,
  },
  {
    name: `the refunded amount is the one of the ${what}, refunded at most once and at most what was captured`,
    isBroken: `o.id is not null and (o.returned <> o.refunded or o.refunded > o.captured or o.times > 1)`,
    fact: `format('captured %s, refunded %s, transfers %s', o.captured, o.refunded, o.returned)`,
  },
]

/** All invariants of the orders in one pass: on large tables the grouping of the transfers is most of the work. */
function brokenOrders(orders: Orders): string {
  const { table, column, payer } = orders
  const invariants = invariantsOf(orders)
  const of = (kind: string) => `sum(t.amount) filter (where t.kind = '${kind}')`
  const values = invariants.map(({ name, isBroken, fact }) => `('${name}', ${isBroken}, ${fact})`)
  return `
    select v.invariant, coalesce(o.id, o.order_id) as subject, v.fact
    from (
      select o.id, o.user_id, o.state, o.amount, coalesce(o.captured, 0) as captured, coalesce(o.refunded, 0) as refunded,
        ${payer} as payer, m.first_payer, m.last_payer, m.order_id, m.first, m.last, coalesce(m.held, 0) as held, coalesce(m.taken, 0) as taken,
        coalesce(m.returned, 0) as returned, coalesce(m.times, 0) as times
      from ${table} o full join (
        select t.${column} as order_id, min(t.user_id) as first, max(t.user_id) as last, ${sumOf('held')} + ${sumOf('group-held')} as held,
          min(coalesce(t.wallet_id, 0)) as first_payer, max(coalesce(t.wallet_id, 0)) as last_payer,
          ${of('capture')} as taken, ${of('refund')} as returned, count(*) filter (where t.kind = 'refund') as times
        from transfers t where t.${column} is not null group by t.${column}
      ) m on m.order_id = o.id
    ) o, lateral (values ${values.join(', ')}) v (invariant, is_broken, fact)
    where (${invariants.map(({ isBroken }) => isBroken).join(' or ')}) and v.is_broken`
}

const sales: readonly Invariant[] = [
  {
    name: 'the amount of a generation is its quote',
    broken: `
      select g.id as subject, format('amount %s, quote %s', g.amount, q.amount) as fact
      from generations g join quotes q on q.id = g.quote_id where g.amount <> q.amount or g.user_id <> q.user_id`,
  },
  {
    name: 'an answer of which no part could be sent is refunded, and only undeliverable answers are',
    broken: `
      select o.id as subject, format('delivery %s, sent %s, captured %s, refunded %s', o.delivery, o.sent, o.captured, o.refunded) as fact
      from turns o
      where o.delivery = 'undeliverable' and o.sent = 0 and coalesce(o.refunded, 0) <> coalesce(o.captured, 0)
        or o.delivery <> 'undeliverable' and o.refunded is not null`,
  },
  {
    name: 'a report that was closed with a refund has a refund',
    broken: `
      select r.id as subject, format('generation %s, refunded %s', g.id, g.refunded) as fact
      from reports r join generations g on g.id = r.generation_id where r.state = 'refunded' and g.refunded is null`,
  },
]

const payments: readonly Invariant[] = [
  {
    name: 'each payment is credited once, and nothing else is deposited',
    broken: `
      select coalesce(p.provider || ':' || p.charge_id, t.key) as subject,
        format('payment %s, deposit %s', p.credit, t.amount) as fact
      from payments p full join (select * from transfers where kind = 'deposit') t
        on t.key = 'deposit:' || p.provider || ':' || p.charge_id
      where p.credit is distinct from t.amount or p.user_id is distinct from t.user_id`,
  },
  // When the provider refuses a refund, a correction with the same key returns the credit; further attempts have a number in their
  // keys. A payment that was refunded after its credit was spent is a finding until the balance allows to take the credit.
  {
    name: 'the credit of every refunded payment was taken once, and of no other',
    broken: `
      select coalesce(p.provider || ':' || p.charge_id, m.name) as subject,
        format('payment %s, refunded at %s, taken %s', p.credit, p.refunded_at, coalesce(m.taken, 0)) as fact
      from payments p full join (
        select split_part(replace(key, 'correction:', ''), '#', 1) as name, min(user_id) as first, max(user_id) as last,
          sum(case kind when 'refund' then amount else -amount end) as taken
        from transfers where kind = 'refund' and credit = 'provider' or kind = 'correction' and key like 'correction:refund:%'
        group by name
      ) m on m.name = 'refund:' || p.provider || ':' || p.charge_id
      where p.credit is null or m.first <> p.user_id or m.last <> p.user_id
        or coalesce(m.taken, 0) <> p.credit and (p.refunded_at is not null or coalesce(m.taken, 0) <> 0)`,
  },
]

const gifts: readonly Invariant[] = [
  {
    name: 'the uses of a promo code are its transfers',
    broken: `
      select coalesce(p.code, t.code) as subject, format('uses %s, transfers %s', p.uses, coalesce(t.uses, 0)) as fact
      from promo_codes p full join (
        select note as code, count(*) as uses from transfers where kind = 'promotion' and key like 'promo:%' group by note
      ) t on t.code = p.code
      where p.uses is distinct from coalesce(t.uses, 0)`,
  },
  {
    name: 'a referral bonus goes to the inviter of another user who has paid',
    broken: `
      select t.key as subject, format('to user %s, the inviter is %s', t.user_id, u.referrer_id) as fact
      from transfers t left join users u on t.key = 'referral:' || u.id
      where t.kind = 'promotion' and t.key like 'referral:%' and (u.referrer_id is distinct from t.user_id
        or u.id = t.user_id or not exists (select from payments p where p.user_id = u.id))`,
  },
  {
    name: 'each correction has an action of an operator, and each such action has a correction',
    broken: `
      select coalesce(t.key, 'action ' || a.id) as subject, format('%s: moved %s, user %s', a.action, t.amount, t.user_id) as fact
      from (select * from transfers where kind = 'correction' and key not like 'correction:refund:%') t
        full join (select * from operator_actions where action in ('grant', 'debit')) a
        on t.key = 'correction:' || (a.details ->> 'key')
      where t.id is null or a.id is null or a.subject <> 'user:' || t.user_id
        or a.action <> case t.credit when 'available' then 'grant' else 'debit' end`,
  },
]

const named = ({ name, broken }: Invariant): string =>
  `select '${name}' as invariant, subject, fact from (${broken}) broken`

/** Each returns the name of the broken invariant, what breaks it, and how. */
export const checks: readonly string[] = [
  ...balances.map(named),
  brokenOrders(generations),
  brokenOrders(turns),
  ...[...sales, ...payments, ...gifts].map(named),
]
