// The kinds of transfers that `post` writes: the accounts of each kind, and the key that makes a transfer idempotent.

import type { Kopecks } from '../money.ts'
import {
  chargeName,
  correctionKey,
  depositKey,
  fundKey,
  nextRefundKey,
  promoKey,
  referralBackKey,
  referralKey,
  refundKey,
  turnName,
  welcomeKey,
} from './keys.ts'
import type { Transfer } from './ledger.ts'

/** An order that was charged: a generation, or a turn of a conversation. */
interface Order {
  readonly id: string
  readonly userId: bigint
  readonly amount: Kopecks
  /** The wallet that has paid in place of the user. */
  readonly walletId?: bigint | null
  /** The day whose limits the order counts towards: the refund counts no longer. */
  readonly spentOn: string | null
}

/** Whom a refund goes to. */
const toPayer = ({ userId, walletId, spentOn }: Omit<Order, 'id' | 'amount'>) => ({
  userId,
  spentOn,
  ...(walletId == null ? ({ credit: 'available' } as const) : ({ credit: 'group', walletId } as const)),
})

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
  debit: 'revenue',
  amount: order.amount,
  generationId: order.id,
  note,
  ...toPayer(order),
})

/** Returns the captured price of an answer, or a part of it, to its payer; once per turn. */
export const refundTurn = (turn: Omit<Order, 'amount'>, amount: Kopecks, note: string): Transfer => ({
  key: refundKey(turnName(turn.id)),
  kind: 'refund',
  debit: 'revenue',
  amount,
  turnId: turn.id,
  note,
  ...toPayer(turn),
})

/** Money that the owner of a wallet moves into it. */
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
