// Wallets of groups: their owners open, fill, switch and empty them. The spending of members is recorded with their orders.

import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { type Database, oneRow, rows, violatedConstraint } from '../db/client.ts'
import { accounts, transfers, users } from '../db/schema.ts'
import { bigint, isOneOf, readRows, timestamp } from '../db/sql.ts'
import type { Kopecks } from '../money.ts'
import { transferHash } from './checksum.ts'
import { takeBackKey } from './keys.ts'
import { isAccountOf, type Posted, post } from './ledger.ts'
import { fund as fundMove } from './moves.ts'

export type Wallet = typeof accounts.$inferSelect

interface NewWallet {
  readonly ownerId: bigint
  readonly chatId: number
  readonly title: string
  readonly dailyCap: Kopecks
}

/** Opens a wallet, or switches the owner's earlier one of this group on. @returns undefined while another owner's wallet is on */
export async function openWallet(
  db: Database,
  { ownerId, chatId, title, dailyCap }: NewWallet,
  now: Date,
): Promise<Wallet | undefined> {
  const open = sql`
    insert into ${accounts} (kind, owner_id, chat_id, title, daily_cap, created_at)
    values ('group', ${ownerId}::bigint, ${chatId}::bigint, ${title}, ${dailyCap}::bigint, ${timestamp(now)})
    on conflict (owner_id, chat_id) where kind = 'group' do update set is_on = true, title = excluded.title
    returning *`
  return (await unlessTaken(() => readRows(db, accounts, open)))?.[0]
}

/** Makes a change; undefined while another wallet of the group is on. */
async function unlessTaken<T>(change: () => PromiseLike<T>): Promise<T | undefined> {
  try {
    return await change()
  } catch (error) {
    if (violatedConstraint(error) === 'accounts_group_on') return undefined
    throw error
  }
}

/**
 * An SQL condition on a wallet `w`: its owner is not banned and owes nothing. A ban switches the owner's wallets off, but misses one that is
 * switched on at the same moment.
 */
export const hasFreeOwner = sql`not exists (
  select from ${users} o join ${accounts} b on b.kind = 'user' and b.owner_id = o.id
  where o.id = w.owner_id and (o.banned_at is not null or b.owed > 0))`

/** The wallet that is switched on in a group; undefined also while its owner is banned or owes money. */
export async function walletAt(db: Database, chatId: number): Promise<Wallet | undefined> {
  const w = alias(accounts, 'w')
  const [found] = await db
    .select()
    .from(w)
    .where(and(sql`${w.kind} = 'group'`, eq(w.chatId, chatId), w.isOn, hasFreeOwner))
  return found
}

/** A condition with a constant, so that the planner uses the indexes of wallets. */
const isWallet = sql`${accounts.kind} = 'group'`

/** Finds a wallet of its owner; undefined for all other users. */
export async function ownWallet(db: Database, id: bigint, ownerId: bigint): Promise<Wallet | undefined> {
  const [found] = await db
    .select()
    .from(accounts)
    .where(and(isWallet, eq(accounts.id, id), eq(accounts.ownerId, ownerId)))
  return found
}

export const walletsOf = (db: Database, ownerId: bigint): Promise<Wallet[]> =>
  db
    .select()
    .from(accounts)
    .where(and(isWallet, eq(accounts.ownerId, ownerId)))
    .orderBy(accounts.id)

/** @param dailyCap null for no limit */
export async function setDailyCap(db: Database, id: bigint, dailyCap: Kopecks | null): Promise<void> {
  await db.update(accounts).set({ dailyCap }).where(eq(accounts.id, id))
}

/** @returns false when another wallet of the group is on */
export async function switchWallet(db: Database, { id }: Wallet, isOn: boolean): Promise<boolean> {
  const change = db
    .update(accounts)
    .set({ isOn })
    .where(and(eq(accounts.id, id), isOn ? isNotNull(accounts.chatId) : undefined))
    .returning({ id: accounts.id })
  return ((await unlessTaken(() => change)) ?? []).length > 0
}

interface Funding {
  /** Names the operation, which is executed once. */
  readonly key: string
  readonly wallet: Wallet
  readonly amount: Kopecks
}

/** Moves money from the balance of the owner into the wallet. */
export const fundWallet = (db: Database, { key, wallet, amount }: Funding, now: Date): Promise<Posted> =>
  post(db, fundMove({ key, walletId: wallet.id, userId: wallet.ownerId, amount }), now)

