// What a member may spend from the wallet of a group in a day. The statement that holds the money checks and counts it in the member's row;
// here it is read for cards and refusals. A deletion of data leaves nothing that says how much a person has spent before: on the day of the
// deletion the limit counts as reached.

import { and, eq, gte } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { walletMembers } from '../db/schema.ts'
import { timestamp } from '../db/sql.ts'
import { type Wallet, walletAt } from '../ledger/wallets.ts'
import type { Kopecks } from '../money.ts'
import { startOfDay } from '../runtime/clock.ts'
import { wasForgotten } from '../users/user.ts'
import { dayOf, type LimitDeps } from './limits.ts'

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

type Deps = LimitDeps & { readonly db: Database }

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
