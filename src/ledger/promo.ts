// Promo codes: money from the promotions account, once per person. One statement checks limit and expiry and posts the transfer.

import { eq, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { promoCodes, transfers } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import type { Kopecks } from '../money.ts'
import { forgottenSince } from '../users/user.ts'
import { post } from './ledger.ts'
import { promotion } from './moves.ts'

type Redeemed =
  | { readonly ok: true; readonly amount: Kopecks }
  /** The amount was credited earlier: also by this very message, if the answer of the database was lost and the message is handled again. */
  | { readonly ok: false; readonly reason: 'used-before'; readonly amount: Kopecks }
  | { readonly ok: false; readonly reason: PromoRefusal }

/** `returned`: this person had their data deleted after the code was created, and may have used it before that. */
type PromoRefusal = 'unknown' | 'expired' | 'used-up' | 'returned'

interface Redeemer {
  readonly userId: bigint
  /** See person.ts. */
  readonly personHash: string
}

/** Whether a text has only characters of codes, in upper or lower case. A text with other characters is not a mistyped code. */
export const hasCodeCharacters = (text: string): boolean =>
  /^[\p{Lu}\p{Nd}_-]+$/u.test(text.trim().toUpperCase())

/** @param typed the code as the user typed it, in upper or lower case */
export async function redeem(
  db: Database,
  { userId, personHash }: Redeemer,
  typed: string,
  now: Date,
): Promise<Redeemed> {
  const code = typed.trim().toUpperCase()
  const [promo] = await db.select().from(promoCodes).where(eq(promoCodes.code, code))
  if (!promo) return { ok: false, reason: 'unknown' }
  const { amount } = promo
  const use = sql`
    update ${promoCodes} p set uses = uses + 1
    where p.code = ${code} and p.uses < p.max_uses
      and (p.expires_at is null or p.expires_at > ${timestamp(now)})
      and not ${forgottenSince(personHash, sql`p.created_at`)}
    returning p.code`
  const move = promotion(userId, code, amount)
  const posted = await post(db, move, now, use)
  if (posted.ok) return { ok: true, amount }
  // The user's own earlier use is reported before all other reasons.
  const [before] = await db.select().from(transfers).where(eq(transfers.key, move.key))
  if (before) return { ok: false, reason: 'used-before', amount: before.amount }
  return { ok: false, reason: await refusal(db, code, now) }
}

/** Why the code was refused to a user who has not used it. */
async function refusal(db: Database, code: string, now: Date): Promise<PromoRefusal> {
  const [promo] = await db.select().from(promoCodes).where(eq(promoCodes.code, code))
  if (!promo) return 'unknown'
  if (promo.expiresAt && promo.expiresAt <= now) return 'expired'
  return promo.uses >= promo.maxUses ? 'used-up' : 'returned'
}
