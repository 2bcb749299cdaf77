// Promo codes of operators: how they are created and ended. Redeeming a code is in ledger/promo.ts.

import { desc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../db/client.ts'
import { promoCodes } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { hasCodeCharacters } from '../ledger/promo.ts'
import type { Kopecks } from '../money.ts'
import { dayAfter, startOfDay } from '../runtime/clock.ts'
import { changeAndLog, type Operator, type OperatorDeps } from './actions.ts'

type PromoCode = typeof promoCodes.$inferSelect

interface NewPromo {
  readonly by: Operator
  readonly code: string
  readonly amount: Kopecks
  readonly maxUses: number
  readonly expiresAt: Date | null
}

/** Reads a new code and writes it in capitals; undefined when it is not valid. Shorter codes could be guessed; old ones stay valid. */
export function readCode(text: string): string | undefined {
  const code = text.trim().toUpperCase()
  return hasCodeCharacters(code) && /^.{6,32}$/u.test(code) ? code : undefined
}

/** Reads a date and returns the end of that day; undefined when the text is not a date. */
export function readDay(text: string, zone: string): Date | undefined {
  const day = z.iso.date().safeParse(text)
  return day.success ? startOfDay(dayAfter(day.data, 1), zone) : undefined
}

/** @returns false when the code exists */
export function addPromo(deps: OperatorDeps, promo: NewPromo): Promise<boolean> {
  const { by, code, amount, maxUses, expiresAt } = promo
  const details = { amount: amount.toString(), uses: maxUses, until: expiresAt?.toISOString() ?? 'never' }
  const add = sql`
    insert into ${promoCodes} (code, amount, max_uses, expires_at, created_at)
    values (${code}, ${amount}::bigint, ${maxUses}::integer, ${timestamp(expiresAt)}, ${timestamp(deps.clock.now())})
    on conflict do nothing returning code`
  return changeAndLog(deps, { by, action: 'promo', subject: `promo:${code}`, details }, add)
}

/** Takes the uses that are left: unlike a time, that cannot contradict a use at the same moment. @returns false when nothing is left */
export const endPromo = (deps: OperatorDeps, by: Operator, code: string): Promise<boolean> =>
  changeAndLog(
    deps,
    { by, action: 'promo-end', subject: `promo:${code}` },
    sql`update ${promoCodes} set max_uses = uses where code = ${code} and uses < max_uses returning code`,
  )

/** Undefined when there is no such code, or nobody can use it any more. @param typed in upper or lower case */
export async function runningPromo(
  { db, clock }: OperatorDeps,
  typed: string,
): Promise<PromoCode | undefined> {
  const [found] = await db.select().from(promoCodes).where(eq(promoCodes.code, typed.trim().toUpperCase()))
  if (!found || found.uses >= found.maxUses) return undefined
  return found.expiresAt === null || found.expiresAt > clock.now() ? found : undefined
}

/** The newest first. */
export const listPromos = (db: Database): Promise<PromoCode[]> =>
  db.select().from(promoCodes).orderBy(desc(promoCodes.createdAt)).limit(50)
