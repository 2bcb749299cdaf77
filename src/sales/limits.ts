// How many generations a user may have at once, and how much they may spend in a day on orders and answers together, also if a wallet
// pays. The limits are the same for all users, operators included. Both are counted in the account of the user, and the statement that holds
// the money checks them there; here they are read for cards and refusals. A day is a calendar day of the operator's time zone.

import assert from 'node:assert/strict'
import { and, eq, gte, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { accounts, walletMembers } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { isAccountOf } from '../ledger/ledger.ts'
import { type Wallet, walletAt } from '../ledger/wallets.ts'
import type { Kopecks } from '../money.ts'
import { type Clock, localDay, startOfDay } from '../runtime/clock.ts'
import { wasForgotten } from '../users/user.ts'

export interface Limits {
  /** What a user may spend in a day; undefined for no limit. */
  readonly dailySpend: Kopecks | undefined
  readonly concurrent: number
  /** The zone whose days count. */
  readonly timeZone: string
}

export interface LimitDeps {
  readonly clock: Clock
  readonly limits: Limits
}

type Deps = LimitDeps & { readonly db: Database }

export interface OverDailyCap {
  readonly ok: false
  readonly reason: 'daily-cap'
  readonly most: Kopecks
  /** What the orders and answers of today cost: held, or captured and not refunded. */
  readonly spent: Kopecks
}

export type OverLimit =
  | { readonly ok: false; readonly reason: 'too-many'; readonly most: number }
  | OverDailyCap

/** Today, like `2026-11-21`. */
export const dayOf = ({ clock, limits }: LimitDeps): string => localDay(clock.now(), limits.timeZone)

/** What the user of an account has spent today. The day of an account never goes back, also if the clocks of two processes differ. */
export const spentToday = (deps: LimitDeps): SQL<Kopecks> =>
  sql<Kopecks>`case when ${accounts.spentOn} >= ${dayOf(deps)}::date then ${accounts.spentToday} else 0 end`.mapWith(
    accounts.spentToday,
  )

/** Why the order exceeded a limit; undefined when there is room now. */
export async function overLimit(
  deps: Deps,
  { userId, amount }: { readonly userId: bigint; readonly amount: Kopecks },
): Promise<OverLimit | undefined> {
  const { concurrent, dailySpend: most } = deps.limits
  const [found] = await deps.db
    .select({ live: accounts.openOrders, spent: spentToday(deps) })
    .from(accounts)
    .where(isAccountOf(userId))
  assert(found, 'every user has an account')
  const { live, spent } = found
  if (live >= concurrent) return { ok: false, reason: 'too-many', most: concurrent }
  if (most === undefined || spent + amount <= most) return undefined
  return { ok: false, reason: 'daily-cap', most, spent }
}

// What a member may spend from the wallet of a group in a day. The statement that holds the money checks and counts it in the member's row;
// here it is read for cards and refusals. A deletion of data leaves nothing that says how much a person has spent before: on the day of the
// deletion the limit counts as reached.

/** An amount that a user wants to spend from a wallet. */
interface GroupSpending {
  readonly userId: bigint
  /** The hash that recognises a person who comes back: see users/user.ts. */
  readonly personHash: string
  readonly amount: Kopecks
  readonly walletId: bigint
}

export type OverGroupCap =
  /** The wallet was switched off, belongs to another group by now, or its owner is banned. */
  | { readonly ok: false; readonly reason: 'wallet-off' }
  | { readonly ok: false; readonly reason: 'wallet-short' }
  | { readonly ok: false; readonly reason: 'wallet-cap'; readonly most: Kopecks; readonly spent: Kopecks }

/** What a user can spend from a wallet. */
export interface GroupRoom {
  readonly available: Kopecks
  /** The limit of a member; undefined without one, and for the owner. */
  readonly cap?: { readonly most: Kopecks; readonly spent: Kopecks } | undefined
}

export async function groupRoomOf(
  deps: Deps,
  { id, available, ownerId, dailyCap }: Wallet,
  userId: bigint,
): Promise<GroupRoom> {
  if (ownerId === userId || dailyCap === null) return { available }
  const isOfToday = and(
    eq(walletMembers.accountId, id),
    eq(walletMembers.userId, userId),
    gte(walletMembers.spentOn, dayOf(deps)),
  )
  const [found] = await deps.db.select({ spent: walletMembers.spent }).from(walletMembers).where(isOfToday)
  return { available, cap: { most: dailyCap, spent: found?.spent ?? 0n } }
}

/** Undefined when there is room for the amount. */
export function overRoom({ available, cap }: GroupRoom, amount: Kopecks): OverGroupCap | undefined {
  if (cap && cap.spent + amount > cap.most) return { ok: false, reason: 'wallet-cap', ...cap }
  return available < amount ? { ok: false, reason: 'wallet-short' } : undefined
}

/** When the present day has begun: a person whose data was deleted since then has no limit left. */
export const dayBegan = (deps: LimitDeps): Date => startOfDay(dayOf(deps), deps.limits.timeZone)

/** Why the order exceeded the limits of the wallet; undefined when there is room now. */
export async function overGroupCap(
  deps: Deps,
  { walletId, userId, personHash, amount }: GroupSpending,
  chatId: number,
): Promise<OverGroupCap | undefined> {
  const wallet = await walletAt(deps.db, chatId)
  if (wallet?.id !== walletId) return { ok: false, reason: 'wallet-off' }
  const room = await groupRoomOf(deps, wallet, userId)
  if (room.cap && (await wasForgotten(deps.db, personHash, timestamp(dayBegan(deps)))))
    return { ok: false, reason: 'wallet-cap', most: room.cap.most, spent: room.cap.most }
  return overRoom(room, amount)
}
