// What a payment brings beside its credit: to its payer the bonus that was promised with the top-up and the percents of a waiting code, to
// the inviter a sum for the first payment and percents of each. Every reward is one transfer whose key names the payment (that of the sum
// the invited user), so that it is given once. A refund takes the same share of it, which may become a debt.

import { inArray, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, type DbDeps, rows } from '../db/client.ts'
import { codeUses, notices, payments, promoCodes, topUps, transfers, users } from '../db/schema.ts'
import { bigint, integer, isOneOf, timestamp } from '../db/sql.ts'
import { chargeName, rewardKey } from '../ledger/keys.ts'
import { isGuarded, type Transfer } from '../ledger/ledger.ts'
import { rewardBackOf, rewardOf } from '../ledger/moves.ts'
import type { Kopecks } from '../money.ts'
import { dayMs } from '../runtime/clock.ts'
import type { Ids } from '../runtime/ids.ts'
import { insertNotice, type NewNotice, noticeKey } from './notices.ts'
import type { Payment } from './payment.ts'
import { postTaking, takenSum } from './taken-credit.ts'
import type { FollowUp } from './top-ups.ts'

interface Rules {
  /** Given to the inviter when the invited user pays for the first time. */
  readonly referralBonus: Kopecks
  /** What an inviter gets of each payment; partners have percents of their own. */
  readonly referralPercent: number
  /** How many payments of an invited user bring these percents, apart from those that were given back; undefined for all. */
  readonly referralPayments: number | undefined
}

type Deps = DbDeps & Rules & { readonly ids: Ids; readonly wakeNotices: () => void }

export function createRewards(deps: Deps): FollowUp {
  const since = () => timestamp(deps.clock.now(), -dayMs)
  const give = async (which: SQL) => {
    for (const due of await dueRewards(deps, which, since())) await giveReward(deps, due)
  }
  const takeBack = async (which: SQL) => {
    for (const given of await givenRewards(deps.db, which)) if (given.over > 0n) await takeReward(deps, given)
  }
  return {
    onCredited: (payment) => give(isPayment(payment)),
    onRefunded: (payment) => takeBack(isPayment(payment)),
    async catchUp() {
      await give(sql`true`)
      await takeBack(isRefundedSince(since()))
    },
  }
}

type Named = Pick<Payment, 'provider' | 'chargeId'>

const isPayment = ({ provider, chargeId }: Named): SQL =>
  sql`p.provider = ${provider} and p.charge_id = ${chargeId}`

/** Whether a part of the payment `p`, or all of it, was given back since then. */
const isRefundedSince = (since: SQL): SQL => sql`(p.refunded_at >= ${since} or p.top_up_id in (
  select top_up_id from ${transfers}
  where ${isOneOf(transfers.kind, 'refund')} and ${isOneOf(transfers.credit, 'provider')} and created_at >= ${since}))`

const charge = sql`p.provider || ':' || p.charge_id`

const reward = z.object({
  name: z.enum(['bonus', 'code', 'partner', 'referral']),
  /** The charge, as provider and id; of `referral` the number of the invited user. */
  of: z.string(),
  userId: z.coerce.bigint(),
  amount: z.coerce.bigint(),
  topUpId: z.string().nullable(),
  note: z.string().nullable(),
})
type Reward = z.output<typeof reward>

const dueReward = reward.extend({ provider: z.string(), chargeId: z.string() })
type Due = z.output<typeof dueReward>

/** The rewards that these payments have not brought yet. @param since older payments bring nothing any more */
function dueRewards({ db, ...rules }: Deps, which: SQL, since: SQL): Promise<Due[]> {
  const { referralBonus, referralPercent, referralPayments } = rules
  const place = sql`(select count(*) from ${payments} o
    where o.user_id = p.user_id and o.refunded_at is null and (o.created_at, o.charge_id) <= (p.created_at, p.charge_id))`
  const isCounted = referralPayments === undefined ? sql`true` : sql`${place} <= ${integer(referralPayments)}`
  const asked = sql`
    with paid as (
      select p.*, ${charge} as name, t.bonus, inviter.id as inviter_id, ${isCounted} as is_counted,
        p.credit * coalesce(inviter.partner_percent, ${integer(referralPercent)}) / 100 as share
      from ${payments} p join ${topUps} t on t.id = p.top_up_id join ${users} payer on payer.id = p.user_id
        left join ${users} inviter on inviter.id = payer.referrer_id and inviter.banned_at is null
      where p.created_at >= ${since} and ${which}
    ), due (name, "of", "userId", amount, "topUpId", note, provider, "chargeId", at) as (
      select 'bonus', name, user_id, bonus, top_up_id, null::text, provider, charge_id, created_at from paid
      union all
      select 'code', name, p.user_id, least(p.credit * c.percent / 100, c.amount), top_up_id, c.code, provider, charge_id, p.created_at
      from paid p join ${codeUses} u on u.user_id = p.user_id and u.is_waiting and u.created_at <= p.created_at
        join ${promoCodes} c on c.code = u.code and (c.expires_at is null or c.expires_at > p.created_at)
      union all
      select 'partner', name, inviter_id, share, null, null, provider, charge_id, created_at from paid where is_counted
      union all
      select 'referral', user_id::text, inviter_id, ${bigint(referralBonus)}, null, null, provider, charge_id, created_at from paid
    )
    select name, "of", "userId"::text, amount::text, "topUpId", note, provider, "chargeId" from due
    where "userId" is not null and amount > 0 and not exists (select from ${transfers} g where g.key = name || ':' || "of")
    order by at`
  return rows(db, asked, dueReward)
}

