// The keys of notices. A key names one event, which is told once. Code that looks for the event of a notice reads its key here.

import type { notices } from '../db/schema.ts'
import { chargeName, correctionKey, nameIn, refundKey, withoutEnd } from '../ledger/keys.ts'

type Kind = (typeof notices.$inferSelect)['kind']

/** @param event id of what happened to a top-up: a charge, or the end of the top-up */
export const topUpNoticeKey = (kind: Kind, provider: string, event: string): string =>
  `${kind}:${provider}:${event}`

export const unmatchedNoticeKey = (chargeId: string): string => `unmatched:${chargeId}`
export const invitePaidNoticeKey = (invitedId: bigint): string => `invite-paid:${invitedId}`
/** @param what the wallet and the event that switched it off */
export const walletOffNoticeKey = (what: string): string => `wallet-off:${what}`

const refundedKey = (charge: string): string => `refunded:${charge}`
const takenEnd = ':taken'

export const refundedNoticeKey = (provider: string, chargeId: string): string =>
  refundedKey(chargeName(provider, chargeId))

/** Of a credit that was spent when its payment was refunded, and was taken later. */
export const takenNoticeKey = (provider: string, chargeId: string): string =>
  `${refundedNoticeKey(provider, chargeId)}${takenEnd}`

/** @param key of a notice of a refunded payment @returns the key of the transfer that took the credit at the first attempt */
export const takingOfNotice = (key: string): string =>
  refundKey(withoutEnd(nameIn(refundedKey, key), takenEnd))

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
