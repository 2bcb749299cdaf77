// Invitations: which user came by the link of which other user, and the bonus for it, once per invited user; and the amounts of bonuses.

import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, oneRow, rows } from '../db/client.ts'
import { bonuses, payments, transfers, users } from '../db/schema.ts'
import { isOneOf, timestamp } from '../db/sql.ts'
import type { Kopecks } from '../money.ts'
import { keyInSql, likeKey, referralBackKey, referralKey } from './keys.ts'
import { post } from './ledger.ts'
import { referral, referralBack } from './moves.ts'

/**
 * The code in a user's invitation link: the number of the user's row. It reveals no Telegram id, and a guessed code only gives the bonus
 * to another user. Signed codes would become invalid with the bot token, and so would all links that were posted.
 */
export const inviteCode = (userId: bigint): string => userId.toString(36)

function readCode(code: string): bigint | undefined {
  if (!/^[0-9a-z]{1,10}$/.test(code)) return undefined
  return [...code].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n)
}

/** Whether the user came by an invitation. */
export const wasInvited = async (db: Database, userId: bigint): Promise<boolean> =>
  (await db.$count(users, and(eq(users.id, userId), isNotNull(users.referrerId)))) > 0

/** Sets the inviter of a new user. The inviter's row must be older, so that users cannot invite themselves or each other in a circle. */
export async function setReferrer(db: Database, userId: bigint, code: string): Promise<boolean> {
  const referrerId = readCode(code)
  if (referrerId === undefined) return false
  const set = sql`
    update ${users} u set referrer_id = r.id from ${users} r
    where u.id = ${userId}::bigint and u.referrer_id is null and r.id = ${referrerId}::bigint and r.id < u.id
      and r.forgotten_at is null and r.banned_at is null
    returning u.id::text`
  return (await rows(db, set, z.object({ id: z.string() }))).length > 0
}

interface Invites {
  readonly came: number
  readonly earned: Kopecks
}

export async function readInvites(db: Database, userId: bigint): Promise<Invites> {
  const asked = sql`
    select (select count(*) from ${users} where referrer_id = ${userId}::bigint) as came,
      (select coalesce(sum(case credit when 'available' then amount else -amount end), 0) from ${transfers}
        where ${isOneOf(transfers.kind, 'promotion')} and ${isOneOf(transfers.credit, 'available', 'promotions')}
          and user_id = ${userId}::bigint
          and (key like ${likeKey(referralKey)} or key like ${likeKey(referralBackKey)})) as earned`
  return oneRow(db, asked, z.object({ came: z.coerce.number(), earned: z.coerce.bigint() }))
}

type ReferralPaid =
  | { readonly ok: true; readonly referrerId: bigint }
  /** There is no inviter, or the inviter is deleted or banned; nothing was paid yet; or the bonus was given before. */
  | { readonly ok: false }

/**
 * Called after every credited top-up. Only the first call that finds a payment gives the bonus.
 * @param also statements about the inviter for the same step; see `post`
 */
export async function payReferral(
  db: Database,
  invitedId: bigint,
  bonus: Kopecks,
  now: Date,
  also: (referrerId: bigint) => readonly SQL[] = () => [],
): Promise<ReferralPaid> {
  if (bonus <= 0n) return { ok: false }
  const [invited] = await db.select().from(users).where(eq(users.id, invitedId))
  if (!invited || invited.referrerId === null) return { ok: false }
  const { referrerId } = invited
  const isDue = sql`
    select r.id from ${users} r
    where r.id = ${referrerId}::bigint and r.forgotten_at is null and r.banned_at is null
      and exists (select from ${payments} p where p.user_id = ${invitedId}::bigint and p.refunded_at is null)`
  const posted = await post(db, referral(referrerId, invitedId, bonus), now, isDue, also(referrerId))
  return posted.ok ? { ok: true, referrerId } : { ok: false }
}

/** An SQL condition on an invited user: the bonus for them was not taken again. */
const isKept = (invitedId: SQL): SQL =>
  sql`not exists (select from ${transfers} b where b.key = ${keyInSql(referralBackKey, invitedId)})`

/** The bonus that goes with the refund of the only payment of an invited user that is not refunded; undefined if there is none. */
export async function bonusOfOnlyPayment(db: Database, invitedId: bigint): Promise<Kopecks | undefined> {
  const asked = sql`
    select amount from ${transfers} where key = ${referralKey(String(invitedId))} and ${isKept(sql`${invitedId}::bigint`)}
      and (select count(*) from ${payments} where user_id = ${invitedId}::bigint and refunded_at is null) = 1`
  const [paid] = await rows(db, asked, z.object({ amount: z.coerce.bigint() }))
  return paid?.amount
}

interface Bonus {
  readonly referrerId: bigint
  readonly amount: Kopecks
}

/**
 * Called after every whole refund. The bonus stays while the invited user has a payment that is not refunded; it is not given a second time.
 * @param also statements about the inviter for the same step; see `post`
 * @returns whether the bonus was taken now
 */
export async function takeReferralBack(
  db: Database,
  invitedId: bigint,
  now: Date,
  also: (bonus: Bonus) => readonly SQL[] = () => [],
): Promise<boolean> {
  const [given] = await db
    .select()
    .from(transfers)
    .where(eq(transfers.key, referralKey(String(invitedId))))
  if (!given) return false
  const { userId: referrerId, amount } = given
  const isDue = sql`
    select 1 where not exists (select from ${payments} where user_id = ${invitedId}::bigint and refunded_at is null)`
  const move = referralBack(referrerId, invitedId, amount)
  return (await post(db, move, now, isDue, also({ referrerId, amount }))).ok
}

/** @returns invited users with a payment after `since` whose inviter has not received the bonus, for instance because the process ended */
export async function payersWithoutBonus(db: Database, since: Date): Promise<readonly bigint[]> {
  const asked = sql`
    select distinct u.id::text from ${payments} p join ${users} u on u.id = p.user_id
    where p.created_at >= ${timestamp(since)} and p.refunded_at is null and u.referrer_id is not null
      and not exists (select from ${transfers} t where t.key = ${keyInSql(referralKey, sql`u.id`)})`
  return (await rows(db, asked, z.object({ id: z.coerce.bigint() }))).map(({ id }) => id)
}

/** @returns invited users with a refund after `since` and no payment left whose inviter still has the bonus */
export async function refundedWithBonus(db: Database, since: Date): Promise<readonly bigint[]> {
  const asked = sql`
    select distinct p.user_id::text as id from ${payments} p
      join ${transfers} t on t.key = ${keyInSql(referralKey, sql`p.user_id`)}
    where p.refunded_at >= ${timestamp(since)} and ${isKept(sql`p.user_id`)}
      and not exists (select from ${payments} o where o.user_id = p.user_id and o.refunded_at is null)`
  return (await rows(db, asked, z.object({ id: z.coerce.bigint() }))).map(({ id }) => id)
}

// The amounts of bonuses in the settings. They are stored at each start, before any is given, so that the audit finds a bonus of another
// amount; those of earlier settings stay.

interface Settings {
  readonly welcomeCredit: Kopecks
  readonly invitedBonus: Kopecks
  readonly referralBonus: Kopecks
}

export async function storeBonuses(
  db: Database,
  { welcomeCredit, invitedBonus, referralBonus }: Settings,
): Promise<void> {
  await db
    .insert(bonuses)
    .values([
      { kind: 'welcome', amount: welcomeCredit },
      { kind: 'invited', amount: invitedBonus },
      { kind: 'referral', amount: referralBonus },
    ])
    .onConflictDoNothing()
}
