// The invariants of balances and wallets, and of the form of the transfers whose sums they are.

import { transferHash } from '../checksum.ts'
import { type Invariant, roubles } from './invariant.ts'
import { sumOf } from './orders.ts'

const isOfGroup = (account: string) => `${account} in ('group', 'group-held')`

/** Translates the accounts of a transfer that a wallet pays into the corresponding accounts of a user. */
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

const differs = (available: string, sum: string, held: string, heldSum: string) =>
  `format('available %s, transfers %s; held %s, transfers %s',
    ${roubles(available)}, ${roubles(`coalesce(${sum}, 0)`)}, ${roubles(held)}, ${roubles(`coalesce(${heldSum}, 0)`)}) as fact`
const subjectOf = (account: string) =>
  `case ${account}.kind when 'group' then 'wallet ' || ${account}.id else ${account}.owner_id::text end`

/** What an order or an answer `o` costs: what is held, or what was captured and not refunded. */
const cost = `case when o.settled_at is null then o.amount else o.captured - coalesce(o.refunded, 0) end`

export const balances: readonly Invariant[] = [
  {
    name: 'a balance is the sum of its transfers',
    broken: `
      select b.owner_id::text as subject, ${differs('b.available', 's.available', 'b.held', 's.held')}
      from accounts b left join (
        select t.user_id, ${sumOf('available')} as available, ${sumOf('held')} as held from transfers t group by t.user_id
      ) s on s.user_id = b.owner_id
      where b.kind = 'user' and (b.available <> coalesce(s.available, 0) or b.held <> coalesce(s.held, 0))`,
  },
  {
    name: 'the transfers of a user are those that the ledger wrote',
    broken: `
      select coalesce(b.owner_id, s.user_id)::text as subject,
        format('%s transfers, some added, changed or deleted by something else', coalesce(s.count, 0)) as fact
      from (select * from accounts where kind = 'user') b full join (
        select user_id, bit_xor(${transferHash}) as checksum, count(*) as count from transfers group by user_id
      ) s on s.user_id = b.owner_id
      where b.checksum is distinct from coalesce(s.checksum, 0)`,
  },
  {
    name: 'no balance is below zero but for the debt of its user',
    broken: `
      select ${subjectOf('a')} as subject, format('available %s, owed %s, held %s', ${roubles('available')}, ${roubles('owed')}, ${roubles('held')}) as fact
      from accounts a where owed <> greatest(0, -available) or held < 0 or kind = 'group' and owed <> 0`,
  },
  {
    name: 'the money of a wallet is the sum of its transfers',
    broken: `
      select ${subjectOf('w')} as subject, ${differs('w.available', 's.open', 'w.held', 's.held')}
      from accounts w left join (
        select t.wallet_id, ${sumOf('group')} as open, ${sumOf('group-held')} as held
        from transfers t where t.wallet_id is not null group by t.wallet_id
      ) s on s.wallet_id = w.id
      where w.kind = 'group' and (w.available <> coalesce(s.open, 0) or w.held <> coalesce(s.held, 0))`,
  },
  {
    name: 'the open orders of a user are those that have not ended',
    broken: `
      select ${subjectOf('a')} as subject, format('counted %s, live %s', a.open_orders, coalesce(g.live, 0)) as fact
      from accounts a left join (
        select user_id, count(*) as live from generations where settled_at is null group by user_id
      ) g on g.user_id = a.owner_id and a.kind = 'user'
      where a.open_orders <> coalesce(g.live, 0)`,
  },
  {
    name: 'what a user has spent in a day is what the orders and answers of that day cost',
    broken: `
      select ${subjectOf('a')} as subject, format('counted %s on %s, they cost %s', ${roubles('a.spent_today')}, a.spent_on, ${roubles('coalesce(s.cost, 0)')}) as fact
      from accounts a left join (
        select user_id, spent_on, sum(cost) as cost from (
          select o.user_id, o.spent_on, ${cost} as cost from generations o where o.spent_on is not null
          union all select o.user_id, o.spent_on, ${cost} from turns o where o.spent_on is not null
        ) o group by user_id, spent_on
      ) s on s.user_id = a.owner_id and s.spent_on = a.spent_on and a.kind = 'user'
      where a.spent_today <> coalesce(s.cost, 0)`,
  },
  {
    name: 'what a member has spent from a wallet in a day is what the orders of that day cost',
    broken: `
      select format('wallet %s, member %s', m.account_id, m.user_id) as subject,
        format('counted %s on %s, they cost %s', ${roubles('m.spent')}, m.spent_on, ${roubles('coalesce(s.cost, 0)')}) as fact
      from wallet_members m left join (
        select o.wallet_id, o.user_id, o.spent_on, sum(${cost}) as cost from generations o
        where o.wallet_id is not null and o.spent_on is not null group by o.wallet_id, o.user_id, o.spent_on
      ) s on s.wallet_id = m.account_id and s.user_id = m.user_id and s.spent_on = m.spent_on
      where m.spent <> coalesce(s.cost, 0)`,
  },
  {
    name: 'only its owner fills and empties a wallet',
    broken: `
      select t.key as subject, format('by user %s, the owner is %s', t.user_id, w.owner_id) as fact
      from transfers t join accounts w on w.id = t.wallet_id
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
        when 'refund' then t.accounts = 'revenue -> available' and starts_with(t.key || ':', 'refund:' || t.ordered || ':')
          or t.accounts = 'available -> provider' and t.key like 'refund:%' and t.top_up_id is not null
        when 'promotion' then t.accounts = 'promotions -> available' and (t.key = 'welcome:' || t.user_id
          or t.key = 'promo:' || t.note || ':' || t.user_id or t.key like 'referral:%')
          or t.accounts = 'available -> promotions' and t.key like 'referral-back:%'
        when 'correction' then t.accounts in ('corrections -> available', 'available -> corrections')
          and t.key like 'correction:%' and t.note <> ''
        when 'fund' then t.accounts = 'available -> group' and t.key like 'fund:%'
        when 'take-back' then t.accounts = 'group -> available' and t.key like 'take-back:%'
        end, false)`,
  },
]
