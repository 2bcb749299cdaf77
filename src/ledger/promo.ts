// Promo codes, each once per person: money from the promotions account, or percents of the next top-up, for which the code waits. One
// statement checks limit and expiry, and posts the transfer or keeps the code.

import { and, eq, gt, isNull, or, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, rows, violatedConstraint } from '../db/client.ts'
import { codeUses, promoCodes, transfers } from '../db/schema.ts'
import { bigint, isOneOf, timestamp } from '../db/sql.ts'
import type { Kopecks } from '../money.ts'
import { forgottenSince } from '../users/user.ts'
import { post } from './ledger.ts'
import { promotion } from './moves.ts'

type PromoCode = typeof promoCodes.$inferSelect

type Redeemed =
  | { readonly ok: true; readonly amount: Kopecks }
  /** The code waits for the next top-up: also if it was redeemed earlier. */
  | { readonly ok: true; readonly waits: WaitingCode }
  /** The amount was credited earlier: also by this very message, if the answer of the database was lost and the message is handled again. */
  | { readonly ok: false; readonly reason: 'used-before'; readonly amount: Kopecks }
  /** Another code waits. */
  | { readonly ok: false; readonly reason: 'waiting'; readonly code: string }
  | { readonly ok: false; readonly reason: PromoRefusal }

/** `returned`: this person had their data deleted after the code was created, and may have used it before that. */
type PromoRefusal = 'unknown' | 'expired' | 'used-up' | 'returned'

/** A code with percents that applies to the next top-up. */
export interface WaitingCode extends Pick<PromoCode, 'code' | 'expiresAt'> {
  readonly percent: number
  /** The most that it brings. */
  readonly most: Kopecks
}

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
  const { amount, percent } = promo
  const use = sql`
    update ${promoCodes} p set uses = uses + 1
    where p.code = ${code} and p.uses < p.max_uses
      and (p.expires_at is null or p.expires_at > ${timestamp(now)})
      and not ${forgottenSince(personHash, sql`p.created_at`)}
    returning p.code`
  if (percent !== null) return await keepForTopUp(db, userId, code, now, use)
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

/** A code that was redeemed before, or another one that waits, violates a constraint. @param use the update that counts the use */
async function keepForTopUp(
  db: Database,
  userId: bigint,
  code: string,
  now: Date,
  use: SQL,
): Promise<Redeemed> {
  await db.execute(sql`
    update ${codeUses} u set is_waiting = false from ${promoCodes} p
    where u.user_id = ${bigint(userId)} and p.code = u.code and p.expires_at <= ${timestamp(now)}`)
  const keep = sql`
    with used as (${use})
    insert into ${codeUses} (user_id, code, created_at) select ${bigint(userId)}, code, ${timestamp(now)} from used
    returning code`
  try {
    const kept = await rows(db, keep, z.unknown())
    if (kept.length === 0) return { ok: false, reason: await refusal(db, code, now) }
  } catch (error) {
    if (!violatedConstraint(error)?.startsWith('code_uses_')) throw error
  }
  const waits = await waitingCode(db, userId, now)
  if (waits)
    return waits.code === code ? { ok: true, waits } : { ok: false, reason: 'waiting', code: waits.code }
  const isIts = and(eq(transfers.userId, userId), isOneOf(transfers.kind, 'bonus'), eq(transfers.note, code))
  const [given] = await db
    .select()
    .from(transfers)
    .where(and(isIts, isOneOf(transfers.credit, 'available')))
  return given ? { ok: false, reason: 'used-before', amount: given.amount } : { ok: false, reason: 'expired' }
}

/** The code that applies to the next top-up of this user. */
export async function waitingCode(db: Database, userId: bigint, now: Date): Promise<WaitingCode | undefined> {
  const { code, percent, amount, expiresAt } = promoCodes
  const [found] = await db
    .select({ code, percent, most: amount, expiresAt })
    .from(codeUses)
    .innerJoin(promoCodes, eq(code, codeUses.code))
    .where(and(eq(codeUses.userId, userId), codeUses.isWaiting, or(isNull(expiresAt), gt(expiresAt, now))))
  return found?.percent ? { ...found, percent: found.percent } : undefined
}
