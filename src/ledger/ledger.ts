// The only writer of money. Every move is one SQL statement: a guard (a conditional state change of the caller), the transfers, and
// the balances that they change, with the checksum of their transfers; all of it is written, or nothing.

import assert from 'node:assert/strict'
import { eq, type SQL, sql } from 'drizzle-orm'
import { type Database, violatedConstraint } from '../db/client.ts'
import { flag, type Reader, readRows } from '../db/row-reader.ts'
import { type accounts, balances, type transferKinds, transfers, wallets } from '../db/schema.ts'
import { type Part, timestamp, withParts } from '../db/sql.ts'
import type { Kopecks } from '../money.ts'
import { transferHash } from './checksum.ts'

type Account = (typeof accounts)[number]

export interface Transfer {
  /** Names the operation: a second transfer with the same key is refused. */
  readonly key: string
  readonly kind: (typeof transferKinds)[number]
  readonly userId: bigint
  readonly debit: Account
  readonly credit: Account
  readonly amount: Kopecks
  readonly generationId?: string
  readonly topUpId?: string
  readonly turnId?: string
  /** The wallet to which the account `group` or `group-held` belongs. */
  readonly walletId?: bigint
  readonly note?: string
  /** The money has already gone: what the balance lacks becomes a debt of the user. */
  readonly mayOwe?: boolean
}

type NotPosted =
  /** The guard returned no row: another process was first, or the state does not allow the transfer. */
  | { readonly ok: false; readonly reason: 'guarded' }
  | { readonly ok: false; readonly reason: 'insufficient' }
  | { readonly ok: false; readonly reason: 'duplicate' }

export type Posted = { readonly ok: true } | NotPosted
type PostedRow<Row> = { readonly ok: true; readonly row: Row } | NotPosted

export interface Balance {
  /** Below zero it is a debt. */
  readonly available: Kopecks
  readonly held: Kopecks
}

/**
 * Posts the transfers if the guard returns a row.
 * @param guard an `insert`/`update … returning` of the same step
 * @param also further statements of the same step, each with the condition `isGuarded`
 */
export async function post(
  db: Database,
  moves: readonly Transfer[],
  now: Date,
  guard: SQL = sql`select 1`,
  also: readonly SQL[] = [],
): Promise<Posted> {
  const posted = await postReading({ db, moves, now, guard, also }, sql`select true from guard limit 1`, flag)
  return posted.ok ? { ok: true } : posted
}

interface Step {
  readonly db: Database
  readonly moves: readonly Transfer[]
  readonly now: Date
  readonly guard: SQL
  readonly also?: readonly SQL[]
}

/**
 * Does the same as `post`, and also reads the row that the guard has returned.
 * @param select selects from the part `guard` what the readers read
 */
export async function postReading<Values extends readonly unknown[]>(
  { db, guard, ...step }: Step,
  select: SQL,
  ...readers: { readonly [At in keyof Values]: Reader<Values[At]> }
): Promise<PostedRow<Values>> {
  assert(step.moves.length > 0, 'a post has at least one transfer')
  const parts = [{ name: 'guard', statement: guard }, ...writes(step)]
  try {
    const [row] = await readRows<Values>(db, withParts(parts, select), ...readers)
    return row === undefined ? { ok: false, reason: 'guarded' } : { ok: true, row }
  } catch (error) {
    const constraint = violatedConstraint(error)
    if (constraint === 'balances_not_negative' || constraint === 'wallets_not_negative')
      return { ok: false, reason: 'insufficient' }
    if (constraint === 'transfers_key_key') return { ok: false, reason: 'duplicate' }
    throw error
  }
}

const signed = (account: Account) =>
  sql.raw(`case '${account}' when credit then amount when debit then -amount else 0 end`)

/** Every statement locks the balances of users before wallets, so that two statements never wait for each other. */
const walletChanges = sql`
  update ${wallets} w set available = w.available + c.available, held = w.held + c.held
  from (
    select wallet_id, sum(${signed('group')}) as available, sum(${signed('group-held')}) as held
    from posted group by wallet_id
  ) c, (select count(*) from changed) locked
  where w.id = c.wallet_id`

/**
 * The debt after a move. An ordinary one never makes or raises a debt: the constraint refuses it when it lowers the balance below zero. It is
 * computed from the balance itself, since a process of an earlier version does not write the column.
 */
const debt = (mayOwe: boolean) =>
  mayOwe
    ? sql`greatest(0, -(b.available + c.available))`
    : sql`greatest(0, -greatest(b.available, b.available + c.available))`

/** Whether the guard of the statement has returned a row. */
export const isGuarded = sql`exists (select from guard)`

function writes({ moves, now, also = [] }: Omit<Step, 'db' | 'guard'>): Part[] {
  const values = moves.map(
    (m) => sql`(${m.key}, ${m.kind}, ${m.userId}::bigint, ${m.debit}, ${m.credit}, ${m.amount}::bigint,
      ${m.generationId ?? null}, ${m.topUpId ?? null}, ${m.turnId ?? null}, ${m.note ?? null}, ${m.walletId ?? null}::bigint)`,
  )
  const posted = sql`
    insert into ${transfers} (key, kind, user_id, debit, credit, amount, generation_id, top_up_id, turn_id, note, wallet_id, created_at)
    select m.*, ${timestamp(now)}
    from (values ${sql.join(values, sql`, `)})
      as m (key, kind, user_id, debit, credit, amount, generation_id, top_up_id, turn_id, note, wallet_id)
    where ${isGuarded}
    returning user_id, wallet_id, debit, credit, amount, ${sql.raw(transferHash)} as hash`
  const change = sql`
    select user_id, sum(${signed('available')}) as available, sum(${signed('held')}) as held, bit_xor(hash) as checksum
    from posted group by user_id`
  const owed = debt(moves.some(({ mayOwe }) => mayOwe))
  const changed = sql`
    update ${balances} b set available = b.available + c.available, held = b.held + c.held, owed = ${owed},
      checksum = b.checksum # c.checksum
    from change c where b.user_id = c.user_id
    returning b.user_id`
  const isByWallet = moves.some(({ walletId }) => walletId !== undefined)
  return [
    ...also.map((statement, at) => ({ name: `also_${at}`, statement })),
    { name: 'posted', statement: posted },
    { name: 'change', statement: change },
    { name: 'changed', statement: changed },
    ...(isByWallet ? [{ name: 'wallets_changed', statement: walletChanges }] : []),
  ]
}

export async function readBalance(db: Database, userId: bigint): Promise<Balance> {
  const [found] = await db.select().from(balances).where(eq(balances.userId, userId))
  return found ?? { available: 0n, held: 0n }
}
