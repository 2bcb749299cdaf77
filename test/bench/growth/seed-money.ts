// Seeds top-ups, payments and the ledger: a hold for each order and answer, its capture or release, refunds, and deposits that cover the
// expenses. The balances are the sums of the transfers.

import { transferHash } from '../../../src/ledger/checksum.ts'
import type { Size } from './seed.ts'
import { firstTelegramId, momentOf, now, type Step, userOf } from './seed-people.ts'

const welcome = 5000

/** SQL for the transfers of the orders in a table; `ordered` is the end of their keys. */
const movesOf = (table: string, ordered: string, column: string) => `
  select 'hold:' || ${ordered} as key, 'hold' as kind, user_id, 'available' as debit, 'held' as credit, amount, ${column}, created_at
  from ${table}
  union all
  select 'capture:' || ${ordered}, 'capture', user_id, 'held', 'revenue', captured, ${column}, settled_at from ${table} where captured > 0
  union all
  select 'release:' || ${ordered}, 'release', user_id, 'held', 'available', amount - coalesce(captured, 0), ${column}, settled_at
  from ${table} where settled_at is not null and amount > coalesce(captured, 0)
  union all
  select 'refund:' || ${ordered}, 'refund', user_id, 'revenue', 'available', refunded, ${column}, settled_at + interval '1 hour'
  from ${table} where refunded > 0`

const sums = `
  select user_id, sum(case 'available' when credit then amount when debit then -amount else 0 end) as available,
    sum(case 'held' when credit then amount when debit then -amount else 0 end) as held`

export function money(size: Size): readonly Step[] {
  const { deposits } = size
  const at = `lateral (select ${userOf('n', size)} as user_id, ${momentOf('n', Math.ceil((deposits * 5) / 4) + 1)} as created_at) at`
  return [
    {
      name: 'top-ups',
      text: `
        create temporary table spent as
          select user_id, sum(amount) as amount from (
            select user_id, amount from generations union all select user_id, amount from turns
          ) orders group by user_id;
        insert into top_ups (id, user_id, provider, credit, charge, currency, state, external_id, chat_id, next_check_at, expires_at, created_at)
        select word('topup', n), user_id, case when n % 2 = 0 then 'stars' else 'yookassa' end, 50000, 50000, case when n % 2 = 0 then 'XTR' else 'RUB' end,
          case when n % 5 = 0 then case when n > ${deposits} - 100 then 'open' else 'expired' end else 'paid' end,
          case when n % 2 = 1 then md5('payment' || n) end, ${firstTelegramId} + user_id,
          case when n % 10 = 5 and n > ${deposits} - 100 then ${now} end, created_at + interval '1 day', created_at
        from generate_series(1, ${Math.ceil((deposits * 5) / 4)}) n, ${at};
        analyze top_ups;
        update top_ups t set credit = ceil(s.amount / p.times) + 100, charge = ceil(s.amount / p.times) + 100
        from spent s, (select user_id, count(*) as times from top_ups where state = 'paid' group by user_id) p
        where t.user_id = s.user_id and p.user_id = s.user_id and t.state = 'paid'`,
    },
    {
      name: 'payments',
      text: `
        insert into payments (provider, charge_id, top_up_id, user_id, credit, charge, currency, created_at)
        select provider, coalesce(external_id, md5('charge' || id)), id, user_id, credit, charge, currency, created_at + interval '2 minutes'
        from top_ups where state = 'paid' order by created_at;
        insert into notices (key, kind, user_id, amount, created_at, due_at, attempts, done_at)
        select 'credited:' || provider || ':' || charge_id, 'credited', user_id, credit, created_at, created_at, 1,
          case when charge_id > '01' then created_at end
        from payments where created_at > ${now} - interval '31 days'`,
    },
    {
      name: 'transfers',
      text: `
        insert into transfers (key, kind, user_id, debit, credit, amount, generation_id, turn_id, top_up_id, created_at)
        select key, kind, user_id, debit, credit, amount, generation_id, turn_id, top_up_id, created_at from (
          select key, kind, user_id, debit, credit, amount, id as generation_id, null as turn_id, null as top_up_id, created_at
          from (${movesOf('generations', 'id', 'id')}) of_generations
          union all
          select key, kind, user_id, debit, credit, amount, null, id, null, created_at
          from (${movesOf('turns', "'turn:' || id", 'id')}) of_turns
          union all
          select 'deposit:' || provider || ':' || charge_id, 'deposit', user_id, 'provider', 'available', credit, null, null, top_up_id,
            created_at from payments
          union all
          select 'welcome:' || id, 'promotion', id, 'promotions', 'available', ${welcome}, null, null, null, created_at from users
        ) moves order by created_at`,
    },
    {
      name: 'what payments do not cover',
      text: `
        insert into promo_codes (code, amount, uses, max_uses, created_at)
        select 'GROWTH' || user_id, 100 - available, 1, 1, ${now} from (${sums} from transfers group by user_id) s where available < 0;
        insert into operator_actions (action, subject, details, created_at)
        select 'promo', 'promo:' || code, jsonb_build_object('amount', amount::text), created_at from promo_codes;
        insert into transfers (key, kind, user_id, debit, credit, amount, note, created_at)
        select 'promo:' || code || ':' || user_id, 'promotion', user_id, 'promotions', 'available', amount, code, ${now}
        from (select *, substring(code from 7)::bigint as user_id from promo_codes) given`,
    },
    {
      name: 'balances',
      text: `
        insert into balances (user_id, available, held, checksum) ${sums}, bit_xor(${transferHash}) from transfers group by user_id`,
    },
  ]
}
