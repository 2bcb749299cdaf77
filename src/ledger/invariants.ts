// The invariants of money as queries: each returns the rows that break it. They are plain SQL, independent of the code that writes
// the rows. Values that must agree are written by one statement, so each invariant holds at every moment. The sum of all accounts
// needs no query: it is zero, since every transfer has two accounts.

import { brokenOrders, generations, sumOf, turns } from './order-invariants.ts'

interface Invariant {
  readonly name: string
  readonly broken: string
}

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
