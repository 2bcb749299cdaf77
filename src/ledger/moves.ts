// The kinds of transfers that `post` writes: the accounts of each kind, and the key that makes a transfer idempotent.

import type { payments } from '../db/schema.ts'
import type { Kopecks } from '../money.ts'
import {
  chargeName,
  correctionKey,
  depositKey,
  fundKey,
  invitedKey,
  nextRefundKey,
  promoKey,
  type RewardName,
  refundKey,
  rewardBackKey,
  rewardKey,
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

type Payment = Pick<typeof payments.$inferSelect, 'provider' | 'chargeId' | 'userId' | 'credit' | 'topUpId'>

export const deposit = (payment: Payment): Transfer => ({
  key: depositKey(chargeName(payment.provider, payment.chargeId)),
  kind: 'deposit',
  userId: payment.userId,
  debit: 'provider',
  credit: 'available',
  amount: payment.credit,
  topUpId: payment.topUpId,
})

const gift = (key: string, userId: bigint, amount: Kopecks): Transfer => ({
  key,
  kind: 'promotion',
  userId,
  debit: 'promotions',
  credit: 'available',
  amount,
})

/** The credit for a new user, once per user. */
export const welcome = (userId: bigint, amount: Kopecks): Transfer =>
  gift(welcomeKey(`${userId}`), userId, amount)

/** The bonus of a user who came by an invitation, once per user. */
export const invited = (userId: bigint, amount: Kopecks): Transfer =>
  gift(invitedKey(`${userId}`), userId, amount)

/** The credit of a promo code, once per user and code. */
export const promotion = (userId: bigint, code: string, amount: Kopecks): Transfer => ({
  ...gift(promoKey(code, userId), userId, amount),
  note: code,
})

interface Reward {
  readonly name: RewardName
  /** The charge; of `referral` the number of the invited user. */
  readonly of: string
  readonly userId: bigint
  readonly amount: Kopecks
  readonly topUpId?: string | null
  /** A promo code. */
  readonly note?: string | null
}

const rewardKinds = { bonus: 'bonus', code: 'bonus', partner: 'partner', referral: 'promotion' } as const

/** What a payment brings beside its credit, once per payment; the inviter's sum once per invited user. */
export const rewardOf = ({ name, of, userId, amount, topUpId, note }: Reward): Transfer => ({
  ...gift(rewardKey(name, of), userId, amount),
  kind: rewardKinds[name],
  ...(topUpId ? { topUpId } : {}),
  ...(note ? { note } : {}),
})

/** Takes a part of a reward again, which may be spent. @param before what was taken before */
export const rewardBackOf = (given: Reward, before: Kopecks): Transfer => ({
  ...rewardOf(given),
  key: rewardBackKey(given.name, given.of, before),
  debit: 'available',
  credit: 'promotions',
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

/** Moves money of the owner into a wallet. @param key names the operation */
export const fund = ({
  key,
  ...move
}: Required<Pick<Transfer, 'key' | 'walletId' | 'userId' | 'amount'>>): Transfer => ({
  key: fundKey(key),
  kind: 'fund',
  debit: 'available',
  credit: 'group',
  ...move,
})

/** Takes the credit of a refunded payment. */
export const refundPayment = (payment: Payment, note?: string): Transfer => ({
  ...deposit(payment),
  key: refundKey(chargeName(payment.provider, payment.chargeId)),
  kind: 'refund',
  debit: 'available',
  credit: 'provider',
  ...(note === undefined ? {} : { note }),
})

/** A correction by an operator. @param key names the operator's action @param amount negative to take */
export function correction(key: string, userId: bigint, amount: Kopecks, note: string): Transfer {
  const isGift = amount > 0n
  const change = isGift
    ? ({ debit: 'corrections', credit: 'available', amount } as const)
    : ({ debit: 'available', credit: 'corrections', amount: -amount } as const)
  return { key: correctionKey(key), kind: 'correction', userId, note, ...change }
}
