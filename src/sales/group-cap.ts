// What a member may spend from the wallet of a group within 24 hours. It is checked inside the statement that holds the money, on the
// row of the wallet that it has locked. A deletion of data leaves nothing that says how much a person has spent before: for 24 hours after
// it, the limit counts as reached.

import { type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { type Database, oneRow } from '../db/client.ts'
import { transfers, wallets } from '../db/schema.ts'
import { isOneOf, timestamp } from '../db/sql.ts'
import { keyInSql, orderName, releaseKey } from '../ledger/keys.ts'
import { hasFreeOwner, type Wallet, walletAt } from '../ledger/wallets.ts'
import type { Kopecks } from '../money.ts'
import { dayMs } from '../runtime/durations.ts'
import { forgottenSince, wasForgotten } from '../users/person.ts'

/** An amount that a user wants to spend from a wallet. */
interface GroupSpending {
  readonly userId: bigint
  /** The hash that recognises a person who comes back: see users/person.ts. */
  readonly personHash: string
  readonly amount: Kopecks
  readonly walletId: bigint
}

export type OverGroupCap =
  /** The wallet was switched off, belongs to another group by now, or its owner is banned. */
  | { readonly ok: false; readonly reason: 'wallet-off' }
  | { readonly ok: false; readonly reason: 'wallet-short' }
  | { readonly ok: false; readonly reason: 'wallet-cap'; readonly most: Kopecks; readonly spent: Kopecks }

const hold = alias(transfers, 'h')
const refund = alias(transfers, 'r')

/** A query of the sums that were refunded of a user's orders, by the names of the orders. */
export const refundsOf = (userId: bigint): SQL => sql`
  select ${orderName(refund)} as name, sum(r.amount) as amount from ${transfers} r
  where r.user_id = ${userId}::bigint and ${isOneOf(refund.kind, 'refund')} and ${isOneOf(refund.credit, 'available', 'group')}
  group by 1`

/** An SQL amount: the user's orders from wallets within 24 hours, minus released and refunded amounts. @param wallet a condition on `h` */
export const spentByGroups = (
  userId: bigint,
  now: Date,
  wallet: SQL = sql`h.wallet_id is not null`,
): SQL => sql`(
  select coalesce(sum(h.amount - coalesce(l.amount, 0) - coalesce(r.amount, 0)), 0)::bigint
  from ${transfers} h
    left join ${transfers} l on l.key = ${keyInSql(releaseKey, orderName(hold))}
    left join (${refundsOf(userId)}) r on r.name = ${orderName(hold)}
  where h.user_id = ${userId}::bigint and ${isOneOf(hold.kind, 'hold')} and ${wallet} and h.created_at > ${timestamp(now, -dayMs)})`

const ofWallet = (walletId: bigint) => sql`h.wallet_id is not null and h.wallet_id = ${walletId}::bigint`

/**
 * A query that returns one row if the wallet is on and the user may spend this amount too, and no row otherwise or if the wallet changed
 * since the statement began. The row is locked until the statement ends.
 * @param after a column of a query that has locked the user's balance: all statements lock balances before wallets
 */
export const hasGroupRoom = (
  { userId, personHash, walletId, amount }: GroupSpending,
  now: Date,
  after: SQL,
): SQL => sql`
  with seen as materialized (select id, xmin from ${wallets} where id = ${walletId}::bigint)
  select w.chat_id from ${wallets} w join seen on seen.id = w.id and seen.xmin = w.xmin
  where ${after} is not null and w.is_on and ${hasFreeOwner}
    and (w.owner_id = ${userId}::bigint or w.daily_cap is null
      or (${spentByGroups(userId, now, ofWallet(walletId))} + ${amount}::bigint <= w.daily_cap
        and not ${forgottenSince(personHash, timestamp(now, -dayMs))}))
  for no key update of w`

async function spentOf(
  db: Database,
  { userId, walletId }: Pick<GroupSpending, 'userId' | 'walletId'>,
  now: Date,
): Promise<Kopecks> {
  const query = sql`select ${spentByGroups(userId, now, ofWallet(walletId))} as spent`
  return (await oneRow(db, query, z.object({ spent: z.coerce.bigint() }))).spent
}

/** What a user can spend from a wallet. */
export interface GroupRoom {
  readonly available: Kopecks
  /** The limit of a member; undefined without one, and for the owner. */
  readonly cap?: { readonly most: Kopecks; readonly spent: Kopecks } | undefined
}

export async function groupRoomOf(
  db: Database,
  { id: walletId, available, ownerId, dailyCap }: Wallet,
  userId: bigint,
  now: Date,
): Promise<GroupRoom> {
  if (ownerId === userId || dailyCap === null) return { available }
  return { available, cap: { most: dailyCap, spent: await spentOf(db, { userId, walletId }, now) } }
}

/** Undefined when there is room for the amount. */
export function overRoom({ available, cap }: GroupRoom, amount: Kopecks): OverGroupCap | undefined {
  if (cap && cap.spent + amount > cap.most) return { ok: false, reason: 'wallet-cap', ...cap }
  return available < amount ? { ok: false, reason: 'wallet-short' } : undefined
}

/** Why the order exceeded the limits of the wallet; undefined when there is room now. */
export async function overGroupCap(
  db: Database,
  { walletId, userId, personHash, amount }: GroupSpending,
  chatId: number,
  now: Date,
): Promise<OverGroupCap | undefined> {
  const wallet = await walletAt(db, chatId)
  if (wallet?.id !== walletId) return { ok: false, reason: 'wallet-off' }
  const room = await groupRoomOf(db, wallet, userId, now)
  if (room.cap && (await wasForgotten(db, personHash, timestamp(now, -dayMs))))
    return { ok: false, reason: 'wallet-cap', most: room.cap.most, spent: room.cap.most }
  return overRoom(room, amount)
}
