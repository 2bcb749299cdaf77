// Promotions by operators: promo codes, made one or a batch, and ended (redeeming a code is in ledger/promo.ts); percents of partners.

import { count, desc, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, violatedConstraint } from '../db/client.ts'
import { promoCodes, users } from '../db/schema.ts'
import { bigint, integer, timestamp } from '../db/sql.ts'
import { hasCodeCharacters } from '../ledger/promo.ts'
import { dayAfter, startOfDay } from '../runtime/clock.ts'
import type { Ids } from '../runtime/ids.ts'
import { changeAndLog, type Operator, type OperatorDeps, userSubject } from './actions.ts'

export type PromoCode = typeof promoCodes.$inferSelect

/** What each of several new codes gives. */
interface NewPromo extends Pick<PromoCode, 'amount' | 'percent' | 'maxUses' | 'expiresAt'> {
  readonly by: Operator
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
export const addPromo = (deps: OperatorDeps, code: string, promo: NewPromo): Promise<boolean> =>
  addCodes(deps, [code], promo, null)

/** Makes single-use codes that begin with a name. @returns undefined when a code of them exists, so that none is made */
export async function addBatch(
  deps: OperatorDeps & { readonly ids: Ids },
  batch: string,
  size: number,
  promo: Omit<NewPromo, 'maxUses'>,
): Promise<readonly string[] | undefined> {
  const codes = Array.from({ length: size }, () => `${batch}-${deps.ids.next().toUpperCase()}`)
  return (await addCodes(deps, codes, { ...promo, maxUses: 1 }, batch)) ? codes : undefined
}

async function addCodes(
  deps: OperatorDeps,
  codes: readonly string[],
  { by, amount, percent, maxUses, expiresAt }: NewPromo,
  batch: string | null,
): Promise<boolean> {
  const details = {
    amount: amount.toString(),
    ...(percent === null ? {} : { percent }),
    ...(batch === null ? {} : { codes: codes.length }),
    uses: maxUses,
    until: expiresAt?.toISOString() ?? 'never',
  }
  const all = sql.join(
    codes.map((code) => sql`(${code})`),
    sql`, `,
  )
  const add = sql`
    insert into ${promoCodes} (code, amount, percent, batch, max_uses, expires_at, created_at)
    select c.code, ${amount}::bigint, ${integer(percent)}, ${batch}::text, ${maxUses}::integer, ${timestamp(expiresAt)},
      ${timestamp(deps.clock.now())}
    from (values ${all}) c (code) returning code`
  const action = { by, action: 'promo', subject: `promo:${batch ?? codes[0]}`, details } as const
  try {
    return await changeAndLog(deps, action, add)
  } catch (error) {
    if (violatedConstraint(error) === 'promo_codes_pkey') return false
    throw error
  }
}

/**
 * Takes the uses that are left: unlike a time, that cannot contradict a use at the same moment. Codes that wait for a top-up stay.
 * @param name a code or a batch
 * @returns false when nothing is left
 */
export const endPromo = (deps: OperatorDeps, by: Operator, name: string): Promise<boolean> =>
  changeAndLog(
    deps,
    { by, action: 'promo-end', subject: `promo:${name}` },
    sql`update ${promoCodes} set max_uses = uses where ${name} in (code, batch) and uses < max_uses returning code`,
  )

interface Promo extends Pick<PromoCode, 'amount' | 'percent' | 'expiresAt'> {
  /** The code, or the batch. */
  readonly name: string
  readonly codes: number
  readonly uses: number
  readonly maxUses: number
}

/** Codes, each batch as one, the newest first. */
export const listPromos = (db: Database, which?: SQL): Promise<Promo[]> =>
  db
    .select({
      name: sql<string>`coalesce(${promoCodes.batch}, ${promoCodes.code})`,
      codes: count(),
      uses: sql<number>`sum(${promoCodes.uses})::integer`,
      maxUses: sql<number>`sum(${promoCodes.maxUses})::integer`,
      amount: promoCodes.amount,
      percent: promoCodes.percent,
      expiresAt: promoCodes.expiresAt,
    })
    .from(promoCodes)
    .where(which)
    .groupBy(sql`1`, promoCodes.batch, promoCodes.amount, promoCodes.percent, promoCodes.expiresAt)
    .orderBy(desc(sql`max(${promoCodes.createdAt})`))
    .limit(50)

/**
 * Undefined when there is no such code or batch, or nobody can use it any more.
 * @param typed in upper or lower case
 */
export async function runningPromo({ db, clock }: OperatorDeps, typed: string): Promise<Promo | undefined> {
  const found = await listPromos(
    db,
    sql`${typed.trim().toUpperCase()} in (${promoCodes.code}, ${promoCodes.batch})`,
  )
  return found.find(
    ({ uses, maxUses, expiresAt }) => uses < maxUses && (expiresAt === null || expiresAt > clock.now()),
  )
}

/** A user to whom an operator gives percents of their own for the top-ups of the people they invite. */
interface Partner {
  readonly by: Operator
  readonly userId: bigint
  /** Null for REFERRAL_PERCENT, as everybody else. */
  readonly percent: number | null
  readonly reason: string
}

/** @returns false when nothing changes */
export const setPartner = (deps: OperatorDeps, { by, userId, percent, reason }: Partner): Promise<boolean> =>
  changeAndLog(
    deps,
    { by, action: 'partner', subject: userSubject(userId), reason, details: { percent: percent ?? 'usual' } },
    sql`update ${users} set partner_percent = ${integer(percent)}
      where id = ${bigint(userId)} and forgotten_at is null and partner_percent is distinct from ${integer(percent)} returning id`,
  )
