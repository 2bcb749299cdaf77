// The keys of notices. A key names one event, which is told once. Code that looks for the event of a notice reads its key here.

import type { notices } from '../db/schema.ts'
import { correctionKey, nameIn, refundKey } from '../ledger/keys.ts'

type Kind = (typeof notices.$inferSelect)['kind']

/** @param event id of what happened to a top-up: a charge, or the end of the top-up */
export const topUpNoticeKey = (kind: Kind, provider: string, event: string): string =>
  `${kind}:${provider}:${event}`

export const unmatchedNoticeKey = (chargeId: string): string => `unmatched:${chargeId}`
export const invitePaidNoticeKey = (invitedId: bigint): string => `invite-paid:${invitedId}`
export const inviteRefundedNoticeKey = (invitedId: bigint): string => `invite-refunded:${invitedId}`
/** @param what the wallet and the event that switched it off */
export const walletOffNoticeKey = (what: string): string => `wallet-off:${what}`

const refundedKey = (name: string): string => `refunded:${name}`

/** @param taking the key of the transfer that took the credit of a refunded payment, or a part of it */
export const refundedNoticeKey = (taking: string): string => refundedKey(nameIn(refundKey, taking))

/** @param key of a notice of a refunded payment @returns the key of the transfer that took the credit */
export const takingOfNotice = (key: string): string => refundKey(nameIn(refundedKey, key))

export const correctedNoticeKey = (correction: string): string => `corrected:${correction}`

/** @param key of a notice of a correction @returns the key of its transfer */
export const correctionOfNotice = (key: string): string => correctionKey(nameIn(correctedNoticeKey, key))

const orderRefundedKey = (name: string): string => `order-refunded:${name}`

/** @param refund the key of the transfer */
export const orderRefundedNoticeKey = (refund: string): string => orderRefundedKey(nameIn(refundKey, refund))

/** @param key of a notice of a refunded order @returns the key of the transfer */
export const refundOfNotice = (key: string): string => refundKey(nameIn(orderRefundedKey, key))

export const declinedNoticeKey = (reportId: string): string => `declined:${reportId}`

/** @param key of a notice of a declined report @returns the id of the report */
export const reportOfNotice = (key: string): string => nameIn(declinedNoticeKey, key)

export const unbannedNoticeKey = (userId: bigint, at: Date): string => `unbanned:${userId}:${at.getTime()}`
