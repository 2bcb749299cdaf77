// Holds and settlements as single transfers, for tests of the ledger: the app writes them with the order or the answer that they belong to.

import type { SQL } from 'drizzle-orm'
import type { Database } from '../../../src/db/client.ts'
import { type Posted, post, type Transfer } from '../../../src/ledger/ledger.ts'

interface Order {
  readonly id: string
  readonly userId: bigint
  readonly amount: bigint
  readonly walletId?: bigint | null
}

const byWallet = ({ walletId }: Order) =>
  walletId == null
    ? ({ open: 'available', held: 'held', by: {} } as const)
    : ({ open: 'group', held: 'group-held', by: { walletId } } as const)

function holdOf(order: Order, of: Partial<Transfer>, name: string): Transfer {
  const { open, held, by } = byWallet(order)
  const { userId, amount } = order
  return { key: `hold:${name}`, kind: 'hold', userId, debit: open, credit: held, amount, ...of, ...by }
}

function settlementOf(order: Order, captured: bigint, of: Partial<Transfer>, name: string): Transfer[] {
  const { open, held, by } = byWallet(order)
  const ends = { userId: order.userId, debit: held, ...of, ...by }
  const both: Transfer[] = [
    { key: `capture:${name}`, kind: 'capture', ...ends, credit: 'revenue', amount: captured },
    { key: `release:${name}`, kind: 'release', ...ends, credit: open, amount: order.amount - captured },
  ]
  return both.filter(({ amount }) => amount > 0n)
}

export const hold = (order: Order) => holdOf(order, { generationId: order.id }, order.id)
export const holdTurn = (turn: Order) => holdOf(turn, { turnId: turn.id }, `turn:${turn.id}`)
export const settle = (order: Order, captured: bigint) =>
  settlementOf(order, captured, { generationId: order.id }, order.id)
export const settleTurn = (turn: Order, captured: bigint) =>
  settlementOf(turn, captured, { turnId: turn.id }, `turn:${turn.id}`)

/** Posts one transfer after the other, the first with the guard, until one is refused. */
export async function postAll(
  db: Database,
  moves: readonly Transfer[],
  now: Date,
  guard?: SQL,
): Promise<Posted> {
  let posted: Posted = { ok: true }
  for (const [at, move] of moves.entries()) {
    posted = await post(db, move, now, at === 0 ? guard : undefined)
    if (!posted.ok) return posted
  }
  return posted
}
