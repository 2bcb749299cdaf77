// Every kind of movement that there is: between which accounts, and by which key it is done only once.

import assert from 'node:assert/strict'
import type { Kopecks } from '../money.ts'
import type { Transfer } from './ledger.ts'

/** What is held for: a generation, or a turn of a conversation. */
interface Order {
  readonly id: string
  readonly userId: bigint
  readonly amount: Kopecks
}

/** How the transfers of an order name it. */
interface Named {
  readonly key: string
  readonly by: Pick<Transfer, 'generationId' | 'turnId'>
}

const asGeneration = ({ id }: Order): Named => ({ key: id, by: { generationId: id } })
const asTurn = ({ id }: Order): Named => ({ key: `turn:${id}`, by: { turnId: id } })

export const hold = (order: Order): Transfer => holdAs(order, asGeneration(order))
/** The most that an answer can cost. */
export const holdTurn = (turn: Order): Transfer => holdAs(turn, asTurn(turn))

/** Ends a hold: takes `captured` of it and gives the rest back. */
export const settle = (order: Order, captured: Kopecks): Transfer[] =>
  settleAs(order, asGeneration(order), captured)
export const settleTurn = (turn: Order, captured: Kopecks): Transfer[] =>
  settleAs(turn, asTurn(turn), captured)

const holdAs = ({ userId, amount }: Order, { key, by }: Named): Transfer => ({
  ...{ key: `hold:${key}`, kind: 'hold', userId, amount },
  ...{ debit: 'available', credit: 'held' },
  ...by,
})

function settleAs({ userId, amount }: Order, { key, by }: Named, captured: Kopecks): Transfer[] {
  assert(captured >= 0n && captured <= amount, 'a capture is never above its hold')
  const ends = { userId, debit: 'held', ...by } as const
  const capture = { ...ends, key: `capture:${key}`, kind: 'capture', credit: 'revenue' } as const
  const release = { ...ends, key: `release:${key}`, kind: 'release', credit: 'available' } as const
  return [
    { ...capture, amount: captured },
    { ...release, amount: amount - captured },
  ].filter((move) => move.amount > 0n)
}

export const deposit = (payment: {
  provider: string
  chargeId: string
  userId: bigint
  credit: Kopecks
  topUpId: string
}): Transfer => ({
  key: `deposit:${payment.provider}:${payment.chargeId}`,
  kind: 'deposit',
  userId: payment.userId,
  debit: 'provider',
  credit: 'available',
  amount: payment.credit,
  topUpId: payment.topUpId,
})

/** Once per person: a second one is a duplicate. */
export const welcome = (userId: bigint, amount: Kopecks): Transfer => ({
  key: `welcome:${userId}`,
  kind: 'promotion',
  userId,
  debit: 'promotions',
  credit: 'available',
  amount,
})

/** Once per person and code. */
export const promotion = (userId: bigint, code: string, amount: Kopecks): Transfer => ({
  key: `promo:${code}:${userId}`,
  kind: 'promotion',
  userId,
  debit: 'promotions',
  credit: 'available',
  amount,
  note: code,
})

/** What somebody gets for having invited somebody else, once per invited person. */
export const referral = (referrerId: bigint, invitedId: bigint, amount: Kopecks): Transfer => ({
  key: `referral:${invitedId}`,
  kind: 'promotion',
  userId: referrerId,
  debit: 'promotions',
  credit: 'available',
  amount,
})

/** Gives a captured price back; once per generation. */
export const refundOrder = (
  order: { id: string; userId: bigint; captured: Kopecks },
  note: string,
): Transfer => ({
  key: `refund:${order.id}`,
  kind: 'refund',
  userId: order.userId,
  debit: 'revenue',
  credit: 'available',
  amount: order.captured,
  generationId: order.id,
  note,
})

/** Gives back what was captured for an answer, or a part of it; once per turn. */
export const refundTurn = (turn: Omit<Order, 'amount'>, amount: Kopecks, note: string): Transfer => ({
  key: `refund:turn:${turn.id}`,
  kind: 'refund',
  userId: turn.userId,
  debit: 'revenue',
  credit: 'available',
  amount,
  turnId: turn.id,
  note,
})

/** A payment goes back the way it came; once per charge. */
export const refundPayment = (payment: {
  provider: string
  chargeId: string
  userId: bigint
  credit: Kopecks
  topUpId: string
}): Transfer => ({
  key: `refund:${payment.provider}:${payment.chargeId}`,
  kind: 'refund',
  userId: payment.userId,
  debit: 'available',
  credit: 'provider',
  amount: payment.credit,
  topUpId: payment.topUpId,
})

/** An operator gives or takes, with a reason. @param key names the operator's action */
export function correction(key: string, userId: bigint, amount: Kopecks, note: string): Transfer {
  const [debit, credit] =
    amount > 0n ? (['corrections', 'available'] as const) : (['available', 'corrections'] as const)
  const size = amount > 0n ? amount : -amount
  return { key: `correction:${key}`, kind: 'correction', userId, debit, credit, amount: size, note }
}