/**
 * Returns all money that is not held to the owner. The accounts are written from their locked rows: PostgreSQL first checks the constraints
 * of an update against the row of the statement's snapshot.
 * @returns the amount; 0 when nothing was left, or it was returned with this key before
 */
export async function emptyWallet(
  db: Database,
  { key, wallet }: Omit<Funding, 'amount'>,
  now: Date,
): Promise<Kopecks> {
  const emptied = sql`
    with owner as (
      select id, available, owed, checksum from ${accounts} where ${isAccountOf(wallet.ownerId)} for no key update
    ), wallet as (
      select w.id, w.owner_id, w.available from ${accounts} w, owner where w.id = ${bigint(wallet.id)} and w.available > 0
      for no key update of w
    ), posted as (
      insert into ${transfers} (key, kind, user_id, debit, credit, amount, wallet_id, created_at)
      select ${takeBackKey(key)}, 'take-back', owner_id, 'group', 'available', available, id, ${timestamp(now)} from wallet
      returning amount, ${sql.raw(transferHash)} as hash
    ), credited as (
      update ${accounts} a set available = owner.available + amount, owed = greatest(0, owner.owed - amount),
        checksum = owner.checksum # hash
      from posted, owner where a.id = owner.id
    ), taken as (
      update ${accounts} a set available = 0 from posted, wallet where a.id = wallet.id
    )
    select amount::text from posted`
  try {
    const [posted] = await rows(db, emptied, z.object({ amount: z.coerce.bigint() }))
    return posted?.amount ?? 0n
  } catch (error) {
    if (violatedConstraint(error) === 'transfers_key_key') return 0n
    throw error
  }
}

/** The users who owe money although there is money that is not held in their wallets. */
export async function owingOwners(db: Database): Promise<readonly bigint[]> {
  const found = sql`
    select distinct w.owner_id::text as id from ${accounts} w join ${accounts} b on b.kind = 'user' and b.owner_id = w.owner_id
    where w.kind = 'group' and w.available > 0 and b.owed > 0`
  return (await rows(db, found, z.object({ id: z.coerce.bigint() }))).map(({ id }) => id)
}

/** The money of a user that is not held: in one statement, since the user may move it between the balance and the wallets meanwhile. */
export async function moneyOf(db: Database, userId: bigint): Promise<Kopecks> {
  const found = sql`
    select coalesce(sum(available), 0)::text as available from ${accounts} where owner_id = ${bigint(userId)}`
  return (await oneRow(db, found, z.object({ available: z.coerce.bigint() }))).available
}

interface MemberSpending {
  /** The name of the member; null when it is unknown or deleted. */
  readonly name: string | null
  readonly spent: Kopecks
  readonly orders: number
}

/**
 * The amount that each member has spent since a time, including what is held now; the highest first. Orders that cost nothing in the end,
 * such as failed ones, do not count.
 */
export function spendingOf(
  db: Database,
  walletId: bigint,
  since: Date,
  most: number,
): Promise<MemberSpending[]> {
  const found = sql`
    select u.name, s.spent, s.orders from (
      select user_id, count(*) as orders, sum(cost) as spent from (
        select user_id, sum(${paid}) as cost
        from ${transfers} where wallet_id = ${walletId}::bigint and created_at >= ${timestamp(since)}
          and ${isOneOf(transfers.kind, 'hold', 'release', 'refund')}
        group by user_id, generation_id
      ) o where cost > 0 group by user_id
    ) s join ${users} u on u.id = s.user_id
    order by s.spent desc, u.id limit ${most}::integer`
  return rows(
    db,
    found,
    z.object({ name: z.string().nullable(), spent: z.coerce.bigint(), orders: z.coerce.number() }),
  )
}

const paid: SQL = sql`case when ${isOneOf(transfers.kind, 'hold')} then amount else -amount end`

/** Switches wallets off because the group is gone or their owner has left it. The statement returns the wallets that were on. */
export const closeWallets = (chatId: number, ownerTelegramId?: number): SQL => sql`
  update ${accounts} set is_on = false
  where kind = 'group' and chat_id = ${chatId}::bigint and is_on and ${ownedBy(ownerTelegramId)}
  returning id, owner_id, available`

const ownedBy = (telegramId: number | undefined): SQL =>
  telegramId === undefined
    ? sql`true`
    : sql`owner_id in (select id from ${users} where telegram_id = ${telegramId}::bigint)`
