// All kinds of transfers: the accounts of each kind, and the key that makes a transfer idempotent.

import assert from 'node:assert/strict'
import type { Kopecks } from '../money.ts'
import {
  captureKey,
  chargeName,
  correctionKey,
  depositKey,
  fundKey,
  holdKey,
  nextRefundKey,
  promoKey,
  referralBackKey,
  referralKey,
  refundKey,
  releaseKey,
  takeBackKey,
  turnName,
  welcomeKey,
} from './keys.ts'
import type { Transfer } from './ledger.ts'

/** An order for which money is held: a generation, or a turn of a conversation. */
interface Order {
  readonly id: string
  readonly userId: bigint
  readonly amount: Kopecks
  /** The wallet that pays in place of the user. */
  readonly walletId?: bigint | null
}

/** The accounts of the payer of an order: its user, or a wallet. */
interface Payer {
  readonly open: Transfer['debit']
  readonly held: Transfer['debit']
  readonly by: Pick<Transfer, 'walletId'>
}

const payerOf = ({ walletId }: Pick<Order, 'walletId'>): Payer =>
  walletId == null
    ? { open: 'available', held: 'held', by: {} }
    : { open: 'group', held: 'group-held', by: { walletId } }

/** The key and the columns by which the transfers of an order refer to it. */
interface Reference {
  readonly key: string
  readonly by: Pick<Transfer, 'generationId' | 'turnId'>
}

const asGeneration = ({ id }: Order): Reference => ({ key: id, by: { generationId: id } })
const asTurn = ({ id }: Order): Reference => ({ key: turnName(id), by: { turnId: id } })

export const hold = (order: Order): Transfer => holdAs(order, asGeneration(order))
/** @param turn its amount is the highest price that its answer can have */
export const holdTurn = (turn: Order): Transfer => holdAs(turn, asTurn(turn))

/** Ends a hold: takes `captured` and releases the rest. */
export const settle = (order: Order, captured: Kopecks): Transfer[] =>
  settleAs(order, asGeneration(order), captured)
export const settleTurn = (turn: Order, captured: Kopecks): Transfer[] =>
  settleAs(turn, asTurn(turn), captured)

function holdAs(order: Order, { key, by }: Reference): Transfer {
  const { userId, amount } = order
  const payer = payerOf(order)
  const accounts = { debit: payer.open, credit: payer.held }
  return { key: holdKey(key), kind: 'hold', userId, ...accounts, amount, ...by, ...payer.by }
}

function settleAs(order: Order, { key, by }: Reference, captured: Kopecks): Transfer[] {
  const { userId, amount } = order
  assert(captured >= 0n && captured <= amount, 'a capture is at most its hold')
  const payer = payerOf(order)
  const ends = { userId, debit: payer.held, ...by, ...payer.by } as const
  const capture = { ...ends, key: captureKey(key), kind: 'capture', credit: 'revenue' } as const
  const release = { ...ends, key: releaseKey(key), kind: 'release', credit: payer.open } as const
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
  key: depositKey(chargeName(payment.provider, payment.chargeId)),
  kind: 'deposit',
  userId: payment.userId,
  debit: 'provider',
  credit: 'available',
  amount: payment.credit,
  topUpId: payment.topUpId,
})

/** The credit for a new user, once per user. */
export const welcome = (userId: bigint, amount: Kopecks): Transfer => ({
  key: welcomeKey(`${userId}`),
  kind: 'promotion',
  userId,
  debit: 'promotions',
  credit: 'available',
  amount,
})

/** The credit of a promo code, once per user and code. */
export const promotion = (userId: bigint, code: string, amount: Kopecks): Transfer => ({
  key: promoKey(code, userId),
  kind: 'promotion',
  userId,
  debit: 'promotions',
  credit: 'available',
  amount,
  note: code,
})

/** The bonus for an invitation, once per invited user. */
export const referral = (referrerId: bigint, invitedId: bigint, amount: Kopecks): Transfer => ({
  key: referralKey(`${invitedId}`),
  kind: 'promotion',
  userId: referrerId,
  debit: 'promotions',
  credit: 'available',
  amount,
})

/** Takes the bonus for an invitation again, once per invited user; the inviter may have spent it. */
export const referralBack = (...given: Parameters<typeof referral>): Transfer => ({
  ...referral(...given),
  key: referralBackKey(`${given[1]}`),
  debit: 'available',
  credit: 'promotions',
  mayOwe: true,
})

interface OrderRefund extends Order {
  /** What was refunded before: of two refunds that have read the same sum only one is made. */
  readonly refunded?: Kopecks | null
}

/** Returns a captured price, or a part of it, to its payer. */
export const refundOrder = (order: OrderRefund, note: string): Transfer => ({
  key: order.refunded ? nextRefundKey(order.id, order.refunded) : refundKey(order.id),
  kind: 'refund',
  userId: order.userId,
  debit: 'revenue',
  credit: payerOf(order).open,
  amount: order.amount,
  generationId: order.id,
  note,
  ...payerOf(order).by,
})

/** Returns the captured price of an answer, or a part of it, to its payer; once per turn. */
export const refundTurn = (turn: Omit<Order, 'amount'>, amount: Kopecks, note: string): Transfer => ({
  key: refundKey(turnName(turn.id)),
  kind: 'refund',
  userId: turn.userId,
  debit: 'revenue',
  credit: payerOf(turn).open,
  amount,
  turnId: turn.id,
  note,
  ...payerOf(turn).by,
})

/** Money that the owner of a wallet moves into it or out of it. */
interface WalletMove {
  /** Names the operation. */
  readonly key: string
  readonly walletId: bigint
  readonly userId: bigint
  readonly amount: Kopecks
}

export const fund = ({ key, ...move }: WalletMove): Transfer => ({
  key: fundKey(key),
  kind: 'fund',
  debit: 'available',
  credit: 'group',
  ...move,
})

export const takeBack = ({ key, ...move }: WalletMove): Transfer => ({
  key: takeBackKey(key),
  kind: 'take-back',
  debit: 'group',
  credit: 'available',
  ...move,
})

/** Takes the credit of a refunded payment. */
export const refundPayment = (
  payment: {
    provider: string
    chargeId: string
    userId: bigint
    credit: Kopecks
    topUpId: string
  },
  note?: string,
): Transfer => ({
  key: refundKey(chargeName(payment.provider, payment.chargeId)),
  kind: 'refund',
  userId: payment.userId,
  debit: 'available',
  credit: 'provider',
  amount: payment.credit,
  topUpId: payment.topUpId,
  ...(note === undefined ? {} : { note }),
})

/** A correction by an operator. @param key names the operator's action @param amount negative to take */
export function correction(key: string, userId: bigint, amount: Kopecks, note: string): Transfer {
  const [debit, credit] =
    amount > 0n ? (['corrections', 'available'] as const) : (['available', 'corrections'] as const)
  const size = amount > 0n ? amount : -amount
  return { key: correctionKey(key), kind: 'correction', userId, debit, credit, amount: size, note }
}
