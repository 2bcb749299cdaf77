// The invariants of money that was credited without a payment: promo codes, bonuses for invitations, corrections by operators.

import { amountOfAction, type Invariant, roubles } from './invariant.ts'

export const gifts: readonly Invariant[] = [
  {
    name: 'a promo code is one that an operator made',
    broken: `
      select p.code as subject, format('gives %s, %s uses, no action that made it so', ${roubles('p.amount')}, p.uses) as fact
      from promo_codes p
      where not exists (
        select from operator_actions a where a.subject = 'promo:' || p.code and a.action = 'promo' and ${amountOfAction} = p.amount)`,
  },
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
    name: 'a promo code gives its amount, while it is valid',
    broken: `
      select t.key as subject, format('given %s at %s, the code gives %s until %s',
        ${roubles('t.amount')}, t.created_at, ${roubles('p.amount')}, coalesce(p.expires_at::text, 'ever')) as fact
      from transfers t join promo_codes p on p.code = t.note
      where t.kind = 'promotion' and t.key like 'promo:%'
        and (t.amount <> p.amount or t.created_at >= p.expires_at)`,
  },
  {
    name: 'a bonus has an amount that the settings have had',
    broken: `
      select t.key as subject, format('given %s to user %s', ${roubles('t.amount')}, t.user_id) as fact
      from transfers t
      where t.kind = 'promotion' and t.credit = 'available' and split_part(t.key, ':', 1) in (select kind from bonuses)
        and not exists (select from bonuses b where b.kind = split_part(t.key, ':', 1) and b.amount = t.amount)`,
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
    name: 'a referral bonus is taken again from the inviter who got it, and only after a refund to the invited user',
    broken: `
      select t.key as subject, format('taken %s from user %s, given %s to user %s', ${roubles('t.amount')}, t.user_id,
        ${roubles('g.amount')}, g.user_id) as fact
      from transfers t left join transfers g on g.key = replace(t.key, 'referral-back:', 'referral:')
      where t.kind = 'promotion' and t.key like 'referral-back:%' and ((t.user_id, t.amount) is distinct from (g.user_id, g.amount)
        or not exists (select from payments p where t.key = 'referral-back:' || p.user_id and p.refunded_at is not null))`,
  },
  {
    name: 'each correction has an action of an operator, and each such action has a correction',
    broken: `
      select coalesce(t.key, 'action ' || a.id) as subject, format('%s of %s: moved %s, user %s',
        a.action, ${roubles(`abs(${amountOfAction})`)}, ${roubles('t.amount')}, t.user_id) as fact
      from (select * from transfers where kind = 'correction' and key not like 'correction:refund:%') t
        full join (select * from operator_actions where action in ('grant', 'debit')) a
        on t.key = 'correction:' || (a.details ->> 'key')
      where t.id is null or a.id is null or a.subject <> 'user:' || t.user_id
        or abs(${amountOfAction}) is distinct from t.amount or a.reason is distinct from t.note
        or a.action <> case t.credit when 'available' then 'grant' else 'debit' end`,
  },
]