/** The payer is told by the message about the top-up, unless it was sent before. */
function giveReward(deps: Deps, due: Due): Promise<void> {
  if (!isPayers(due)) return moveAndTell(deps, rewardOf(due), 'invite-paid', guardOf(due))
  const credited = noticeKey({ kind: 'credited', event: chargeName(due.provider, due.chargeId) })
  const isUntold = sql`exists (select from ${notices} where key = ${credited} and done_at is null and lease_until is null)`
  return moveAndTell(deps, rewardOf(due), 'bonus', guardOf(due), sql`not ${isUntold}`)
}

const isPayers = ({ name }: Reward): boolean => name === 'bonus' || name === 'code'

/** A second call at the same moment violates the key of the transfer. @param isTold a condition of the notice */
async function moveAndTell(
  deps: Deps,
  move: Transfer,
  kind: NewNotice['kind'],
  guard = sql`select 1`,
  isTold = sql`true`,
): Promise<void> {
  const { userId, amount } = move
  const notice = { kind, event: move.key, userId, amount }
  const told = insertNotice(notice, deps.clock.now(), sql`${isGuarded} and ${isTold}`)
  const posted = await postTaking(deps, { taking: move, guard, also: [told], isMade: true })
  if (posted.ok) deps.wakeNotices()
}

/** The payment was not given back, whoever gets the reward has not deleted their data, and a code still waits. */
function guardOf({ name, userId, note, ...payment }: Due): SQL {
  const stands = sql`exists (
    select from ${payments} p join ${users} u on u.id = ${bigint(userId)}
    where ${isPayment(payment)} and p.refunded_at is null and u.forgotten_at is null)`
  return name === 'code'
    ? sql`update ${codeUses} set is_waiting = false
        where user_id = ${bigint(userId)} and code = ${note} and is_waiting and ${stands} returning code`
    : sql`select 1 where ${stands}`
}

const givenReward = reward.extend({
  /** What was taken back of it. */
  back: z.coerce.bigint(),
  /** What has to be taken back now. */
  over: z.coerce.bigint(),
  /** What would go with the whole payment. */
  atStake: z.coerce.bigint(),
})
type Given = z.output<typeof givenReward>

/**
 * The rewards that these payments have brought. The inviter's sum goes with the last payment of the invited user. While the provider is
 * asked for a whole refund, its credit is taken and the rewards stay.
 */
function givenRewards(db: Database, which: SQL): Promise<Given[]> {
  const goes = sql`(name <> 'referral' or not exists (select from ${payments} o
    where o.user_id = p.user_id and o.refunded_at is null and (o.provider, o.charge_id) <> (p.provider, p.charge_id)))`
  const asked = sql`
    select name, "of", g.user_id::text as "userId", g.amount::text as amount, g.top_up_id as "topUpId", g.note, back::text as back,
      (case when not ${goes} then 0 when p.refunded_at is not null then g.amount - back
        when name <> 'referral' and taken < p.credit then div(g.amount * taken, p.credit) - back else 0 end)::text as over,
      (case when ${goes} then g.amount - back else 0 end)::text as "atStake"
    from ${payments} p
      cross join lateral (values ('bonus', ${charge}), ('code', ${charge}), ('partner', ${charge}), ('referral', p.user_id::text)) r (name, "of")
      join ${transfers} g on g.key = name || ':' || "of"
      cross join lateral (select ${takenSum} as taken) t
      cross join lateral (
        select coalesce(sum(b.amount), 0) as back from ${transfers} b
        where b.user_id = g.user_id and split_part(b.key, '#', 1) = name || '-back:' || "of") b
    where ${which}`
  return rows(db, asked, givenReward)
}

/** What is taken from the payer and from the inviter when this payment is refunded as a whole. */
export async function rewardsAtStake(db: Database, payment: Named) {
  const given = await givenRewards(db, isPayment(payment))
  const sum = (all: readonly Given[]) => all.reduce((total, { atStake }) => total + atStake, 0n)
  return { payer: sum(given.filter(isPayers)), inviter: sum(given.filter((one) => !isPayers(one))) }
}

const takeReward = (deps: Deps, given: Given): Promise<void> =>
  moveAndTell(
    deps,
    rewardBackOf({ ...given, amount: given.over }, given.back),
    isPayers(given) ? 'bonus-refunded' : 'invite-refunded',
  )

/** What a payment has brought to its payer. @param of the charge, as provider and id */
export async function payersRewards(db: Database, of: string): Promise<Kopecks> {
  const keys = [rewardKey('bonus', of), rewardKey('code', of)]
  const given = await db.select().from(transfers).where(inArray(transfers.key, keys))
  return given.reduce((sum, { amount }) => sum + amount, 0n)
}
