// Invitations: which user came by the link of which other user, and what they have earned (payments/rewards.ts gives it); and the amounts
// of bonuses.

import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, oneRow, rows } from '../db/client.ts'
import { bonuses, payments, transfers, users } from '../db/schema.ts'
import { isOneOf } from '../db/sql.ts'
import type { Kopecks } from '../money.ts'
import { likeReferral } from './keys.ts'

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
export async function wasInvited(db: Database, userId: bigint): Promise<boolean> {
  const [found] = await db.select().from(users).where(eq(users.id, userId))
  return found?.referrerId != null
}

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
  /** How many of them have not topped up yet. */
  readonly waiting: number
  readonly earned: Kopecks
  /** The percents of a partner; null for everybody else. */
  readonly partnerPercent: number | null
}

export async function readInvites(db: Database, userId: bigint): Promise<Invites> {
  const asked = sql`
    select (select partner_percent from ${users} where id = ${userId}::bigint) as "partnerPercent", count(*) as came,
      count(*) filter (where not exists (select from ${payments} p where p.user_id = u.id)) as waiting,
      (select coalesce(sum(case credit when 'available' then amount else -amount end), 0) from ${transfers}
        where ${isOneOf(transfers.kind, 'promotion', 'partner')} and ${isOneOf(transfers.credit, 'available', 'promotions')}
          and user_id = ${userId}::bigint and (kind = 'partner' or key like ${likeReferral})) as earned
    from ${users} u where referrer_id = ${userId}::bigint`
  const count = z.coerce.number()
  const row = {
    came: count,
    waiting: count,
    earned: z.coerce.bigint(),
    partnerPercent: z.number().nullable(),
  }
  return oneRow(db, asked, z.object(row))
}

// The amounts and the percents of bonuses in the settings. They are stored at each start, before any is given, so that the audit finds a
// bonus of another amount; those of earlier settings stay.

interface Settings {
  readonly welcomeCredit: Kopecks
  readonly invitedBonus: Kopecks
  readonly referralBonus: Kopecks
  readonly referralPercent: number
  readonly topUp: { readonly bonusSteps: readonly { readonly percent: number }[] }
}

export async function storeBonuses(db: Database, settings: Settings): Promise<void> {
  const { welcomeCredit, invitedBonus, referralBonus, referralPercent, topUp } = settings
  await db
    .insert(bonuses)
    .values([
      { kind: 'welcome', amount: welcomeCredit },
      { kind: 'invited', amount: invitedBonus },
      { kind: 'referral', amount: referralBonus },
      { kind: 'partner', amount: BigInt(referralPercent) },
      ...topUp.bonusSteps.map(({ percent }) => ({ kind: 'top-up' as const, amount: BigInt(percent) })),
    ])
    .onConflictDoNothing()
}
