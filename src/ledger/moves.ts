// Every kind of movement that there is: between which accounts, and by which key it is done only once.

import assert from 'node:assert/strict'
import type { Kopecks } from '../money.ts'
import type { Transfer } from './ledger.ts'

export const hold = (order: { id: string; userId: bigint; amount: Kopecks }): Transfer => ({
  key: `hold:${order.id}`,
  kind: 'hold',
  userId: order.userId,
  debit: 'available',
  credit: 'held',
  amount: order.amount,
  generationId: order.id,
})

interface Turn {
  readonly id: string
  readonly userId: bigint
  readonly amount: Kopecks
}

/** The most that an answer can cost. */
export const holdTurn = (turn: Turn): Transfer => ({
  key: `hold:turn:${turn.id}`,
  kind: 'hold',
  userId: turn.userId,
  debit: 'available',
  credit: 'held',
  amount: turn.amount,
  turnId: turn.id,
})

/** Takes what an answer did cost and gives the rest back. */
export function settleTurn(turn: Turn, captured: Kopecks): Transfer[] {
  assert(captured >= 0n && captured <= turn.amount, 'a capture is never above its hold')
  const ends = { userId: turn.userId, debit: 'held', turnId: turn.id } as const
  const capture = { ...ends, key: `capture:turn:${turn.id}`, kind: 'capture', credit: 'revenue' } as const
  const release = { ...ends, key: `release:turn:${turn.id}`, kind: 'release', credit: 'available' } as const
  return [
    { ...capture, amount: captured },
    { ...release, amount: turn.amount - captured },
  ].filter((move) => move.amount > 0n)
}

/** Ends a hold: takes `captured` of it and gives the rest back. */
export function settle(
  order: { id: string; userId: bigint; amount: Kopecks },
  captured: Kopecks,
): Transfer[] {
  assert(captured >= 0n && captured <= order.amount, 'a capture is never above its hold')
  const ends = { userId: order.userId, debit: 'held', generationId: order.id } as const
  const capture = { ...ends, key: `capture:${order.id}`, kind: 'capture', credit: 'revenue' } as const
  const release = { ...ends, key: `release:${order.id}`, kind: 'release', credit: 'available' } as const
  return [
    { ...capture, amount: captured },
    { ...release, amount: order.amount - captured },
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
