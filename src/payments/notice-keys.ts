// The keys of notices. A key names one event, which is told once. Code that looks for the event of a notice reads its key here.

import type { notices } from '../db/schema.ts'
import { correctionKey, nameIn, refundKey } from '../ledger/keys.ts'

type Kind = (typeof notices.$inferSelect)['kind']

const keyOf = (kind: Kind) => (what: string | bigint) => `${kind}:${what}`

/** @param event id of what happened to a top-up: a charge, or the end of the top-up */
export const topUpNoticeKey = (kind: Kind, provider: string, event: string): string =>
  `${kind}:${provider}:${event}`
/** @param what the id of the charge */
export const unmatchedNoticeKey = keyOf('unmatched')
/** @param what the number of the invited user */
export const invitePaidNoticeKey = keyOf('invite-paid')
/** @param what the number of the invited user */
export const inviteRefundedNoticeKey = keyOf('invite-refunded')
/** @param what the wallet and the event that switched it off */
export const walletOffNoticeKey = keyOf('wallet-off')
/** @param what the name of the correction */
export const correctedNoticeKey = keyOf('corrected')
/** @param what the id of the report */
export const declinedNoticeKey = keyOf('declined')
/** @param what the page of the receipt */
export const taxReceiptNoticeKey = keyOf('tax-receipt')
export const unbannedNoticeKey = (userId: bigint, at: Date): string => `unbanned:${userId}:${at.getTime()}`

const refundedKey = keyOf('refunded')
const orderRefundedKey = keyOf('order-refunded')
/** @param taking the key of the transfer that took the credit of a refunded payment, or a part of it */
export const refundedNoticeKey = (taking: string): string => refundedKey(nameIn(refundKey, taking))
/** @param refund the key of the transfer */
export const orderRefundedNoticeKey = (refund: string): string => orderRefundedKey(nameIn(refundKey, refund))

// What the key of a notice names: a transfer by its key, or a report by its id.

export const takingOfNotice = (key: string): string => refundKey(nameIn(refundedKey, key))
export const correctionOfNotice = (key: string): string => correctionKey(nameIn(correctedNoticeKey, key))
export const refundOfNotice = (key: string): string => refundKey(nameIn(orderRefundedKey, key))
export const pageOfNotice = (key: string): string => nameIn(taxReceiptNoticeKey, key)
export const reportOfNotice = (key: string): string => nameIn(declinedNoticeKey, key)
