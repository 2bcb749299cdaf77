// Wallets of groups, and orders in these groups.

import { eq } from 'drizzle-orm'
import { generations } from '../../../src/db/schema.ts'
import { fundWallet, openWallet, setDailyCap, type Wallet } from '../../../src/ledger/wallets.ts'
import type { Generation } from '../../../src/orders/generation.ts'
import { fail, succeed } from '../../../src/orders/settle.ts'
import { randomIds } from '../../../src/runtime/ids.ts'
import type { User } from '../../../src/users/user.ts'
import { confirm } from './confirm.ts'
import { type GenerationWorld, quoteFor, userWith } from './generations.ts'

type World = Pick<GenerationWorld, 'deps'>
interface Ordering {
  readonly byGroup?: boolean
  readonly personHash?: string
}

let groupId = -5000

/** A wallet with this money, and its owner, who has ten roubles more. @param cap what a member may spend in a day */
export async function walletWith(world: GenerationWorld, kopecks: bigint, cap: bigint | null = null) {
  const { db, clock } = world.deps
  const owner = await userWith(world, kopecks + 10_00n)
  groupId -= 1
  const group = { ownerId: owner.id, chatId: groupId, title: 'We', dailyCap: 1n }
  const wallet = await openWallet(db, group, clock.now())
  if (!wallet) throw new Error('not opened')
  await setDailyCap(db, wallet.id, cap)
  const fund = { key: randomIds.next(), wallet, amount: kopecks }
  if (kopecks > 0n && !(await fundWallet(db, fund, clock.now())).ok) throw new Error('not filled')
  return { owner, wallet: { ...wallet, dailyCap: cap } }
}

/** A card in the group of a wallet, of 92.45 roubles. @param byGroup whether the wallet is to pay */
export const quoteIn = async (
  world: World,
  { chatId }: Wallet,
  user: User,
  { byGroup = true }: Ordering = {},
) => (await quoteFor(world, user, {}, { chatId: chatId ?? 0, byGroup })).quote

export async function orderIn(world: World, wallet: Wallet, user: User, ordering: Ordering = {}) {
  const { id: quoteId } = await quoteIn(world, wallet, user, ordering)
  const { personHash } = ordering
  return confirm(world.deps, { quoteId, userId: user.id, personHash, statusMessageId: null })
}

export async function orderedIn(...ordering: Parameters<typeof orderIn>): Promise<Generation> {
  const made = await orderIn(...ordering)
  if (!made.ok) throw new Error(`not ordered: ${made.reason}`)
  return made.generation
}

/** Ends an order with its result or with a failure. */
export async function ends({ deps }: World, { id }: Generation, well = true): Promise<void> {
  const change = { lease: `of ${id}`, state: 'running' } as const
  const [held] = await deps.db.update(generations).set(change).where(eq(generations.id, id)).returning()
  if (!held) throw new Error(`no generation ${id}`)
  const arrived = { urls: ['http://127.0.0.1:9/video.mp4'], results: 1 }
  if (well) await succeed(deps, held, arrived, { count: 1 })
  else await fail(deps, held, 'task-failed')
}
