// Finding users, and the profile that an operator sees.

import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, oneRow } from '../db/client.ts'
import { generations, operatorActions, payments, transfers, users } from '../db/schema.ts'
import { isOneOf } from '../db/sql.ts'
import { type Balance, readBalance } from '../ledger/ledger.ts'
import type { Kopecks } from '../money.ts'
import { type Generation, unrefunded } from '../orders/generation.ts'
import { isPaymentNamed } from '../payments/payment.ts'
import { taxReceiptOf } from '../payments/self-employed/receipts.ts'
import { takenOf } from '../payments/taken-credit.ts'
import { userSubject } from './actions.ts'

export type Person = typeof users.$inferSelect

export interface Profile {
  readonly person: Person
  readonly balance: Balance
  /** The captured amount minus the refunded one. */
  readonly spent: Kopecks
  /** Payments without the refunded ones. */
  readonly paid: Kopecks
  readonly orders: number
  readonly failures: number
  readonly banReason: string | null
}

const mostFound = 10

interface Search {
  readonly found: readonly Person[]
  /** Whether the query is `#17`, a Telegram id, or the id of an order or payment. Any other query may find somebody by a typing mistake. */
  readonly isExact: boolean
}

/**
 * @param query `#17` (our number), `@username`, a Telegram id, our number, the id of a generation or of its task, the name of a payment,
 * or a part of a name, tried in this order until one finds a user
 */
export async function searchPeople(db: Database, query: string): Promise<Search> {
  for (const { which, isExact } of conditionsOf(query.trim())) {
    const found = await db.select().from(users).where(which).orderBy(desc(users.id)).limit(mostFound)
    if (found.length > 0) return { found, isExact }
  }
  return { found: [], isExact: false }
}

export const findPeople = async (db: Database, query: string): Promise<readonly Person[]> =>
  (await searchPeople(db, query)).found

const exact = (which: SQL) => ({ which, isExact: true })
const vague = (which: SQL) => ({ which, isExact: false })

function conditionsOf(text: string): { readonly which: SQL; readonly isExact: boolean }[] {
  if (text === '') return []
  const [, id] = /^#(\d{1,15})$/.exec(text) ?? []
  if (id) return [exact(sql`${users.id} = ${id}::bigint`)]
  const [, username] = /^@(\w+)$/.exec(text) ?? []
  if (username) return [vague(sql`lower(${users.username}) = lower(${username})`)]
  const ofGeneration = sql`${users.id} in (
    select user_id from ${generations} where id = ${text} or task_id = ${text})`
  const ofPayment = sql`${users.id} in (select user_id from ${payments} where ${isPaymentNamed(text)})`
  const part = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const byName = sql`${users.name} ilike ${part} or ${users.username} ilike ${part}`
  const numbers = [
    exact(sql`${users.telegramId} = ${text}::bigint`),
    vague(sql`${users.id} = ${text}::bigint`),
  ]
  return [...(/^\d{1,15}$/.test(text) ? numbers : []), exact(ofGeneration), exact(ofPayment), vague(byName)]
}

export async function findPerson(db: Database, id: bigint): Promise<Person | undefined> {
  const [found] = await db.select().from(users).where(eq(users.id, id))
  return found
}

const sums = z.object({
  spent: z.coerce.bigint(),
  paid: z.coerce.bigint(),
  orders: z.coerce.number(),
  failures: z.coerce.number(),
})

export async function readProfile(db: Database, person: Person): Promise<Profile> {
  const { id } = person
  const totals = sql`
    select
      (select coalesce(sum(amount), 0) from ${transfers}
          where ${isOneOf(transfers.kind, 'capture')} and user_id = ${id}::bigint)
        - (select coalesce(sum(amount), 0) from ${transfers}
          where ${isOneOf(transfers.kind, 'refund')} and ${isOneOf(transfers.credit, 'available', 'group')}
            and user_id = ${id}::bigint) as spent,
      (select coalesce(sum(credit), 0) from ${payments} where user_id = ${id}::bigint and refunded_at is null) as paid,
      count(*) as orders, count(*) filter (where ${inArray(generations.state, ['failed', 'canceled'])}) as failures
    from ${generations} where user_id = ${id}::bigint`
  const found = await oneRow(db, totals, sums)
  return { person, balance: await readBalance(db, id), ...found, banReason: await banReason(db, person) }
}

async function banReason(db: Database, { id, bannedAt }: Person): Promise<string | null> {
  if (!bannedAt) return null
  const [ban] = await db
    .select({ reason: operatorActions.reason })
    .from(operatorActions)
    .where(and(eq(operatorActions.subject, userSubject(id)), eq(operatorActions.action, 'ban')))
    .orderBy(desc(operatorActions.id))
    .limit(1)
  return ban?.reason ?? null
}

export const lastGenerations = (db: Database, userId: bigint, limit: number): Promise<Generation[]> =>
  db
    .select()
    .from(generations)
    .where(eq(generations.userId, userId))
    .orderBy(desc(generations.createdAt))
    .limit(limit)

/** With what was given back of them, and their receipts. */
export async function lastPayments(db: Database, userId: bigint, limit: number) {
  const { userId: payer, createdAt } = payments
  const last = await db.select().from(payments).where(eq(payer, userId)).orderBy(desc(createdAt)).limit(limit)
  return Promise.all(
    last.map(async (one) => {
      const [taken, receipt] = await Promise.all([takenOf(db, one), taxReceiptOf(db, one)])
      return { ...one, back: taken.sum, receipt }
    }),
  )
}
export type PaymentOfPerson = Awaited<ReturnType<typeof lastPayments>>[number]

export function operatorStateOf(
  generation: Generation,
): Generation['state'] | 'free' | 'partly' | 'refunded' {
  if (generation.arrivedLateAt) return 'free'
  if (generation.refunded === null) return generation.state
  return unrefunded(generation) > 0n ? 'partly' : 'refunded'
}
